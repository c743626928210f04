import { describe, expect, it } from 'vitest';
import { fieldsOf, validate } from '../../src/contract/define.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { register } from '../../src/contract/pay/register.ts';
import { transaction } from '../../src/contract/pay/transaction.ts';
import { parseJson } from '../../src/core/json.ts';
import { problemsOf } from './cases.ts';

/** Values that careless validation fails on, parsed from JSON as the program receives input. */
const HOSTILE = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1e999',
  '1.10',
  '123456789012345678901234567890',
  '""',
  '"text"',
  '"\\u0000"',
  '"\\ud800"',
  '[]',
  '[[]]',
  '[null]',
  '[1,"a",{}]',
  '{}',
  '{"a":{"b":{"c":[{}]}}}',
  '{"toString":1,"valueOf":2}',
  '{"length":-1}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{}}}',
  '[{"receiver_percent":{"toString":null}}]',
  '[{"receiver_percent":1e9999}]',
  `[{"receiver_wallet":"w","receiver_percent":0.${'1'.repeat(5000)}}]`,
  '{"card_token":{},"card":[],"address":"x"}',
  '{"card_token":"t","address":{"city":["x"]}}',
  '{"then":"x"}',
  '{"isLosslessNumber":true}',
].map((json) => [json.slice(0, 60), parseJson(json)] as const);

describe.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))(
  'validating the input of %s',
  (_, endpoint) => {
    const names = [...new Set([...Object.keys(fieldsOf(endpoint)), ...Object.keys(endpoint.example)])];

    it.each(HOSTILE)('reports only its own fields with %s in every field', (_json, value) => {
      const problems = problemsOf(endpoint, Object.fromEntries(names.map((name) => [name, value])));
      for (const { field } of problems) expect([...names, 'body']).toContain(field.split('.')[0]);
    });

    it.each(HOSTILE)('reports each problem once, with a declared status, for %s in one field', (_json, value) => {
      for (const name of names) {
        const problems = problemsOf(endpoint, { ...endpoint.example, [name]: value });
        expect(new Set(problems.map(({ field }) => field)).size).toBe(problems.length);
        for (const { field, message, status } of problems) {
          expect(field).toMatch(/^[\w.]+$/);
          expect(message).toMatch(/^\S/);
          expect(endpoint.errors).toHaveProperty(status ?? 'none');
        }
      }
    });

    it.each(HOSTILE)('rejects %s as the whole input unless it is an object', (json, value) => {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && json.startsWith('{');
      const problems = problemsOf(endpoint, value);
      if (!isObject)
        expect(problems).toEqual([{ field: 'body', message: 'must be an object', status: endpoint.invalid }]);
    });
  },
);

describe('validate', () => {
  it('reports each wrong field by its path', () => {
    const problems = problemsOf(register, {
      ...register.example,
      tenant_data: [],
      payment_method_allowed: { crypto: 1 },
      split_payment_config: [{ receiver_wallet: '', receiver_percent: 100 }, null],
    });
    expect(problems.map(({ field }) => field)).toEqual([
      'tenant_data',
      'payment_method_allowed.crypto',
      'split_payment_config.0.receiver_wallet',
      'split_payment_config.1',
    ]);
  });

  it('reads __proto__ as an ordinary field and changes no prototype', () => {
    const input = parseJson('{"__proto__":{"polluted":true},"payment_method_allowed":{"__proto__":{"crypto":true}}}');
    const problems = problemsOf(register, input);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(problems.map(({ field }) => field)).toContain('executor_id');
  });

  it('reads no payment method from __proto__', () => {
    const input = { ...register.example, payment_method_allowed: parseJson('{"__proto__":{"crypto":true}}') };
    expect(problemsOf(register, input).map(({ field }) => field)).toEqual(['payment_method_allowed']);
  });

  it('keeps unknown fields and every digit of their numbers', () => {
    const result = validate(transaction, { ...transaction.example, extra: parseJson('{"a":1.10}') });
    expect(result.ok && String((result.input['extra'] as { a: unknown }).a)).toBe('1.10');
  });

  it('does not change its input object', () => {
    const input = Object.freeze({ ...transaction.example, payer_email: 'A@B.example' });
    const result = validate(transaction, input);
    expect(result).toMatchObject({ ok: true, input: { payer_email: 'a@b.example' } });
    expect(input.payer_email).toBe('A@B.example');
  });

  // A search for each problem among all others would take longer than a test may.
  it('reports 100,000 problems of a list', () => {
    const problems = problemsOf(register, { ...register.example, split_payment_config: new Array(100_000).fill(0) });
    expect(problems).toHaveLength(100_000);
  });
});
