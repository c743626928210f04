import { describe, expect, it } from 'vitest';
import { create } from '../../src/contract/order/create.ts';
import { nextStep } from '../../src/core/next.ts';
import { createOrder, setOrder, toggleOrder, updateOrder } from '../../src/flows/order/write.ts';
import { createOnce } from '../../src/flows/pay/prepare.ts';
import { failureIn, patientClient } from '../client/client.ts';
import { CARD_ADDRESS } from '../support/card-address.ts';
import { envelope, type Received, type Responder, startServer } from '../support/server.ts';

/** What becomes of one call: done and answered, lost before or after it was done, or done only when the next comes. */
type Luck = 'fine' | 'before' | 'after' | 'late' | 'html';

const drop: Responder = (_, response) => void response.socket?.destroy();

const html: Responder = (_, response) =>
  void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');

/** A service that does what it is told, once for each call, and loses answers. */
const losing = async (
  lucks: readonly Luck[],
  isWrite: (received: Received) => boolean,
  act: Responder,
  read: Responder,
) => {
  const left = [...lucks];
  const silent = { writeHead: () => silent, end: () => silent } as never;
  let late: Received | undefined;
  const { url, received } = await startServer(async (one, response) => {
    if (!isWrite(one)) return read(one, response);
    if (late) await act(late, silent);
    late = undefined;
    const luck = left.shift() ?? 'fine';
    if (luck === 'fine') return act(one, response);
    if (luck === 'after' || luck === 'html') await act(one, silent);
    if (luck === 'late') late = one;
    return (luck === 'html' ? html : drop)(one, response);
  });
  return { url, writes: () => received.filter(isWrite).length };
};

const page = (orders: readonly object[], more = {}): Responder =>
  envelope(200, 'orders_listed', {
    data: { orders, pagination: { total: orders.length, page: 1, limit: 100, total_pages: 1 }, ...more },
  });

const isToggle = ({ path }: Received) => path.endsWith('/toggle');

const toggling = async (lucks: readonly Luck[], active: boolean, wanted?: boolean) => {
  const order = { id: 'order_1', active };
  const act: Responder = (received, response) => {
    order.active = !order.active;
    const status = order.active ? 'order_activated' : 'order_deactivated';
    return envelope(200, status, { data: { ...order } })(received, response);
  };
  const { url, writes } = await losing(lucks, isToggle, act, (one, response) =>
    page([{ id: 'x', active: true }, order])(one, response),
  );
  const { client } = await patientClient(url, 60_000);
  const told: string[] = [];
  const tell = async (line: string) => void told.push(line);
  const work =
    wanted === undefined
      ? toggleOrder(client, { order_id: 'order_1' }, tell)
      : setOrder(client, 'order_1', wanted, tell).then(({ result }) => result);
  return { work, order, writes, told };
};

describe.each([true, false])('an order that was active: %s, and is switched', (active) => {
  it.each<readonly [readonly Luck[], number]>([
    [['fine'], 1],
    [['after'], 1],
    [['html'], 1],
    [['before'], 2],
    [['before', 'after'], 2],
    [['before', 'before'], 3],
    [['late'], 3],
    [['late', 'after'], 3],
  ])('with answers %j ends switched, after %i calls, and says so', async (lucks, calls) => {
    const { work, order, writes, told } = await toggling(lucks, active);
    const { data, status } = await work;
    expect({ active: order.active, data, status, calls: writes() }).toMatchObject({
      active: !active,
      data: { id: 'order_1', active: !active },
      status: active ? 'order_deactivated' : 'order_activated',
      calls,
    });
    expect(told.length > 0).toBe(lucks[0] !== 'fine');
  });

  it('with answers that are lost for good throws, and says how the order is', async () => {
    const { work, order, writes } = await toggling(['before', 'before', 'before', 'before'], active);
    const { details } = await failureIn(work);
    expect({ active: order.active, calls: writes() }).toEqual({ active, calls: 3 });
    expect(details.hint).toContain(active ? 'still active' : 'still inactive');
  });
});

describe.each([true, false])('an order that is to be active: %s', (wanted) => {
  it.each<readonly [readonly Luck[], number]>([
    [['fine'], 1],
    [['after'], 1],
    [['before'], 2],
    [['before', 'after'], 2],
    [['late'], 3],
  ])('and was not, with answers %j ends so, after %i calls', async (lucks, calls) => {
    const { work, order, writes } = await toggling(lucks, !wanted, wanted);
    expect((await work).data).toMatchObject({ id: 'order_1', active: wanted });
    expect({ active: order.active, calls: writes() }).toEqual({ active: wanted, calls });
  });

  it('and is, is not called at all', async () => {
    const { work, writes } = await toggling([], wanted, wanted);
    expect((await work).data).toEqual({ id: 'order_1', active: wanted });
    expect(writes()).toBe(0);
  });
});

