import type { Input } from '../../client/call.ts';
import type { WireRequest } from '../../client/envelope.ts';
import type { Service } from '../../client/service.ts';
import { Failure } from '../../core/failure.ts';
import { isJsonObject, parseJson, printJson, valueAt } from '../../core/json.ts';
import { shellQuote } from '../../core/next.ts';
import { isCredential, isSecretHeader, MASK } from '../../core/secret.ts';
import { isLoopback } from '../../core/web-address.ts';
import type { CommandContext } from '../command/command.ts';

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

/** A header for curl. A value that may grant access is a variable of the environment. */
const headerPart = (name: string, value: string): string =>
  isSecretHeader(name)
    ? `--header "${name}: $${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}"`
    : `--header ${shellQuote(`${name}: ${value}`)}`;

/**
 * The curl command that sends a request. The API key and the card token stay in the environment. `idVariable` is the
 * shell variable with the payment id.
 */
export const curlLine = (service: Service, request: WireRequest, idVariable?: string): string => {
  const parts = [`curl --silent --show-error --request ${request.method} ${shellQuote(request.url)}`];
  // curl would send a request for each value in brackets.
  if (/[[\]{}]/.test(request.url)) parts.push('--globoff');
  // curl would send a request for this machine to a proxy, with the key in clear text.
  if (isLoopback(new URL(request.url).hostname)) parts.push("--noproxy '*'");
  if (service.apiKey) parts.push(`--header "x-api-key: $BURSAR_API_KEY"`);
  for (const [name, value] of Object.entries(request.headers ?? {})) parts.push(headerPart(name, value));
  if (request.body !== undefined) {
    parts.push(`--header 'content-type: application/json'`, `--data-raw ${quotedBody(request.body, idVariable)}`);
  }
  return parts.join(' \\\n  ');
};

/** Throws `usage` for --curl on a command that is not a single request. `why` starts the message. */
export const refuseCurl = ({ globals }: CommandContext, why: string): void => {
  if (globals.curl) throw new Failure('usage', `${why}: use --dry-run, not --curl`);
};

/** Masks the fields with a name that is hidden. All card data is: the document does not name the keys of a card. */
export const masked = (value: unknown, isHidden: (name: string) => boolean = isCredential): unknown => {
  if (Array.isArray(value)) return value.map((one) => masked(one, isHidden));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isHidden(name) ? MASK : masked(inner, isHidden)]),
  );
};

const assertNoRawCard = ({ body }: WireRequest): void => {
  const data = body === undefined ? undefined : valueAt(parseJson(body), 'card_data');
  if (!isJsonObject(data) || data['card'] === undefined) return;
  throw new Failure('usage', '--curl never prints card details', {
    hint: 'Use --dry-run to see the request, or pay with --card-token.',
  });
};

/** A request for --dry-run. The API key and all values that grant access or move money are masked. */
export const requestDocument = (service: Service, request: WireRequest): Input => ({
  method: request.method,
  url: request.url,
  headers: {
    ...Object.fromEntries(
      Object.entries(request.headers ?? {}).map(([name, value]) => [name, isSecretHeader(name) ? MASK : value]),
    ),
    ...(service.apiKey && { 'x-api-key': MASK }),
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
  },
  ...(request.body !== undefined && { body: masked(parseJson(request.body)) }),
});

/**
 * Prints the two requests of a payment as a shell script. The second request takes the payment id from the first answer
 * and runs only if there is one.
 */
export const curlScript = async (
  cli: CommandContext,
  service: Service,
  [register, create]: readonly [WireRequest, WireRequest],
): Promise<void> => {
  assertNoRawCard(create);
  const note = '# Needs jq. Afterwards sign and execute with: bursar pay execute PAYMENT_ID --key NAME';
  const first = `payment_id=$(${curlLine(service, register)} |\n  jq -e .data.payment_id) &&\n`;
  await cli.io.stdout.write(`${note}\n${first}${curlLine(service, create, 'payment_id')}\n`);
};

/** Prints requests in place of sending them. */
export const showRequests = async (cli: CommandContext, service: Service, requests: readonly WireRequest[]) => {
  if (cli.globals.curl) {
    requests.forEach(assertNoRawCard);
    return cli.io.stdout.write(requests.map((request) => `${curlLine(service, request)}\n`).join(''));
  }
  const documents = requests.map((request) => requestDocument(service, request));
  return cli.printResult(documents.length === 1 ? documents[0] : documents);
};
