import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import { shellQuote } from '../core/next.ts';
import { isLoopback } from '../core/web-address.ts';
import type { WireRequest } from './request.ts';
import type { Service } from './service.ts';

/** Stands for the token until the text around it is quoted. */
const HERE = '<the card token of the environment>';

/** The same for the code of an e-mail. */
const CODE_HERE = '<the code of the environment>';

/** The same for a payment's id, which an earlier command of the script has as JSON. */
const ID_HERE = '<the payment id of the script>';

/** A text in which a variable of the shell stands where its placeholder did. */
const quotedAround = (text: string, placeholder: string, variable: string, quoted: (part: string) => string): string =>
  text.split(placeholder).map(quoted).join(`"$${variable}"`);

/**
 * A body as a shell takes it: the token of a card, and the code of an e-mail, come from the environment, as the key does. With `idVariable` the
 * payment's id is what that variable has, quotes and all.
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
 * The command line that sends the same request; the key and a card's token stay in the environment. `idVariable`: where a
 * script has the id of the payment.
 */
export const curlLine = (service: Service, request: WireRequest, idVariable?: string): string => {
  const parts = [`curl --silent --show-error --request ${request.method} ${shellQuote(request.url)}`];
  // curl would give what is for this machine to a proxy, with the key in the clear.
  if (isLoopback(new URL(request.url).hostname)) parts.push("--noproxy '*'");
  if (service.apiKey) parts.push(`--header "x-api-key: $BURSAR_API_KEY"`);
  if (request.body !== undefined) {
    parts.push(`--header 'content-type: application/json'`, `--data-raw ${quotedBody(request.body, idVariable)}`);
  }
  return parts.join(' \\\n  ');
};
