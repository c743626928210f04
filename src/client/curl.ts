import { isLoopback } from '../core/loopback.ts';
import { shellQuote } from '../core/shell.ts';
import type { WireRequest } from './request.ts';
import type { Service } from './service.ts';

/** The command line that sends the same request; the key stays in the environment. */
export const curlLine = (service: Service, request: WireRequest): string => {
  const parts = [`curl --silent --show-error --request ${request.method} ${shellQuote(request.url)}`];
  // curl would give what is for this machine to a proxy, with the key in the clear.
  if (isLoopback(new URL(request.url).hostname)) parts.push("--noproxy '*'");
  if (service.apiKey) parts.push(`--header "x-api-key: $BURSAR_API_KEY"`);
  if (request.body !== undefined) {
    parts.push(`--header 'content-type: application/json'`, `--data-raw ${shellQuote(request.body)}`);
  }
  return parts.join(' \\\n  ');
};
