import { ENDPOINTS, type EndpointId } from '../../../contract/index.ts';
import { isJsonObject, printJson } from '../../../core/json.ts';
import { commandLine, shellQuote } from '../../../core/next.ts';
import { MASK } from '../../../core/secret.ts';
import type { Exchange } from '../../exchanges.ts';
import { isOfControl, isShown } from '../../request-log.ts';
import type { Services } from '../../services.ts';
import { curlCommand } from '../curl.ts';
import { facts, type Html, html, type Mood, mark, mono, section, time } from '../html.ts';
import { type Column, hidden, type Listing, tableOf, type Viewer } from './table.ts';

const moodOfHttp = (http: number): Mood => (http < 400 ? 'good' : 'bad');

const COLUMNS: readonly Column<Exchange>[] = [
  { name: 'Method', kind: 'whole', show: ({ method }) => method },
  { name: 'Path', show: ({ id, path }) => html`<a class="path" id="request-${id}" href="?request=${id}">${path}</a>` },
  { name: 'HTTP', kind: 'whole', show: ({ http }) => mark(moodOfHttp(http), String(http)) },
  { name: 'Status', show: ({ status }) => html`<span class="break">${status}</span>` },
  { name: 'ms', kind: 'whole', show: ({ ms }) => ms },
  { name: 'Machine time', kind: 'whole', show: ({ at }) => time(at) },
];

const NONE = html`No request yet. <code>bursar quote ETH USDT --profile sandbox</code> sends one.`;

/** The list of the last requests to the service and the control, newest first. They are in memory until a restart. */
export const requests: Listing = {
  id: 'requests',
  title: 'Requests',
  filters: [
    { name: 'method', label: 'Method', choices: ['GET', 'POST', 'PATCH', 'DELETE'] },
    { name: 'path', label: 'Path, or pattern with *' },
    { name: 'status', label: 'Status or HTTP code' },
  ],
  list: async ({ exchanges }, _, { filter, limit }) => {
    const rows = exchanges.list().filter((entry) => isShown(filter, entry));
    const none = Object.keys(filter).length > 0 ? 'No request passes this filter.' : NONE;
    const shown = rows.toReversed().slice(0, limit);
    return { count: rows.length, table: tableOf('Requests', COLUMNS, shown, none) };
  },
};

/** The endpoint of the service that a request called, with the fields of its path; `undefined` for the control. */
const calledBy = ({ method, path }: Exchange) => {
  for (const endpoint of ENDPOINTS) {
    const pattern = endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const params = method === endpoint.method ? new RegExp(`^${pattern}$`).exec(path) : null;
    if (params) return { endpoint, params: params.groups ?? {} };
  }
  return undefined;
};

/** Whether a command line has the complete request: no part of it is masked or cut. */
const isComplete = (line: string, { request }: Exchange): boolean =>
  !line.includes(MASK) && !line.includes('{…}') && typeof request !== 'string';

const queryText = ({ query }: Exchange): string =>
  isJsonObject(query) && Object.keys(query).length > 0
    ? `?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`
    : '';

/** The curl command that sends the same request. The keys are shell variables. */
const curlOf = (url: string, exchange: Exchange): string => {
  const { method, path, request } = exchange;
  const address = shellQuote(url + path + queryText(exchange));
  return curlCommand({ method, address, isControl: isOfControl(exchange), body: request });
};

/** The command that sends the request of an endpoint. A word in braces is a field of the request, `-` its body. */
const COMMANDS: Readonly<Record<EndpointId, string>> = {
  'pay.register': 'pay register --body -',
  'pay.transaction': 'pay transaction {payment_id} --body -',
  'pay.execute': 'pay execute {payment_id} --signed-transaction {signed_transaction}',
  'pay.status': 'pay status {id}',
  'products.list': 'products',
  'order.create': 'order create --body -',
  'order.list': 'order list',
  'order.update': 'order update {order_id} --body -',
  'order.toggle': 'order toggle {order_id}',
  'kyc.prepare': 'kyc prepare --body -',
  'kyc.challenge': 'kyc challenge --body -',
  'kyc.prepare-wallet': 'kyc prepare-wallet --body -',
  'kyc.send-otp': 'kyc send-otp --body -',
  'kyc.verify-otp': 'kyc verify-otp --body -',
  'kyc.create': 'kyc create {kyc_type} --body -',
  'kyc.status': 'kyc status',
  'yield.strategies': 'yield strategies',
  'yield.strategies-of': 'yield strategies {asset_symbol}',
  'yield.opportunities': 'yield opportunities',
  'yield.opportunities-of': 'yield opportunities {asset_symbol}',
  'yield.deposit': 'yield deposit --body -',
  'yield.withdraw': 'yield withdraw --body -',
  'yield.rebalance': 'yield rebalance --body -',
  'yield.broadcast': 'yield broadcast --body -',
  'yield.earnings': 'yield earnings',
  'quote.market': 'quote {from} {to}',
};

