import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import { findEarlier, findUnsent } from '../../src/journal/earlier.ts';
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

/** A home in which a payment was begun, and the same home so much later. */
const begunAndThen = async (
  laterMs: number,
  { key, entries = [] }: { key?: string; entries?: readonly OperationEvent[] } = {},
) => {
  const self = { pid: process.pid, host: hostname(), node: process.execPath, program: '', env: {} };
  const { io } = await testIo({ io: { processes: systemProcesses(self, process.kill.bind(process)) } });
  const at = (now: number): Io => ({ ...io, clock: { ...io.clock, now: () => now } });
  const beginning = { profile: 'main', ...DEPLOYMENT, intent: INTENT, intent_key: key };
  const operation = await beginOperation(at(START), beginning);
  for (const entry of entries) await operation.record(entry);
  await operation.close();
  return { io: at(START + laterMs), id: operation.id };
};

const found = async (io: Io, wish: Partial<Parameters<typeof findEarlier>[1]> = {}) =>
  (await findEarlier(io, { deployment: DEPLOYMENT, intent: INTENT, key: undefined, ...wish }))?.id;

describe('the same payment again', () => {
  const ENDED: OperationEvent = { step: 'ended', payment_id: 'pay_1', status: 'success', tid_hash: undefined };

  it('that was made is known for 24 hours, and not a moment longer', async () => {
    const young = await begunAndThen(DAY_MS - 1, { entries: [ENDED] });
    expect(await found(young.io)).toBe(young.id);
    const old = await begunAndThen(DAY_MS + 1, { entries: [ENDED] });
    expect(await found(old.io)).toBeUndefined();
  });

  it('that a resume made a day after its start is known for 24 hours from then', async () => {
    const { io, id } = await begunAndThen(DAY_MS + 1);
    const { operation } = await reopenOperation(io, id);
    await operation.record(ENDED);
    await operation.close();
    const later = (milliseconds: number): Io => ({
      ...io,
      clock: { ...io.clock, now: () => io.clock.now() + milliseconds },
    });
    expect(await found(later(DAY_MS - 1))).toBe(id);
    expect(await found(later(DAY_MS + 1))).toBeUndefined();
  });

  it('that was taken, and whose end nobody has read, comes before one that was made later', async () => {
    const entries: readonly OperationEvent[] = [
      { step: 'signed', part: 1, payment_id: 'pay_1', signed_transaction: '0x', hash: '0x1', from: '0xAA' },
      { step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash: '0x1' },
      { step: 'executed', payment_id: 'pay_1', status: 'payment_received', hash: '0x1' },
    ];
    const { io, id } = await begunAndThen(1000, { entries });
    const later = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, intent_key: 'two' });
    await later.record(ENDED);
    await later.close();
    expect(await found(io)).toBe(id);
  });

  it('that was left unfinished is known until it is over: whoever takes up all that is open would make both', async () => {
    const { io, id } = await begunAndThen(400 * DAY_MS);
    expect(await found(io)).toBe(id);
    const wish = { deployment: DEPLOYMENT, intent: INTENT, key: undefined };
    expect((await findUnsent(io, wish)).map((state) => state.id)).toEqual([id]);
  });

  it('in doubt is told of before one that was made later, and is not set aside', async () => {
    const entries: readonly OperationEvent[] = [
      { step: 'signed', part: 1, payment_id: 'pay_1', signed_transaction: '0x', hash: '0x1', from: '0xAA' },
      { step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash: '0x1' },
    ];
    const { io, id } = await begunAndThen(1000, { entries });
    const later = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, intent_key: 'two' });
    await later.record(ENDED);
    await later.close();
    expect(await found(io)).toBe(id);
    expect(await findUnsent(io, { deployment: DEPLOYMENT, intent: INTENT, key: undefined })).toEqual([]);
  });

  it('that was taken, and whose end nobody has seen, is known for 24 hours: rent is paid each month', async () => {
    const entries: readonly OperationEvent[] = [
      { step: 'signed', part: 1, payment_id: 'pay_1', signed_transaction: '0x', hash: '0x1', from: '0xAA' },
      { step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash: '0x1' },
      { step: 'executed', payment_id: 'pay_1', status: 'payment_received', hash: '0x1' },
    ];
    const young = await begunAndThen(DAY_MS - 1, { entries });
    expect(await found(young.io)).toBe(young.id);
    expect(await found((await begunAndThen(DAY_MS + 1, { entries })).io)).toBeUndefined();
  });

  it('with a name is taken up by whoever named it, and not set aside', async () => {
    const { io } = await begunAndThen(1000, { key: 'rent' });
    expect(await findUnsent(io, { deployment: DEPLOYMENT, intent: INTENT, key: undefined })).toEqual([]);
  });

  it('of a Pix that its payer has is known for 24 hours: nobody else makes it', async () => {
    const pix = { code: 'c', txid: 't', amount: '10', expires_at: '2026-01-15T10:30:00Z' };
    const { io } = await begunAndThen(2 * DAY_MS, { entries: [{ step: 'payable', payment_id: 'pay_1', ...pix }] });
    expect(await found(io)).toBeUndefined();
  });

  it('under a name is the same for ever, and nothing else has that name', async () => {
    const { io, id } = await begunAndThen(400 * DAY_MS, { key: 'rent' });
    expect(await found(io, { key: 'rent' })).toBe(id);
    expect(await found(io, { key: 'rent of June' })).toBeUndefined();
  });

  it('is the same however it is written: digits, letters, and receivers in any order', async () => {
    const { io, id } = await begunAndThen(1000);
    const [first, second] = RECEIVERS.map(({ wallet, percent }) => ({
      wallet: wallet.toLowerCase(),
      percent: `${percent}.0`,
    }));
    const written = { ...INTENT, amount: '10.00', currency: 'usdt', receivers: [second, first] } as typeof INTENT;
    expect(await found(io, { intent: written })).toBe(id);
  });

  it.each([
    ['another sum', { intent: { ...INTENT, amount: '10.01' } }],
    ['another payer', { intent: { ...INTENT, payer: '0xBB' } }],
    ['other shares', { intent: { ...INTENT, receivers: [...RECEIVERS].map((each) => ({ ...each, percent: '50' })) } }],
    ['another deployment', { deployment: { ...DEPLOYMENT, baseUrl: 'https://other.example' } }],
    ['the sandbox', { deployment: { ...DEPLOYMENT, kind: 'sandbox' as const } }],
  ])('is not %s', async (_, wish) => {
    const { io } = await begunAndThen(1000);
    expect(await found(io, wish)).toBeUndefined();
  });

  it('after one that moved nothing and is over is the first', async () => {
    const refused: OperationEvent = { step: 'refused', payment_id: 'pay_1', message: 'no', checks: [] };
    const { io } = await begunAndThen(1000, { entries: [refused] });
    expect(await found(io)).toBeUndefined();
  });
});
