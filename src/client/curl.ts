import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import { isLoopback } from '../core/loopback.ts';
import { shellQuote } from '../core/shell.ts';
import type { WireRequest } from './request.ts';
import type { Service } from './service.ts';

/** Stands for the token until the text around it is quoted. */
const HERE = '<the card token of the environment>';

/** A body as a shell takes it: the token of a card comes from the environment, as the key does. */
const quotedBody = (text: string): string => {
  const body = parseJson(text);
  const data = isJsonObject(body) ? body['card_data'] : undefined;
  if (!isJsonObject(body) || !isJsonObject(data) || typeof data['card_token'] !== 'string') return shellQuote(text);
  const shown = printJson({ ...body, card_data: { ...data, card_token: HERE } });
  return shown.split(HERE).map(shellQuote).join('"$CARD_TOKEN"');
};

/** The command line that sends the same request; the key and a card's token stay in the environment. */
export const curlLine = (service: Service, request: WireRequest): string => {
  const parts = [`curl --silent --show-error --request ${request.method} ${shellQuote(request.url)}`];
  // curl would give what is for this machine to a proxy, with the key in the clear.
  if (isLoopback(new URL(request.url).hostname)) parts.push("--noproxy '*'");
  if (service.apiKey) parts.push(`--header "x-api-key: $BURSAR_API_KEY"`);
  if (request.body !== undefined) {
    parts.push(`--header 'content-type: application/json'`, `--data-raw ${quotedBody(request.body)}`);
  }
  return parts.join(' \\\n  ');
};
