import { curlLine } from '../../client/curl.ts';
import type { WireRequest } from '../../client/request.ts';
import type { Service } from '../../client/service.ts';
import { Failure } from '../../core/failure.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { MASK } from '../../core/mask.ts';
import { isCredential } from '../../core/redact.ts';
import type { Body } from '../command/body.ts';
import type { CommandContext } from '../context/context.ts';

/** Whether a command prints its request in place of sending it: --dry-run or --curl. */
export const isDryRun = ({ globals }: Pick<CommandContext, 'globals'>): boolean => globals.dryRun || globals.curl;

/** Throws `usage` for --curl on a command that is not a single request. `why` starts the message. */
export const refuseCurl = ({ globals }: CommandContext, why: string): void => {
  if (globals.curl) throw new Failure('usage', `${why}: use --dry-run, not --curl`);
};

/** Masks all card data: the document does not name the keys of a card. */
const masked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(masked);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isCredential(name) ? MASK : masked(inner)]),
  );
};

const assertNoRawCard = ({ body }: WireRequest): void => {
  const { card_data: data } = (body === undefined ? {} : parseJson(body)) as Body;
  if (!isJsonObject(data) || data['card'] === undefined) return;
  throw new Failure('usage', '--curl never prints card details', {
    hint: 'Use --dry-run to see the request, or pay with --card-token.',
  });
};

/** A request for --dry-run. The API key and all values that grant access or move money are masked. */
export const requestDocument = (service: Service, request: WireRequest): Body => ({
  method: request.method,
  url: request.url,
  headers: {
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
export const showRequests = async (
  cli: CommandContext,
  service: Service,
  requests: readonly WireRequest[],
): Promise<void> => {
  if (cli.globals.curl) {
    requests.forEach(assertNoRawCard);
    return cli.io.stdout.write(requests.map((request) => `${curlLine(service, request)}\n`).join(''));
  }
  const documents = requests.map((request) => requestDocument(service, request));
  return cli.printResult(documents.length === 1 ? documents[0] : documents);
};
