import type { Endpoint, Shape } from '../contract/define.ts';
import { isExactNumber, printJson } from '../core/json.ts';

/** The HTTP request of a call, without the API key. */
export type WireRequest = {
  readonly method: Endpoint['method'];
  readonly url: string;
  /** JSON text; `undefined` for a call without a body. */
  readonly body: string | undefined;
};

type Input = Readonly<Record<string, unknown>>;

const has = (shape: Shape | undefined, field: string): boolean => shape !== undefined && Object.hasOwn(shape, field);

const asText = (value: unknown): string => (isExactNumber(value) ? value.toString() : String(value));

const pathOf = (endpoint: Endpoint, input: Input): string =>
  endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(input[name])));

const queryOf = (entries: readonly (readonly [string, unknown])[]): string => {
  const query = new URLSearchParams();
  for (const [name, value] of entries) query.append(name, asText(value));
  return query.size > 0 ? `?${query}` : '';
};

/**
 * Builds the request of an endpoint from a flat input. Undeclared fields go into the body, or into the query of a GET:
 * the document does not name all fields, so users may add some.
 */
export const buildRequest = (baseUrl: string, endpoint: Endpoint, input: Input): WireRequest => {
  const fields = Object.entries(input).filter(([name, value]) => value !== undefined && !has(endpoint.params, name));
  const inQuery = ([name]: readonly [string, unknown]) =>
    has(endpoint.query, name) || (endpoint.method === 'GET' && !has(endpoint.body, name));
  const body = fields.filter((entry) => !inQuery(entry));
  return {
    method: endpoint.method,
    url: baseUrl + pathOf(endpoint, input) + queryOf(fields.filter(inQuery)),
    body: endpoint.body && printJson(Object.fromEntries(body)),
  };
};
