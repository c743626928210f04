import { printJson } from '../../core/json.ts';
import { shellQuote } from '../../core/next.ts';

/** A request to print as a curl command. */
export type CurlRequest = {
  readonly method: string;
  /** The address, already quoted for the shell. Some addresses have shell variables in their path. */
  readonly address: string;
  readonly isControl?: boolean;
  readonly body?: unknown;
};

/** The curl command of a request. The key is a shell variable, and curl uses no proxy. */
export const curlCommand = ({ method, address, isControl = false, body }: CurlRequest): string =>
  [
    `curl --silent --show-error --request ${method} ${address}`,
    "--noproxy '*'",
    `--header "${isControl ? 'x-control-key: $BURSAR_CONTROL_KEY' : 'x-api-key: $BURSAR_API_KEY'}"`,
    ...(body === undefined
      ? []
      : ["--header 'content-type: application/json'", `--data-raw ${shellQuote(printJson(body))}`]),
  ].join(' \\\n  ');
