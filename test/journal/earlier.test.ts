import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import { findEarlier, findUnsent, type OperationKey } from '../../src/journal/earlier.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { beginOperation, reopenOperation } from '../../src/journal/operation.ts';
import { testIo } from '../support/io.ts';

const RECEIVERS = [
  { wallet: '0xAb11111111111111111111111111111111111111', percent: '70' },
  { wallet: '0x2222222222222222222222222222222222222222', percent: '30' },
];
const INTENT = { amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', receivers: RECEIVERS, payer: '0xAA' };
const DEPLOYMENT = { kind: 'live', baseUrl: 'https://pay.example' } as const;

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 15, 9, 30);

/** Starts a payment, and returns an Io whose clock is this much later. */
const startPayment = async (
  laterMs: number,
  { key, events = [] }: { key?: string; events?: readonly OperationEvent[] } = {},
) => {
  const self = { pid: process.pid, host: hostname(), node: process.execPath, program: '', env: {} };
  const { io } = await testIo({ io: { processes: systemProcesses(self, process.kill.bind(process)) } });
  const at = (now: number): Io => ({ ...io, clock: { ...io.clock, now: () => now } });
  const beginning = { profile: 'main', ...DEPLOYMENT, intent: INTENT, intent_key: key };
  const operation = await beginOperation(at(START), beginning);
  for (const event of events) await operation.record(event);
  await operation.close();
  return { io: at(START + laterMs), id: operation.id };
};

const findId = async (io: Io, more: Partial<OperationKey> = {}) =>
  (await findEarlier(io, { deployment: DEPLOYMENT, intent: INTENT, key: undefined, ...more }))?.id;

