import type { Endpoint } from '../../src/contract/define.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { pascal } from '../../src/contract/openapi/parts.ts';
import { cardFields } from '../sandbox/money.ts';

type Fields = Readonly<Record<string, unknown>>;
type Body = { readonly endpoint: Endpoint; readonly fields: Fields };

/** Fields with inner fields that the service's document does not list. They accept any inner field. */
const OPEN_FIELDS = ['order_items', 'subscription_payment_config', 'card'];

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const PHONE = { country_code: '55', area_code: '11', number: '912345678' };

/** The example of each endpoint with a body, and a card payment for the fields that no example has. */
const BODIES: readonly Body[] = ENDPOINTS.filter(({ body }) => body).flatMap((endpoint) => {
  const entries = Object.entries(endpoint.example).filter(([name]) => name in (endpoint.body ?? {}));
  const fields = Object.fromEntries(entries);
  const card = { ...fields, ...cardFields({ card_token: 't' }, { payer_phone: PHONE }) };
  return [{ endpoint, fields }, ...(endpoint.id === 'pay.transaction' ? [{ endpoint, fields: card }] : [])];
});

/** The paths of all objects in a value whose fields the document lists. */
const objectsIn = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => {
  if (!isObject(value)) return [];
  const listed = Object.entries(value).filter(([name]) => !OPEN_FIELDS.includes(name));
  const inner = listed.flatMap(([name, field]) => objectsIn(field, [...path, name]));
  return Array.isArray(value) ? inner : [path, ...inner];
};

/** A value as TypeScript source, with more lines in the object at the path `at`. */
const print = (value: unknown, more: readonly string[] = [], at?: readonly string[]): string => {
  if (!isObject(value)) return JSON.stringify(value);
  const [first, ...rest] = at ?? [];
  const inner = Object.entries(value).map(([name, field]) => {
    const printed = print(field, more, name === first ? rest : undefined);
    return Array.isArray(value) ? `${printed},` : `${name}: ${printed},`;
  });
  const lines = [...inner, ...(at && first === undefined ? more : [])].join('\n');
  return Array.isArray(value) ? `[\n${lines}\n]` : `{\n${lines}\n}`;
};

const MISSPELT = "misspelt_field: 'x',";

/** Calls of `take` for a body: with the body itself, and for each of its objects with a misspelt field in it. */
const callsOf = ({ endpoint, fields }: Body, type: string): readonly string[] => {
  const isOpen = (path: readonly string[]) => endpoint.unshownInput === true && path.length === 0;
  const misspelt = objectsIn(fields).map((path) =>
    print(fields, isOpen(path) ? [MISSPELT] : ['// @ts-expect-error', MISSPELT], path),
  );
  return [print(fields), ...misspelt].map((body) => `take<${type}>(${body});`);
};

/**
 * A program that compiles if the request types of a generated client are right. They must accept every example, and reject a
 * misspelt field in each object whose fields are listed. `typeOf` returns the type of a request in the client. Without it the program only
 * imports the client.
 */
export const typedRequests = (client: string, typeOf?: (name: string) => string): string => {
  const calls = typeOf ? BODIES.flatMap((body) => callsOf(body, typeOf(`${pascal(body.endpoint.id)}Request`))) : [];
  return `import type * as generated from '${client}';
export type Generated = typeof generated;
declare const take: <T>(body: T) => void;
${calls.join('\n')}
`;
};
