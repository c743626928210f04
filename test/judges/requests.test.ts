import { expect } from 'vitest';
import type { Endpoint } from '../../src/contract/define.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { openApi } from '../../src/contract/openapi/document.ts';
import { pascal } from '../../src/contract/openapi/names.ts';
import { validate } from '../../src/contract/validate.ts';
import { cardFields } from '../sandbox/money.ts';
import { judged, loadJudge } from './tools.ts';

type Fields = Readonly<Record<string, unknown>>;

const ODD = [
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

/** The example of an endpoint with one or two of its fields made odd. */
const variants = ({ example, body = {} }: Endpoint): readonly Fields[] => {
  const names = Object.keys(body);
  const one = names.flatMap((name) => ODD.map((value) => ({ ...example, [name]: value })));
  return [example, ...one, ...one.flatMap((fields) => names.map((name) => ({ ...fields, [name]: undefined })))];
};

/** What no single field says: each line breaks one rule, or keeps it at its edge. */
const BETWEEN: Readonly<Record<string, readonly Fields[]>> = {
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

const document = openApi(ENDPOINTS, { version: '1' });

/** Problems that JSON Schema cannot say, by their messages. */
const BEYOND = /sum to|multiple of 4|same as provider|NUL/;

judged(
  'what the document lets pass the service lets pass, and the other way round: fields and rules between them',
  async () => {
    const { Ajv2020 } = await loadJudge('ajv/dist/2020.js');
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(document, 'document');
    const wrong: unknown[] = [];
    let refused = 0;
    for (const endpoint of ENDPOINTS.filter(({ body }) => body)) {
      const isValid = ajv.getSchema(`document#/components/schemas/${pascal(endpoint.id)}Request`);
      const more = (BETWEEN[endpoint.id] ?? []).map((fields) => ({ ...endpoint.example, ...fields }));
      for (const input of [...variants(endpoint), ...more]) {
        const params = Object.fromEntries(Object.keys(endpoint.params ?? {}).map((name) => [name, 'x']));
        const fields = Object.entries(input).filter(([name, value]) => !(name in params) && value !== undefined);
        const body = Object.fromEntries(fields);
        const result = validate(endpoint, { ...body, ...params });
        const isBeyond = !result.ok && result.problems.every(({ message }) => BEYOND.test(message));
        if (!result.ok) refused += 1;
        if (isValid(body) !== (result.ok || isBeyond)) wrong.push([endpoint.id, body, result, isValid.errors]);
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(refused).toBeGreaterThan(500);
  },
);
