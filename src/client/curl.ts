import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import { isLoopback } from '../core/loopback.ts';
import { shellQuote } from '../core/shell.ts';
import type { WireRequest } from './request.ts';
import type { Service } from './service.ts';

/** Stands for the token until the text around it is quoted. */
const HERE = '<the card token of the environment>';

/** A piece of text with a shell's variable where a placeholder was. */
const withVariable = (parts: readonly string[], here: string, variable: string): readonly string[] =>
  parts.flatMap((part) =>
    part.startsWith('"$')
      ? [part]
      : part.split(here).flatMap((piece, at) => (at === 0 ? [piece] : [`"$${variable}"`, piece])),
  );

/** The same for a payment's id, which an earlier command of the script has. */
const ID_HERE = '<the payment id of the script>';

/**
 * A body as a shell takes it: the token of a card comes from the environment, as the key does. With `idVariable` the
 * payment's id is that of a variable.
 */
const quotedBody = (text: string, idVariable: string | undefined): string => {
  const body = parseJson(text);
  if (!isJsonObject(body)) return shellQuote(text);
  const data = body['card_data'];
  const hasToken = isJsonObject(data) && typeof data['card_token'] === 'string';
  if (!hasToken && idVariable === undefined) return shellQuote(text);
  const shown = printJson({
    ...body,
    ...(hasToken && { card_data: { ...data, card_token: HERE } }),
    ...(idVariable !== undefined && { payment_id: ID_HERE }),
  });
  const parts = withVariable(withVariable([shown], HERE, 'CARD_TOKEN'), ID_HERE, idVariable ?? '');
  return parts.map((part) => (part.startsWith('"$') ? part : shellQuote(part))).join('');
};

/** The command line that sends the same request; the key and a card's token stay in the environment. */
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
