import { expect } from 'vitest';
import { type Endpoint, validate } from '../../src/contract/define.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { openApi } from '../../src/contract/openapi/document.ts';
import { pascal } from '../../src/contract/openapi/parts.ts';
import { SERVICE_API } from '../../src/contract/openapi/service.ts';
import { cardFields } from '../sandbox/money.ts';
import { judged, loadJudge } from './tools.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The value of `application/json` in an OpenAPI document. */
type Media = {
  readonly schema: unknown;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
};

/** A schema of a body in the document, its examples by name, and its JSON pointer. */
type BodySchema = {
  readonly pointer: string;
  readonly schema: unknown;
  readonly examples: readonly (readonly [string, unknown])[];
};

/** A key as a part of a JSON pointer in a URL. */
const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

const ODD_VALUES = [
  undefined,
  null,
  '',
  'x',
  '1.5',
  '0x0',
  0,
  1,
  101,
  true,
  false,
  [],
  {},
  ['x'],
  'https://a.example',
  'a@b.co',
];

/** The example of an endpoint, with an odd value in one field and with another field left out. */
const variants = ({ example, body = {} }: Endpoint): readonly Fields[] => {
  const names = Object.keys(body);
  const one = names.flatMap((name) => ODD_VALUES.map((value) => ({ ...example, [name]: value })));
  return [example, ...one, ...one.flatMap((fields) => names.map((name) => ({ ...fields, [name]: undefined })))];
};

/** Inputs for rules between fields: each breaks one rule, or meets it at its limit. */
const CROSS_FIELD_INPUTS: Readonly<Record<string, readonly Fields[]>> = {
  'pay.register': [
    { payment_method_allowed: { crypto: false } },
    { on_ramp: true, payment_method_allowed: { pixcrypto: true } },
  ],
  'pay.transaction': [
    ...['pixcrypto', 'fiatcrypto', 'cardcrypto', 'cardfiat'].map((transaction_type) => ({ transaction_type })),
    ...[{ card_token: 't' }, { card: {} }, { card: {}, card_token: 't' }, {}].map((card) => cardFields(card)),
    cardFields({ card_token: 't' }, { payer_ip: undefined }),
  ],
  'order.update': [{ amount_from: undefined }],
};

const document = openApi(SERVICE_API, { version: '1' });

/** Ajv with all formats of JSON Schema, and with the OpenAPI document as the schema `document`. */
const loadAjv = async () => {
  const [{ Ajv2020 }, { default: formats }] = await Promise.all([
    loadJudge('ajv/dist/2020.js'),
    loadJudge('ajv-formats/dist/index.js'),
  ]);
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  return ajv.addSchema(document, 'document');
};

/** The schemas of all bodies in a part of the document. */
const bodiesIn = (part: unknown, path: readonly string[] = []): readonly BodySchema[] => {
  if (typeof part !== 'object' || part === null) return [];
  const { schema, example, examples } = part as Media;
  if (path.at(-2) !== 'content') return Object.entries(part).flatMap(([name, one]) => bodiesIn(one, [...path, name]));
  const named = Object.entries(examples ?? {}).map(([name, { value }]) => [name, value] as const);
  const all = example === undefined ? named : [['example', example] as const, ...named];
  return [{ pointer: [...path, 'schema'].map(escaped).join('/'), schema, examples: all }];
};

/** Messages of the problems that JSON Schema cannot express. */
const NOT_IN_SCHEMA = /sum to|multiple of 4|same as provider|NUL/;

judged('the schemas of the document and the contract accept and reject the same request bodies', async () => {
  const ajv = await loadAjv();
  const differences: unknown[] = [];
  let rejected = 0;
  for (const endpoint of ENDPOINTS.filter(({ body }) => body)) {
    const isValid = ajv.getSchema(`document#/components/schemas/${pascal(endpoint.id)}Request`);
    const more = (CROSS_FIELD_INPUTS[endpoint.id] ?? []).map((fields) => ({ ...endpoint.example, ...fields }));
    for (const input of [...variants(endpoint), ...more]) {
      const params = Object.fromEntries(Object.keys(endpoint.params ?? {}).map((name) => [name, 'x']));
      const fields = Object.entries(input).filter(([name, value]) => !(name in params) && value !== undefined);
      const body = Object.fromEntries(fields);
      const result = validate(endpoint, { ...body, ...params });
      const isBeyondSchema = !result.ok && result.problems.every(({ message }) => NOT_IN_SCHEMA.test(message));
      if (!result.ok) rejected += 1;
      if (isValid(body) !== (result.ok || isBeyondSchema))
        differences.push([endpoint.id, body, result, isValid.errors]);
    }
  }
  expect(differences.slice(0, 3)).toEqual([]);
  expect(rejected).toBeGreaterThan(500);
});

judged('every request and response in the document has examples, and each matches its schema and formats', async () => {
  const ajv = await loadAjv();
  const bodies = bodiesIn(document);
  expect(bodies.length).toBeGreaterThan(60);
  expect(bodies.filter(({ examples }) => examples.length === 0)).toEqual([]);
  const invalid = bodies.flatMap(({ pointer, examples }) => {
    const isValid = ajv.getSchema(`document#/${pointer}`);
    return examples.filter(([, value]) => !isValid(value)).map(([name]) => [pointer, name, isValid.errors]);
  });
  expect(invalid).toEqual([]);
});
