import type { Client } from '../../../client/call.ts';
import type { WireRequest } from '../../../client/envelope.ts';
import { callRaw, classified, type RawAnswer, type RawCall, rawRequest, segmentsOf } from '../../../client/raw.ts';
import { amended, Failure, withDetails } from '../../../core/failure.ts';
import { digitsOf, isJsonObject, listAt, valueAt } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import { escapeText, isPlainId } from '../../../core/text.ts';
import { isDryRun } from '../../argv/command-line.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, required, sourceOption, stringArg } from '../../command/options.ts';
import { showRequests } from '../../print/dry-run.ts';
import { ofService } from '../../prompt/confirming.ts';
import { bodyFrom, headersFrom, isSensitiveField, isSensitiveHeader, isSensitivePath } from './fields.ts';
import { printAnswer } from './printed.ts';
import { assertShowable, shownRequest } from './shown.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

const methodFrom = (text: string): string => {
  const method = text.toUpperCase();
  if (METHODS.some((one) => one === method)) return method;
  throw new Failure('invalid_input', `METHOD: "${text.slice(0, 20)}" is none of ${METHODS.join(', ')}`);
};

/** The request of the command line. Throws `invalid_input` for a wrong value, before a service is opened. */
const requestFrom = async (cli: CommandContext, given: ParsedArgs) => {
  const { METHOD, PATH: path } = required({
    METHOD: stringArg(given, 'method'),
    PATH: stringArg(given, 'path'),
  });
  const method = methodFrom(METHOD);
  const headers = headersFrom(given);
  const { query, body } = await bodyFrom(cli, given, method);
  const raw = { method, path, query, headers, body };
  // Any service shows a wrong path.
  rawRequest({ baseUrl: 'https://service.example' }, raw);
  if (boolArg(given, 'paginate')) assertPages(cli, given, method, raw.query, path);
  return raw;
};

const assertPages = (
  cli: CommandContext,
  given: ParsedArgs,
  method: string,
  query: readonly (readonly [string, string])[],
  path: string,
): void => {
  const refuse = (why: string) => new Failure('invalid_input', `--paginate ${why}`);
  if (method !== 'GET') throw refuse('is for GET');
  if (boolArg(given, 'include') || cli.globals.envelope)
    throw refuse('reads several answers: it goes without --include and --envelope');
  const names = [...query.map(([name]) => name), ...new URL(path, 'https://service.example').searchParams.keys()];
  if (names.includes('page')) throw refuse('sets page itself');
};

/** What a call that may move money has beside the others: a confirmation, and no journal. */
const NO_JOURNAL = 'This call may move money. bursar keeps no journal of it: a lost answer cannot be resumed.';

const confirmMoney = async (
  cli: CommandContext,
  { service }: Client,
  { outcome }: RawCall,
  { method, url }: WireRequest,
): Promise<void> => {
  if (!outcome.movesMoney) return;
  await cli.warn(NO_JOURNAL);
  const question = `Send ${method} ${escapeText(new URL(url).pathname)}?`;
  if (!(await cli.confirm(ofService(service, question))))
    throw new Failure('declined', 'not confirmed; nothing was sent');
};

/** A service that never reaches its last page must not keep the command running. */
const MAX_PAGES = 1000;

const numberAt = (answer: RawAnswer, name: string): number =>
  Number(digitsOf(valueAt(answer.data, 'pagination', name)) ?? Number.NaN);

/** The name of the list in the data of a page; `undefined` if there are none or several. */
const listIn = (data: unknown): string | undefined => {
  const lists = isJsonObject(data) ? Object.keys(data).filter((name) => Array.isArray(data[name])) : [];
  return lists.length === 1 ? lists[0] : undefined;
};

const pageOf = (request: WireRequest, page: number): WireRequest => ({
  ...request,
  url: `${request.url}${request.url.includes('?') ? '&' : '?'}page=${page}`,
});

const notAList = (what: string): Failure =>
  new Failure('unexpected_answer', `the pages are no list that bursar can read as one: ${what}`, {
    hint: 'Without --paginate one page is read: --field page=N chooses it.',
  });

/** Reads all pages of a list, as one page. An answer without pages is returned as it is. Throws `unexpected_answer`. */
const readPages = async (client: Client, request: WireRequest): Promise<RawAnswer> => {
  const read = (page: number): Promise<RawAnswer> => {
    const paged = pageOf(request, page);
    return callRaw(client, classified(client.service, paged), paged);
  };
  const first = await read(1);
  const pages = numberAt(first, 'total_pages');
  if (!(pages > 1)) return first;
  const list = listIn(first.data);
  if (list === undefined) throw notAList('page 1 has no list, or several');
  if (pages > MAX_PAGES) throw notAList(`there are ${pages} pages`);
  const items = [...listAt(first.data, list)];
  for (let page = 2; page <= pages; page += 1) {
    const found = listAt((await read(page)).data, list);
    if (found.length === 0) throw notAList(`page ${page} of ${pages} has no ${list}`);
    items.push(...found);
  }
  const pagination = { ...Object(valueAt(first.data, 'pagination')), page: 1, limit: items.length, total_pages: 1 };
  return { ...first, data: { ...Object(first.data), [list]: items, pagination } };
};