describe('an earlier payment with the same intent', () => {
  const ENDED: OperationEvent = { step: 'ended', payment_id: 'pay_1', status: 'success', tid_hash: undefined };

  it('that was made is found for 24 hours, and not longer', async () => {
    const young = await startPayment(DAY_MS - 1, { events: [ENDED] });
    expect(await findId(young.io)).toBe(young.id);
    const old = await startPayment(DAY_MS + 1, { events: [ENDED] });
    expect(await findId(old.io)).toBeUndefined();
  });

  it('that a resume made a day after its start is found for 24 hours after the resume', async () => {
    const { io, id } = await startPayment(DAY_MS + 1);
    const { operation } = await reopenOperation(io, id);
    await operation.record(ENDED);
    await operation.close();
    const later = (milliseconds: number): Io => ({
      ...io,
      clock: { ...io.clock, now: () => io.clock.now() + milliseconds },
    });
    expect(await findId(later(DAY_MS - 1))).toBe(id);
    expect(await findId(later(DAY_MS + 1))).toBeUndefined();
  });

  it('that the service accepted is found before one that was made later, while its end is not recorded', async () => {
    const events: readonly OperationEvent[] = [
      { step: 'signed', part: 1, payment_id: 'pay_1', signed_transaction: '0x', hash: '0x1', from: '0xAA' },
      { step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash: '0x1' },
      { step: 'executed', payment_id: 'pay_1', status: 'payment_received', hash: '0x1' },
    ];
    const { io, id } = await startPayment(1000, { events });
    const later = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, intent_key: 'two' });
    await later.record(ENDED);
    await later.close();
    expect(await findId(io)).toBe(id);
  });

  it('that ended in error after its transaction landed is found behind one from before the clock was set back', async () => {
    const { io, id: made } = await startPayment(-DAY_MS, { events: [ENDED] });
    const later = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, intent_key: undefined });
    expect(later.id < made, 'the newer one has the older name').toBe(true);
    for (const event of [
      { step: 'signed', part: 1, payment_id: 'pay_2', signed_transaction: '0x', hash: '0x2', from: '0xAA' },
      { step: 'sending', part: 1, via: 'service', payment_id: 'pay_2', hash: '0x2' },
      { step: 'landed', part: 1, hash: '0x2' },
      { step: 'ended', payment_id: 'pay_2', status: 'error', tid_hash: '0x2', shown_by: 'node' },
    ] satisfies readonly OperationEvent[])
      await later.record(event);
    await later.close();
    expect(await findId(io)).toBe(later.id);
  });

  it('that is unfinished is found until it ends, because "resume --all" would make both payments', async () => {
    const { io, id } = await startPayment(400 * DAY_MS);
    expect(await findId(io)).toBe(id);
    const request = { deployment: DEPLOYMENT, intent: INTENT, key: undefined };
    expect((await findUnsent(io, request)).map((state) => state.id)).toEqual([id]);
  });

  it('in doubt is found before one that was made later, and cannot be superseded', async () => {
    const events: readonly OperationEvent[] = [
      { step: 'signed', part: 1, payment_id: 'pay_1', signed_transaction: '0x', hash: '0x1', from: '0xAA' },
      { step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash: '0x1' },
    ];
    const { io, id } = await startPayment(1000, { events });
    const later = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, intent_key: 'two' });
    await later.record(ENDED);
    await later.close();
    expect(await findId(io)).toBe(id);
    expect(await findUnsent(io, { deployment: DEPLOYMENT, intent: INTENT, key: undefined })).toEqual([]);
  });

  it('that the service accepted, and whose end is not recorded, is found for 24 hours', async () => {
    const events: readonly OperationEvent[] = [
      { step: 'signed', part: 1, payment_id: 'pay_1', signed_transaction: '0x', hash: '0x1', from: '0xAA' },
      { step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash: '0x1' },
      { step: 'executed', payment_id: 'pay_1', status: 'payment_received', hash: '0x1' },
    ];
    const young = await startPayment(DAY_MS - 1, { events });
    expect(await findId(young.io)).toBe(young.id);
    expect(await findId((await startPayment(DAY_MS + 1, { events })).io)).toBeUndefined();
  });

  it('with an idempotency key cannot be superseded by a payment without a key', async () => {
    const { io } = await startPayment(1000, { key: 'rent' });
    expect(await findUnsent(io, { deployment: DEPLOYMENT, intent: INTENT, key: undefined })).toEqual([]);
  });

  it('by Pix, shown to its payer, is not found after 24 hours', async () => {
    const pix = { code: 'c', txid: 't', amount: '10', expires_at: '2026-01-15T10:30:00Z' };
    const { io } = await startPayment(2 * DAY_MS, { events: [{ step: 'payable', payment_id: 'pay_1', ...pix }] });
    expect(await findId(io)).toBeUndefined();
  });

  it('with an idempotency key is always found by that key, and not by another key', async () => {
    const { io, id } = await startPayment(400 * DAY_MS, { key: 'rent' });
    expect(await findId(io, { key: 'rent' })).toBe(id);
    expect(await findId(io, { key: 'rent of June' })).toBeUndefined();
  });

  it('is found for other spellings of amount, token and wallets, and receivers in another order', async () => {
    const { io, id } = await startPayment(1000);
    const [first, second] = RECEIVERS.map(({ wallet, percent }) => ({
      wallet: wallet.toLowerCase(),
      percent: `${percent}.0`,
    }));
    const written = { ...INTENT, amount: '10.00', currency: 'usdt', receivers: [second, first] } as typeof INTENT;
    expect(await findId(io, { intent: written })).toBe(id);
  });

  it.each([
    ['another amount', { intent: { ...INTENT, amount: '10.01' } }],
    ['another payer', { intent: { ...INTENT, payer: '0xBB' } }],
    [
      'other shares',
      { intent: { ...INTENT, receivers: [...RECEIVERS].map(({ wallet }) => ({ wallet, percent: '50' })) } },
    ],
    ['another deployment', { deployment: { ...DEPLOYMENT, baseUrl: 'https://other.example' } }],
    ['the sandbox', { deployment: { ...DEPLOYMENT, kind: 'sandbox' as const } }],
  ])('is not found for %s', async (_, more) => {
    const { io } = await startPayment(1000);
    expect(await findId(io, more)).toBeUndefined();
  });

  it('that was refused and sent nothing is not found', async () => {
    const refused: OperationEvent = { step: 'refused', payment_id: 'pay_1', message: 'no', checks: [] };
    const { io } = await startPayment(1000, { events: [refused] });
    expect(await findId(io)).toBeUndefined();
  });
});