/**
 * The bursar command that sends the same request; `undefined` for a request to the control, and for one that was cut. It is
 * `undefined` too where a value of the request could be an option of the command.
 */
const commandOf = (exchange: Exchange): string | undefined => {
  const found = calledBy(exchange);
  if (!found) return undefined;
  const { endpoint, params } = found;
  const { query, request } = exchange;
  if (endpoint.body && !isJsonObject(request)) return undefined;
  const asked = isJsonObject(query) ? query : {};
  if (!Object.keys(asked).every((name) => Object.hasOwn(endpoint.query ?? {}, name))) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...(isJsonObject(request) && request), ...asked, ...params };
  const template = COMMANDS[endpoint.id as EndpointId].split(' ');
  const isPlace = (word: string) => word.startsWith('{');
  const valueIn = (place: string) => fields[place.slice(1, -1)] ?? [];
  const others = Object.entries(asked).filter(([name]) => !template.includes(`{${name}}`));
  const values = [...template.filter(isPlace).map(valueIn), ...others.map(([, value]) => value)];
  if (values.some((value) => String(value).startsWith('-'))) return undefined;
  const words = template.flatMap((word) => (isPlace(word) ? valueIn(word) : word));
  const options = others.flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, value]);
  const argv = ['bursar', ...[...words, ...options].map(String), '--profile', 'sandbox'];
  const command = commandLine({ argv });
  return template.includes('--body') ? `printf %s ${shellQuote(printJson(request))} | ${command}` : command;
};

const body = (name: string, value: unknown): Html | false =>
  value !== undefined &&
  html`<h3>${name}</h3><pre class="code">${typeof value === 'string' ? value : printJson(value, 2)}</pre>`;

const copyable = (id: string, name: string, text: string): Html => html`<div class="field">
<h3>${name}</h3>
<pre class="code" id="${id}" tabindex="0">${text}</pre>
<div><button type="button" id="copy-${id}" data-copy="${id}">Copy ${name}</button></div>
</div>`;

const copiesOf = (url: string, exchange: Exchange): Html => {
  const [curl, command] = [curlOf(url, exchange), commandOf(exchange)];
  return html`<h2 id="copies-name">Send it again</h2>
${!isComplete(curl, exchange) && html`<p class="quiet">Replace ${MASK} and {…} first. The sandbox stores no key, code, card or personal data.</p>`}
${copyable('curl', 'as curl', curl)}
${command !== undefined && copyable('command', 'as bursar', command)}
<p class="small quiet" id="copied" role="status"></p>`;
};

const GUEST = html`<p>Query, request and answer: ${hidden}</p>`;

/** The page of one request. Only the owner sees its query and bodies. `undefined` for a request that is not stored. */
export const requestView = ({ exchanges, url }: Services, { isOwner }: Viewer, id: string): Html | undefined => {
  const exchange = exchanges.list().find((one) => one.id === id);
  if (!exchange) return undefined;
  const { method, path, http, status, ms, at, query, request, answer } = exchange;
  const heading = html`<div class="head"><h2 class="break" id="facts-name">${method} ${mono(path)}</h2>${mark(moodOfHttp(http), String(http))}</div>`;
  const rows = facts([
    ['Status', status],
    ['Took', `${ms} ms`],
    ['Machine time', time(at)],
  ]);
  if (!isOwner) return section('facts', heading, rows, GUEST);
  const bodies = html`${body('Query', query)}${body('Request', request)}${body('Answer', answer)}`;
  return html`${section('facts', heading, rows, bodies)}${section('copies', copiesOf(url(), exchange))}`;
};
