import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import { shellQuote } from '../core/next.ts';
import { isLoopback } from '../core/web-address.ts';
import type { WireRequest } from './request.ts';
import type { Service } from './service.ts';

/** Placeholder of the card token until the text around it is quoted. */
const HERE = '<the card token of the environment>';

/** Placeholder of the code from an e-mail. */
const CODE_HERE = '<the code of the environment>';

/** Placeholder of the payment id, which an earlier command of the script stores as JSON. */
const ID_HERE = '<the payment id of the script>';

/** Replaces a placeholder in a text by a shell variable and quotes the rest. */
const quotedAround = (text: string, placeholder: string, variable: string, quoted: (part: string) => string): string =>
  text.split(placeholder).map(quoted).join(`"$${variable}"`);

/**
 * Quotes a body for a shell. The card token and the code from an e-mail are variables of the environment. With
 * `idVariable`, the payment id is that shell variable, which contains a JSON string with its quotes.
 */
const quotedBody = (text: string, idVariable: string | undefined): string => {
  const body = parseJson(text);
  if (!isJsonObject(body)) return shellQuote(text);
  const data = body['card_data'];
  const hasToken = isJsonObject(data) && typeof data['card_token'] === 'string';
  const hasCode = typeof body['code'] === 'string';
  if (!hasToken && !hasCode && idVariable === undefined) return shellQuote(text);
  const shown = printJson({
    ...body,
    ...(hasCode && { code: CODE_HERE }),
    ...(hasToken && { card_data: { ...data, card_token: HERE } }),
    ...(idVariable !== undefined && { payment_id: ID_HERE }),
  });
  const withCode = (part: string) => quotedAround(part, CODE_HERE, 'CODE', shellQuote);
  const withToken = (part: string) => quotedAround(part, HERE, 'CARD_TOKEN', withCode);
  return quotedAround(shown, JSON.stringify(ID_HERE), idVariable ?? '', withToken);
};

/**
 * The curl command that sends a request. The API key and the card token stay in the environment. `idVariable` is the
 * shell variable with the payment id.
 */
export const curlLine = (service: Service, request: WireRequest, idVariable?: string): string => {
  const parts = [`curl --silent --show-error --request ${request.method} ${shellQuote(request.url)}`];
  // curl would send a request for this machine to a proxy, with the key in clear text.
  if (isLoopback(new URL(request.url).hostname)) parts.push("--noproxy '*'");
  if (service.apiKey) parts.push(`--header "x-api-key: $BURSAR_API_KEY"`);
  if (request.body !== undefined) {
    parts.push(`--header 'content-type: application/json'`, `--data-raw ${quotedBody(request.body, idVariable)}`);
  }
  return parts.join(' \\\n  ');
};
