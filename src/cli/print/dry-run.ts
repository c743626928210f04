import { curlLine } from '../../client/curl.ts';
import type { WireRequest } from '../../client/request.ts';
import type { Service } from '../../client/service.ts';
import { Failure } from '../../core/failure.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { MASK } from '../../core/mask.ts';
import { isCredential } from '../../core/redact.ts';
import type { Body } from '../command/body.ts';
import type { CommandContext } from '../context/context.ts';

/** Whether a command is to show its request instead of sending it. */
export const isDryRun = ({ globals }: Pick<CommandContext, 'globals'>): boolean => globals.dryRun || globals.curl;

/** A command that is not one request, and whose --dry-run says more than requests can. Throws `usage`, with why. */
export const refuseCurl = ({ globals }: CommandContext, why: string): void => {
  if (globals.curl) throw new Failure('usage', `${why}: it has --dry-run, and no --curl`);
};

/** Whatever a card's own keys are, none of them is on a screen. */
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
  throw new Failure('usage', '--curl: the details of a card are put into no command line', {
    hint: 'Use --dry-run to see the request, or --card-token.',
  });
};

/** A request as --dry-run shows it: the key, and what else lets somebody in or moves money, masked. */
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
 * The two requests of a payment as a script that runs: the second has the id that the first was answered with, and is not
 * made without one.
 */
export const curlScript = async (
  cli: CommandContext,
  service: Service,
  [register, create]: readonly [WireRequest, WireRequest],
): Promise<void> => {
  assertNoRawCard(create);
  const note = '# Needs jq. To sign and execute is no single request: bursar pay execute PAYMENT_ID --key NAME';
  const first = `payment_id=$(${curlLine(service, register)} |\n  jq -e .data.payment_id) &&\n`;
  await cli.io.stdout.write(`${note}\n${first}${curlLine(service, create, 'payment_id')}\n`);
};

/** Prints requests instead of sending them. */
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
