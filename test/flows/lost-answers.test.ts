import { describe, expect, it } from 'vitest';
import { create } from '../../src/contract/order/create.ts';
import { nextStep } from '../../src/core/next.ts';
import { createOrder, setOrder, toggleOrder, updateOrder } from '../../src/flows/order/write.ts';
import { createOnce } from '../../src/flows/pay/prepare.ts';
import { failureIn, patientClient } from '../client/client.ts';
import { CARD_ADDRESS } from '../support/card-address.ts';
import { envelope, type Received, type Responder, startServer } from '../support/server.ts';

/** One call: answered, lost before or after its effect, performed only when the next call comes, or answered by HTML. */
type Delivery = 'answered' | 'lost_before' | 'lost_after' | 'late' | 'html';

const drop: Responder = (_, response) => void response.socket?.destroy();

const html: Responder = (_, response) =>
  void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');

/** A service that performs each call once, and loses answers. */
const startLossyService = async (
  deliveries: readonly Delivery[],
  isWrite: (received: Received) => boolean,
  perform: Responder,
  read: Responder,
) => {
  const remaining = [...deliveries];
  const silent = { writeHead: () => silent, end: () => silent } as never;
  let late: Received | undefined;
  const { url, received } = await startServer(async (request, response) => {
    if (!isWrite(request)) return read(request, response);
    if (late) await perform(late, silent);
    late = undefined;
    const delivery = remaining.shift() ?? 'answered';
    if (delivery === 'answered') return perform(request, response);
    if (delivery === 'lost_after' || delivery === 'html') await perform(request, silent);
    if (delivery === 'late') late = request;
    return (delivery === 'html' ? html : drop)(request, response);
  });
  return { url, writes: () => received.filter(isWrite).length };
};

const page = (orders: readonly object[], more = {}): Responder =>
  envelope(200, 'orders_listed', {
    data: { orders, pagination: { total: orders.length, page: 1, limit: 100, total_pages: 1 }, ...more },
  });

const isToggle = ({ path }: Received) => path.endsWith('/toggle');

const toggling = async (deliveries: readonly Delivery[], active: boolean, target?: boolean) => {
  const order = { id: 'order_1', active };
  const perform: Responder = (received, response) => {
    order.active = !order.active;
    const status = order.active ? 'order_activated' : 'order_deactivated';
    return envelope(200, status, { data: { ...order } })(received, response);
  };
  const { url, writes } = await startLossyService(deliveries, isToggle, perform, (request, response) =>
    page([{ id: 'x', active: true }, order])(request, response),
  );
  const { client } = await patientClient(url, 60_000);
  const notices: string[] = [];
  const notify = async (line: string) => void notices.push(line);
  const work =
    target === undefined
      ? toggleOrder(client, { order_id: 'order_1' }, notify)
      : setOrder(client, 'order_1', target, notify).then(({ result }) => result);
  return { work, order, writes, notices };
};

describe.each([true, false])('the toggle of an order with active: %s', (active) => {
  it.each<readonly [readonly Delivery[], number]>([
    [['answered'], 1],
    [['lost_after'], 1],
    [['html'], 1],
    [['lost_before'], 2],
    [['lost_before', 'lost_after'], 2],
    [['lost_before', 'lost_before'], 3],
    [['late'], 3],
    [['late', 'lost_after'], 3],
  ])('with deliveries %j switches the order in %i calls, and reports a lost answer', async (deliveries, calls) => {
    const { work, order, writes, notices } = await toggling(deliveries, active);
    const { data, status } = await work;
    expect({ active: order.active, data, status, calls: writes() }).toMatchObject({
      active: !active,
      data: { id: 'order_1', active: !active },
      status: active ? 'order_deactivated' : 'order_activated',
      calls,
    });
    expect(notices.length > 0).toBe(deliveries[0] !== 'answered');
  });

  it('fails after three lost calls, and the hint names the state of the order', async () => {
    const { work, order, writes } = await toggling(
      ['lost_before', 'lost_before', 'lost_before', 'lost_before'],
      active,
    );
    const { details } = await failureIn(work);
    expect({ active: order.active, calls: writes() }).toEqual({ active, calls: 3 });
    expect(details.hint).toContain(active ? 'still active' : 'still inactive');
  });
});

