import type { Endpoint } from '../../src/contract/define.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { pascal } from '../../src/contract/openapi/parts.ts';
import { cardFields } from '../sandbox/money.ts';

type Fields = Readonly<Record<string, unknown>>;
type Body = { readonly endpoint: Endpoint; readonly fields: Fields };

/** Fields whose inner fields the service's document does not show: any may be there. */
const UNSHOWN = ['order_items', 'subscription_payment_config', 'card'];

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const PHONE = { country_code: '55', area_code: '11', number: '912345678' };

/** The example of each endpoint that has a body, and a card for the fields that no example has. */
const BODIES: readonly Body[] = ENDPOINTS.filter(({ body }) => body).flatMap((endpoint) => {
  const entries = Object.entries(endpoint.example).filter(([name]) => name in (endpoint.body ?? {}));
  const fields = Object.fromEntries(entries);
  const card = { ...fields, ...cardFields({ card_token: 't' }, { payer_phone: PHONE }) };
  return [{ endpoint, fields }, ...(endpoint.id === 'pay.transaction' ? [{ endpoint, fields: card }] : [])];
});

/** Paths of all objects in a value whose fields the document lists. */
const objectsIn = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => {
  if (!isObject(value)) return [];
  const shown = Object.entries(value).filter(([name]) => !UNSHOWN.includes(name));
  const inner = shown.flatMap(([name, one]) => objectsIn(one, [...path, name]));
  return Array.isArray(value) ? inner : [path, ...inner];
};

/** A value as TypeScript, with some lines more in the object at a path. */
const print = (value: unknown, more: readonly string[] = [], at?: readonly string[]): string => {
  if (!isObject(value)) return JSON.stringify(value);
  const [first, ...rest] = at ?? [];
  const inner = Object.entries(value).map(([name, one]) => {
    const printed = print(one, more, name === first ? rest : undefined);
    return Array.isArray(value) ? `${printed},` : `${name}: ${printed},`;
  });
  const lines = [...inner, ...(at && first === undefined ? more : [])].join('\n');
  return Array.isArray(value) ? `[\n${lines}\n]` : `{\n${lines}\n}`;
};

const MISSPELT = "misspelt_field: 'x',";

/** Calls that compile: the body itself, and for each of its objects the body with an error where the field is misspelt. */
const callsOf = ({ endpoint, fields }: Body, type: string): readonly string[] => {
  const isOpen = (path: readonly string[]) => endpoint.unshownInput === true && path.length === 0;
  const wrong = objectsIn(fields).map((path) =>
    print(fields, isOpen(path) ? [MISSPELT] : ['// @ts-expect-error', MISSPELT], path),
  );
  return [print(fields), ...wrong].map((body) => `take<${type}>(${body});`);
};

/**
 * A program that compiles when the request types of a generated client take every example and reject a misspelt field in
 * any object whose fields are listed. `typeOf` names the type of a component in the client; without it the client alone is
 * compiled.
 */
export const typedRequests = (client: string, typeOf?: (name: string) => string): string => {
  const calls = typeOf ? BODIES.flatMap((body) => callsOf(body, typeOf(`${pascal(body.endpoint.id)}Request`))) : [];
  return `import type * as made from '${client}';
export type Made = typeof made;
declare const take: <T>(body: T) => void;
${calls.join('\n')}
`;
};