/** Shows the request in place of sending it. */
const show = async (cli: CommandContext, { service }: Client, request: WireRequest): Promise<void> => {
  const shown = shownRequest(service, request);
  if (cli.globals.curl) assertShowable(request, shown);
  await showRequests(cli, service, [shown]);
};

const CONTROL_KEY = 'A path under /_sandbox needs the header x-control-key with the control_key of the sandbox.';

/** The payment of a call, if its id is plain: the command that reads it back is to be pasted. */
const paymentOf = ({ outcome, input }: RawCall): string | undefined => {
  const id = input['payment_id'] ?? input['id'];
  return outcome.by === 'pay.status' && typeof id === 'string' && isPlainId(id) ? id : undefined;
};

/** What helps after a call that no command made. An interrupted call has a message. */
const advised =
  ({ service }: Client, called: RawCall, { method, url }: WireRequest) =>
  (failure: Failure): Failure => {
    const { code, details } = failure;
    const { pathname } = new URL(url);
    if (code === 'interrupted' && details.hint === undefined)
      return new Failure('interrupted', `interrupted; ${method} ${pathname} has no answer yet`, details);
    const isControl = service.kind === 'sandbox' && segmentsOf(pathname)[0] === '_sandbox';
    if (isControl && code === 'unauthorized')
      return withDetails(failure, { hint: CONTROL_KEY, next: nextStep('sandbox.start') });
    const paymentId = code === 'outcome_unknown' && !details.next ? paymentOf(called) : undefined;
    if (paymentId !== undefined) return withDetails(failure, { next: nextStep('pay.status.wait', paymentId) });
    if (called.listed || code !== 'not_found' || details.next) return failure;
    return withDetails(failure, { next: nextStep('openapi') });
  };

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const raw = await requestFrom(cli, given);
  const client = await cli.client();
  const request = rawRequest(client.service, raw);
  const called = classified(client.service, request);
  if (isDryRun(cli)) return show(cli, client, boolArg(given, 'paginate') ? pageOf(request, 1) : request);
  await confirmMoney(cli, client, called, request);
  const calling = boolArg(given, 'paginate') ? readPages(client, request) : callRaw(client, called, request);
  const answer = await cli.io.spin('Waiting for the answer', calling).catch(amended(advised(client, called, request)));
  await printAnswer(cli, given, called, answer);
};

/** `api`. */
export const api: Command = {
  words: ['api'],
  supportsDryRun: true,
  summary: 'Send a request of your own to the service, with its key',
  about: [
    'Any method and any path below the address of the service. The key goes to no other host, and no redirect is followed.',
    'Prints the data of the answer. Data with a list and its pagination, and no other field, is printed as that list; --json has all of it.',
    'Errors have the exit codes of all commands.',
    'Fields are the query of a GET, and the JSON body of any other method. With --input they are the query.',
    'A name such as a[b] is a field of an object, and a[] adds to a list.',
    'A call that may move money needs a yes, or --yes. It has no review, and no journal to resume it from.',
  ],
  arguments: [
    { name: 'METHOD', description: 'HTTP method', question: 'HTTP method', choices: METHODS },
    {
      name: 'PATH',
      description: 'Path below the address of the service',
      question: 'Path',
      example: '/config/products',
      isSecret: isSensitivePath,
    },
  ],
  options: [
    {
      flag: '--field',
      value: 'NAME=VALUE',
      isRepeatable: true,
      isSecret: isSensitiveField,
      description: 'A field: true, false, null and numbers are JSON, @FILE is the text of a file',
    },
    {
      flag: '--raw-field',
      value: 'NAME=VALUE',
      isRepeatable: true,
      isSecret: isSensitiveField,
      description: 'A field whose value is text',
    },
    sourceOption('--input', 'The JSON body, sent unchanged', { value: 'FILE', readsStdin: true }),
    {
      flag: '--header',
      value: 'NAME:VALUE',
      isRepeatable: true,
      isSecret: isSensitiveHeader,
      description: 'A header of the request',
    },
    { flag: '--include', description: 'Print status and headers of the answer, then its whole body' },
    { flag: '--paginate', description: 'Read all pages of a list, and print them as one' },
  ],
  envelopeOf: ['products.list'],
  fails: [
    ...(['not_found', 'unauthorized', 'unavailable', 'unexpected_answer', 'limit_reached', 'rejected'] as const),
    'outcome_unknown',
  ],
  examples: [
    'api GET /config/products',
    'api GET /quote/market --field from=BTC --field to=USDT --include',
    'api POST /kyc/prepare --field email=ana@example.com --envelope',
  ],
  run,
};