describe.each([true, false])('an order that is set to active: %s', (target) => {
  it.each<readonly [readonly Delivery[], number]>([
    [['answered'], 1],
    [['lost_after'], 1],
    [['lost_before'], 2],
    [['lost_before', 'lost_after'], 2],
    [['late'], 3],
  ])('with deliveries %j is changed in %i calls', async (deliveries, calls) => {
    const { work, order, writes } = await toggling(deliveries, !target, target);
    expect((await work).data).toMatchObject({ id: 'order_1', active: target });
    expect({ active: order.active, calls: writes() }).toEqual({ active: target, calls });
  });

  it('causes no call when it has that state', async () => {
    const { work, writes } = await toggling([], target, target);
    expect((await work).data).toEqual({ id: 'order_1', active: target });
    expect(writes()).toBe(0);
  });
});

const isWrite = ({ method }: Received) => method !== 'GET';
const silence: Responder = () => undefined;

describe('the creation of an order whose answer was lost', () => {
  const stored = {
    ...create.example,
    id: 'order_9',
    active: true,
    created_at: '2026-11-21T00:00:00Z',
    amount_from: '49.9',
  };

  it('names the order when the list has it, and sends no second creation', async () => {
    const { url, writes } = await startLossyService(
      ['lost_before'],
      isWrite,
      silence,
      page([{ id: 'other', active: true }, stored]),
    );
    const { client } = await patientClient(url);
    const failure = await failureIn(createOrder(client, create.example));
    expect(writes()).toBe(1);
    expect(failure.details.hint).toContain('order_9 (2026-11-21T00:00:00Z)');
    expect(failure.details.hint).not.toContain('other');
  });

  it('reports that the list has no such order', async () => {
    const { url, writes } = await startLossyService(
      ['lost_before'],
      isWrite,
      silence,
      page([{ ...stored, amount_from: '50' }]),
    );
    const { client } = await patientClient(url);
    const failure = await failureIn(createOrder(client, create.example));
    expect(writes()).toBe(1);
    expect(failure.details.hint).toContain('The list has no such order');
  });

  it('reports that the result is unreadable when the list cannot be read', async () => {
    const { url, writes } = await startLossyService(['lost_before'], isWrite, silence, drop);
    const { client } = await patientClient(url);
    const failure = await failureIn(createOrder(client, create.example));
    expect(writes()).toBe(1);
    expect(failure.details.hint).toContain('The result could not be read');
  });
});

describe('the update of an order whose answer was lost', () => {
  const change = { order_id: 'order_1', amount_from: '30', split_payment_config: [{ receiver_percent: 10 }] };
  const row = (amount: string) => ({
    id: 'order_1',
    active: true,
    amount_from: amount,
    split_payment_config: [{ receiver_percent: 10, receiver_wallet: 'w' }],
  });

  it('succeeds when the list shows the change', async () => {
    const { url, writes } = await startLossyService(['lost_before'], isWrite, silence, page([row('30.00')]));
    const { client } = await patientClient(url);
    expect(await updateOrder(client, change)).toMatchObject({
      status: 'order_updated',
      data: { amount_from: '30.00' },
    });
    expect(writes()).toBe(1);
  });

  it('fails as not changed when the list does not show the change', async () => {
    const { url, writes } = await startLossyService(['lost_before'], isWrite, silence, page([row('29')]));
    const { client } = await patientClient(url);
    expect((await failureIn(updateOrder(client, change))).details.hint).toContain('is not changed');
    expect(writes()).toBe(1);
  });
});

describe('the creation of a transaction whose answer was lost', () => {
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
  const paymentWith = (more: object) =>
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
  ])('%s: is sent once, and the hint describes the payment that was read back', async (type, payment, code, hint) => {
    const { url, writes } = await startLossyService(['lost_before'], isWrite, silence, paymentWith(payment));
    const { client } = await patientClient(url);
    const crypto = { payer_wallet: 'w', chain_name: 'polygon', payer_token_symbol: 'USDT', payer_cpf: '52998224725' };
    const input = { ...PAYER, ...crypto, ...(type.startsWith('card') && CARD), transaction_type: type };
    const failure = await failureIn(createOnce(client, input));
    expect({ code: failure.code, calls: writes() }).toEqual({ code, calls: 1 });
    expect(failure.details.hint).toContain(hint);
    expect(failure.details.next).toEqual(nextStep('pay.status', 'pay_1'));
  });

  it('is unknown for a card when the payment cannot be read back', async () => {
    const { url, writes } = await startLossyService(['html'], isWrite, silence, drop);
    const { client } = await patientClient(url);
    const failure = await failureIn(createOnce(client, { ...PAYER, ...CARD, transaction_type: 'cardfiat' }));
    expect({ code: failure.code, calls: writes() }).toEqual({ code: 'outcome_unknown', calls: 1 });
    expect(failure.details.hint).toContain('The card may have been charged.');
  });
});