const isWrite = ({ method }: Received) => method !== 'GET';
const silence: Responder = () => undefined;

describe('an order whose creation lost its answer', () => {
  const stored = {
    ...create.example,
    id: 'order_9',
    active: true,
    created_at: '2026-11-21T00:00:00Z',
    amount_from: '49.9',
  };

  it('is named when the list has it, and never created twice', async () => {
    const { url, writes } = await losing(['before'], isWrite, silence, page([{ id: 'other', active: true }, stored]));
    const { client } = await patientClient(url);
    const failure = await failureIn(createOrder(client, create.example));
    expect(writes()).toBe(1);
    expect(failure.details.hint).toContain('order_9 (2026-11-21T00:00:00Z)');
    expect(failure.details.hint).not.toContain('other');
  });

  it('is said to be missing when no order is like it', async () => {
    const { url, writes } = await losing(['before'], isWrite, silence, page([{ ...stored, amount_from: '50' }]));
    const { client } = await patientClient(url);
    const failure = await failureIn(createOrder(client, create.example));
    expect(writes()).toBe(1);
    expect(failure.details.hint).toContain('The list has no such order');
  });

  it('is unclear when the list cannot be read either', async () => {
    const { url, writes } = await losing(['before'], isWrite, silence, drop);
    const { client } = await patientClient(url);
    const failure = await failureIn(createOrder(client, create.example));
    expect(writes()).toBe(1);
    expect(failure.details.hint).toContain('The result could not be read');
  });
});

describe('a change of an order whose answer was lost', () => {
  const change = { order_id: 'order_1', amount_from: '30', split_payment_config: [{ receiver_percent: 10 }] };
  const row = (amount: string) => ({
    id: 'order_1',
    active: true,
    amount_from: amount,
    split_payment_config: [{ receiver_percent: 10, receiver_wallet: 'w' }],
  });

  it('is done when the list shows it', async () => {
    const { url, writes } = await losing(['before'], isWrite, silence, page([row('30.00')]));
    const { client } = await patientClient(url);
    expect(await updateOrder(client, change)).toMatchObject({
      status: 'order_updated',
      data: { amount_from: '30.00' },
    });
    expect(writes()).toBe(1);
  });

  it('is said not to be done when the list does not', async () => {
    const { url, writes } = await losing(['before'], isWrite, silence, page([row('29')]));
    const { client } = await patientClient(url);
    expect((await failureIn(updateOrder(client, change))).details.hint).toContain('is not changed');
    expect(writes()).toBe(1);
  });
});

describe('a transaction whose answer was lost', () => {
  const PAYER = {
    payment_id: 'pay_1',
    payer_email: 'p@example.com',
    payer_name: 'A',
    payer_document: '1',
    payer_document_type: 'CPF',
  };
  const CARD = {
    card_data: { installments: 1, statement_descriptor: 'S', card: { number: '1' }, address: CARD_ADDRESS },
  };
  const shown = (more: object) =>
    envelope(200, 'payment_found', { data: { id: 'pay_1', status: 'processing', ...more } });

  it.each([
    [
      'cardfiat',
      { transaction_type: 'cardfiat', global_payment_data: { status: 'paid' } },
      'outcome_unknown',
      'of type cardfiat, paid',
    ],
    ['cardcrypto', { transaction_type: null }, 'outcome_unknown', 'shows no transaction of type cardcrypto'],
    ['pixcrypto', { transaction_type: 'pixcrypto' }, 'unavailable', 'with a transaction of type pixcrypto'],
    ['crypto', { transaction_type: 'crypto', unsigned_tx: {} }, 'unavailable', 'with a transaction of type crypto'],
  ])('%s: is created at most once, and the payment read back', async (type, payment, code, hint) => {
    const { url, writes } = await losing(['before'], isWrite, silence, shown(payment));
    const { client } = await patientClient(url);
    const crypto = { payer_wallet: 'w', chain_name: 'polygon', payer_token_symbol: 'USDT', payer_cpf: '52998224725' };
    const input = { ...PAYER, ...crypto, ...(type.startsWith('card') && CARD), transaction_type: type };
    const failure = await failureIn(createOnce(client, input));
    expect({ code: failure.code, calls: writes() }).toEqual({ code, calls: 1 });
    expect(failure.details.hint).toContain(hint);
    expect(failure.details.next).toEqual(nextStep('pay.status', 'pay_1'));
  });

  it('of a card that cannot be read back stays unknown', async () => {
    const { url, writes } = await losing(['html'], isWrite, silence, drop);
    const { client } = await patientClient(url);
    const failure = await failureIn(createOnce(client, { ...PAYER, ...CARD, transaction_type: 'cardfiat' }));
    expect({ code: failure.code, calls: writes() }).toEqual({ code: 'outcome_unknown', calls: 1 });
    expect(failure.details.hint).toContain('The card may have been charged.');
  });
});
