import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/contract/define.ts';
import { create } from '../../../src/contract/order/create.ts';
import { list } from '../../../src/contract/order/list.ts';
import { toggle } from '../../../src/contract/order/toggle.ts';
import { update } from '../../../src/contract/order/update.ts';
import { parseJson } from '../../../src/core/json.ts';
import { testInputs } from '../cases.ts';

const { payment_method_allowed: _, split_payment_config: __, ...MIN } = create.example;
const NONE = { crypto: false };

testInputs(create, MIN, [
  { title: 'accepts only the required fields', changes: {} },
  { title: 'accepts fields that the document does not name', changes: { title: 'Coffee', nested: { a: [1] } } },
  {
    title: 'names every missing field',
    changes: { amount_from: undefined, on_ramp: undefined, gateway_method: undefined },
    problems: { amount_from: 'required', on_ramp: 'required', gateway_method: 'required' },
  },
  {
    title: 'rejects methods that are all off',
    changes: { payment_method_allowed: NONE },
    problems: { payment_method_allowed: 'at least one must be true' },
  },
  {
    title: 'rejects a split whose percentages do not sum to 100',
    changes: { split_payment_config: [{ receiver_wallet: '0x1', receiver_percent: 99 }] },
    problems: { split_payment_config: 'percentages sum to 99, not to 100' },
  },
  {
    title: 'rejects Pix on an on-ramp',
    changes: { on_ramp: true, payment_method_allowed: { pixcrypto: true } },
    problems: { on_ramp: /Pix/ },
  },
  {
    title: 'rejects an unknown gateway method',
    changes: { gateway_method: 'monthly' },
    problems: { gateway_method: /one of direct, subs/ },
  },
  {
    title: 'rejects order_items that are not a list',
    changes: { order_items: {} },
    problems: { order_items: 'must be a list' },
  },
  {
    title: 'rejects an item that is not an object',
    changes: { order_items: [1] },
    problems: { 'order_items.0': 'must be an object' },
  },
  {
    title: 'rejects a subscription that is a list',
    changes: { subscription_payment_config: [] },
    problems: { subscription_payment_config: 'must be an object' },
  },
]);

const ID = { order_id: 'cmb1x2y3z0000abcd1234efgh' };

testInputs(update, ID, [
  { title: 'accepts one field', changes: { amount_from: '3' } },
  { title: 'accepts a field that the document does not name', changes: { title: 'Tea' } },
  {
    title: 'accepts an incomplete split entry, because the service merges entries by index',
    changes: { split_payment_config: [{ receiver_percent: 60 }, {}] },
  },
  { title: 'accepts null in an unknown field', changes: { title: null } },
  {
    title: 'rejects an update without fields',
    changes: {},
    problems: { body: /at least one field/ },
    status: 'no_fields_to_update',
  },
  {
    title: 'rejects fields that are all undefined',
    changes: { amount_from: undefined },
    problems: { body: /at least one field/ },
    status: 'no_fields_to_update',
  },
  {
    title: 'rejects an amount that is not a decimal',
    changes: { amount_from: '1,5' },
    problems: { amount_from: /decimal/ },
  },
  {
    title: 'rejects methods that are all off',
    changes: { payment_method_allowed: NONE },
    problems: { payment_method_allowed: 'at least one must be true' },
  },
  {
    title: 'rejects an empty currency',
    changes: { from_currency_symbol: '' },
    problems: { from_currency_symbol: 'must not be empty' },
  },
  {
    title: 'rejects an id that points to another path',
    changes: { order_id: '..', amount_from: '1' },
    problems: { order_id: /must not hold/ },
  },
]);

testInputs(toggle, {}, [
  { title: 'requires an id', changes: {}, problems: { order_id: 'required' } },
  {
    title: 'rejects an id that points to another path',
    changes: { order_id: 'x/../y' },
    problems: { order_id: /must not hold/ },
  },
]);

testInputs(list, {}, [
  { title: 'accepts the first page', changes: { page: 1, limit: 1 } },
  { title: 'accepts a full page', changes: { page: 9007199254740991, limit: 100 } },
  { title: 'accepts a filter whose name the document does not show', changes: { gateway: 'subs' } },
  { title: 'rejects page 0', changes: { page: 0 }, problems: { page: 'must be at least 1' } },
  { title: 'rejects limit 0', changes: { limit: 0 }, problems: { limit: 'must be at least 1' } },
  { title: 'rejects limit 101', changes: { limit: 101 }, problems: { limit: 'must be at most 100' } },
  {
    title: 'rejects a page that is not a whole number',
    changes: { page: 1.5 },
    problems: { page: 'must be a whole number' },
  },
  { title: 'rejects a page as text', changes: { page: 'two' }, problems: { page: 'must be a whole number' } },
  {
    title: 'rejects a page that a JavaScript number cannot hold',
    changes: { page: parseJson('90071992547409930') },
    problems: { page: 'must be a whole number' },
  },
]);

describe('order.list', () => {
  it('defaults to page 1 with a limit of 20', () => {
    expect(validate(list, {})).toEqual({ ok: true, input: { page: 1, limit: 20 } });
  });

  it('accepts orders with undocumented fields, without optional fields and with null fields', () => {
    const row = { id: 'o1', active: true, ...MIN, created_at: 'x' };
    const pagination = { total: 1, page: 1, limit: 20, total_pages: 1 };
    const page = list.success.orders_listed.data;
    expect(page.parse({ orders: [row], pagination }).orders[0]).toEqual(row);
    expect(
      page.safeParse({ orders: [{ ...row, payment_method_allowed: null, order_items: null }], pagination }).success,
    ).toBe(true);
    expect(page.safeParse({ orders: [], pagination }).success).toBe(true);
    expect(page.safeParse({ orders: {}, pagination }).success).toBe(false);
  });
});
