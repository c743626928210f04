import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/contract/define.ts';
import { create } from '../../../src/contract/order/create.ts';
import { list } from '../../../src/contract/order/list.ts';
import { toggle } from '../../../src/contract/order/toggle.ts';
import { update } from '../../../src/contract/order/update.ts';
import { parseJson } from '../../../src/core/json.ts';
import { holds } from '../cases.ts';

const { payment_method_allowed: _, split_payment_config: __, ...MIN } = create.example;
const NONE = { crypto: false };

holds(create, MIN, [
  { when: 'takes the required fields alone', given: {} },
  { when: 'takes fields that the document does not name', given: { title: 'Coffee', nested: { a: [1] } } },
  {
    when: 'names what is missing',
    given: { amount_from: undefined, on_ramp: undefined, gateway_method: undefined },
    wrong: { amount_from: 'required', on_ramp: 'required', gateway_method: 'required' },
  },
  {
    when: 'refuses methods that are all off',
    given: { payment_method_allowed: NONE },
    wrong: { payment_method_allowed: 'at least one must be true' },
  },
  {
    when: 'refuses a split that does not sum',
    given: { split_payment_config: [{ receiver_wallet: '0x1', receiver_percent: 99 }] },
    wrong: { split_payment_config: 'percentages sum to 99, not to 100' },
  },
  {
    when: 'refuses Pix on an on-ramp',
    given: { on_ramp: true, payment_method_allowed: { pixcrypto: true } },
    wrong: { on_ramp: /Pix/ },
  },
  {
    when: 'refuses another gateway method',
    given: { gateway_method: 'monthly' },
    wrong: { gateway_method: /one of direct, subs/ },
  },
  { when: 'refuses items that are no list', given: { order_items: {} }, wrong: { order_items: 'must be a list' } },
  {
    when: 'refuses an item that is no object',
    given: { order_items: [1] },
    wrong: { 'order_items.0': 'must be an object' },
  },
  {
    when: 'refuses a subscription that is a list',
    given: { subscription_payment_config: [] },
    wrong: { subscription_payment_config: 'must be an object' },
  },
]);

const ID = { order_id: 'cmb1x2y3z0000abcd1234efgh' };

holds(update, ID, [
  { when: 'takes one field', given: { amount_from: '3' } },
  { when: 'takes a field that the document does not name', given: { title: 'Tea' } },
  {
    when: 'takes a part of a split entry: it is merged by index',
    given: { split_payment_config: [{ receiver_percent: 60 }, {}] },
  },
  { when: 'takes null in a field that it does not know', given: { title: null } },
  { when: 'refuses no field at all', given: {}, wrong: { body: /at least one field/ }, status: 'no_fields_to_update' },
  {
    when: 'refuses fields that are all undefined',
    given: { amount_from: undefined },
    wrong: { body: /at least one field/ },
    status: 'no_fields_to_update',
  },
  { when: 'refuses a bad amount', given: { amount_from: '1,5' }, wrong: { amount_from: /decimal/ } },
  {
    when: 'refuses methods that are all off',
    given: { payment_method_allowed: NONE },
    wrong: { payment_method_allowed: 'at least one must be true' },
  },
  {
    when: 'refuses an empty currency',
    given: { from_currency_symbol: '' },
    wrong: { from_currency_symbol: 'must not be empty' },
  },
  {
    when: 'refuses an id that leads elsewhere',
    given: { order_id: '..', amount_from: '1' },
    wrong: { order_id: /must not hold/ },
  },
]);

holds(toggle, {}, [
  { when: 'needs an id', given: {}, wrong: { order_id: 'required' } },
  { when: 'refuses an id that leads elsewhere', given: { order_id: 'x/../y' }, wrong: { order_id: /must not hold/ } },
]);

holds(list, {}, [
  { when: 'takes the first page', given: { page: 1, limit: 1 } },
  { when: 'takes a full page', given: { page: 9007199254740991, limit: 100 } },
  { when: 'takes a filter whose name the document does not show', given: { gateway: 'subs' } },
  { when: 'refuses page 0', given: { page: 0 }, wrong: { page: 'must be at least 1' } },
  { when: 'refuses limit 0', given: { limit: 0 }, wrong: { limit: 'must be at least 1' } },
  { when: 'refuses limit 101', given: { limit: 101 }, wrong: { limit: 'must be at most 100' } },
  { when: 'refuses half a page', given: { page: 1.5 }, wrong: { page: 'must be a whole number' } },
  { when: 'refuses a page as text', given: { page: 'two' }, wrong: { page: 'must be a whole number' } },
  {
    when: 'refuses a page beyond what a number holds',
    given: { page: parseJson('90071992547409930') },
    wrong: { page: 'must be a whole number' },
  },
]);

describe('order.list', () => {
  it('asks for page 1 of 20 when nothing is said', () => {
    expect(validate(list, {})).toEqual({ ok: true, input: { page: 1, limit: 20 } });
  });

  it('reads rows with fields that the document does not show, and without optional ones', () => {
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
