import { printJson } from '../../core/json.ts';
import { shellQuote } from '../../core/next.ts';

/** A request as a command line. */
export type CurlRequest = {
  readonly method: string;
  /** Quoted for the shell: some addresses have variables of the shell in their path. */
  readonly address: string;
  readonly isControl?: boolean;
  readonly body?: unknown;
};

/** The curl command of a request. The key is a variable of the shell, and no proxy gets it. */
export const curlCommand = ({ method, address, isControl = false, body }: CurlRequest): string =>
  [
    `curl --silent --show-error --request ${method} ${address}`,
    "--noproxy '*'",
    `--header "${isControl ? 'x-control-key: $BURSAR_CONTROL_KEY' : 'x-api-key: $BURSAR_API_KEY'}"`,
    ...(body === undefined
      ? []
      : ["--header 'content-type: application/json'", `--data-raw ${shellQuote(printJson(body))}`]),
  ].join(' \\\n  ');
