import type { WireRequest } from '../../../client/envelope.ts';
import type { AnyEndpoint } from '../../../contract/define.ts';
import { Failure, undefinedOn } from '../../../core/failure.ts';
import { parseJson, printJson } from '../../../core/json.ts';
import type { HttpAnswer, HttpFault, HttpRequest } from '../../../io/http/http.ts';
import type { Exchange } from '../../../smoke/expression.ts';

/** A request that was sent, and what came back. */
export type Seen = { readonly request: HttpRequest; readonly answer: HttpAnswer | HttpFault };

const asText = (value: unknown): string => (typeof value === 'string' ? value : printJson(value));

/** Headers that decide where a request goes, how it is read, or who sends it. A flow sets none of them. */
const OWN_HEADERS =
  /^(?:host|connection|content-.*|transfer-encoding|te|upgrade|expect|proxy-.*|authorization|cookie)$/;
/** The keys of bursar. A flow may name them for other runners. */
const KEY_HEADERS = /^x-(?:api|control|signer)-key$/;

/** The failure of a request that a flow cannot send. */
export const unsendable = (message: string): Failure =>
  new Failure('invalid_input', `nothing was sent: ${message}`, { isUnsent: true });

const headersOf = (header: Exchange['request']['header']): Readonly<Record<string, string>> => {
  const entries = Object.entries(header).filter(([name]) => !KEY_HEADERS.test(name));
  for (const [name, value] of entries) {
    if (!/^[a-z0-9-]{1,100}$/.test(name) || OWN_HEADERS.test(name))
      throw unsendable(`a flow cannot set the header ${name}`);
    if (!/^[\x20-\x7e]*$/.test(asText(value))) throw unsendable(`the header ${name} must be printable ASCII`);
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, asText(value)]));
};

/** A value in a path. Dots between slashes would lead to another path. */
const segmentOf = (value: unknown, name: string): string => {
  const text = asText(value ?? '');
  if (text === '' || text === '.' || text === '..') throw unsendable(`the parameter ${name} of the path is "${text}"`);
  return encodeURIComponent(text);
};

/** The request of a step. */
export const wireOf = (baseUrl: string, { method, path }: AnyEndpoint, parts: Exchange['request']): WireRequest => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(parts.path[name], name));
  const pairs = Object.entries(parts.query).map(([name, value]): [string, string] => [name, asText(value)]);
  const query = new URLSearchParams(pairs);
  return {
    method,
    url: `${baseUrl}${filled}${query.size > 0 ? `?${query}` : ''}`,
    headers: headersOf(parts.header),
    body: parts.body === undefined ? undefined : printJson(parts.body),
  };
};

const bodyOf = ({ body }: HttpAnswer): unknown => {
  const text = new TextDecoder().decode(body);
  return undefinedOn(() => parseJson(text), 'invalid_input') ?? text;
};

/** The exchange of a step, as its criteria read it. */
export const exchangeOf = (
  seen: readonly Seen[],
  wire: WireRequest,
  parts: Exchange['request'],
): Exchange | undefined => {
  const { pathname } = new URL(wire.url);
  const found = seen.findLast(
    ({ request }) => request.method === wire.method && new URL(request.url).pathname === pathname,
  );
  if (found === undefined) return undefined;
  const { request, answer } = found;
  const response =
    answer.kind === 'fault' ? undefined : { statusCode: answer.http, header: answer.headers, body: bodyOf(answer) };
  return { method: request.method, url: request.url, request: parts, response };
};

const LONGEST_LINE = 1500;

/** The lines of the step's own call; those of the last call, if it did not get that far. */
export const linesOf = (lines: readonly string[], { url }: WireRequest): readonly string[] => {
  const { pathname } = new URL(url);
  const isHead = (line: string) => /^> [A-Z]+ /.test(line);
  const at = lines.findLastIndex((line) => isHead(line) && line.includes(pathname));
  const from = at < 0 ? lines.findLastIndex(isHead) : at;
  const after = lines.findIndex((line, index) => index > from && isHead(line));
  const own = lines.slice(Math.max(0, from), after < 0 ? undefined : after);
  return own.map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
};
