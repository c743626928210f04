import { describe, expect, it } from 'vitest';
import { parseJson, printJson } from '../../src/core/json.ts';
import type { OperationEvent, RecordedEvent } from '../../src/journal/event.ts';
import { eventOf, lineOf, type WireLine } from '../../src/journal/wire.ts';

const AT = '2026-01-01T00:00:00.000Z';
const PAYMENT = { amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', receivers: [], payer: '0x2' };
const FIRST = { v: 2, at: AT, movement: 'm', step: 'begun', kind: 'live', intent: PAYMENT };
const BYTES = { signed_transaction: '0xab', hash: '0xcd', from: '0x2' };
const BUILT = { transactions: ['t'], positions: [{ provider: 'a', position: '1' }] };
const REVIEW = { verdict: 'pass', digest: 'd', allowed: [], moves: [], from: '0x2', kind: 'live' } as const;
const FAILED = { code: 'rejected', status: 'x', is_unknown: false } as const;

const read = (line: unknown): RecordedEvent => eventOf(line as WireLine, FIRST);

/** Each event beside the line that the disk has for it. */
const EVENTS: readonly (readonly [OperationEvent, WireLine])[] = [
  [
    { step: 'started', profile: 'p', kind: 'live', base_url: 'u', intent: PAYMENT, stated: { facts: {} } },
    { step: 'begun', profile: 'p', kind: 'live', base_url: 'u', intent: PAYMENT, stated: { facts: {} } },
  ],
  [
    { step: 'stated', stated: { facts: {} } },
    { step: 'stated', stated: { facts: {} } },
  ],
  [{ step: 'registering' }, { step: 'registering' }],
  [
    { step: 'registered', payment_id: 'p' },
    { step: 'registered', payment_id: 'p' },
  ],
  [
    { step: 'contradicted', payment_id: 'p', by: 'o', fields: ['amount'] },
    { step: 'contradicted', payment_id: 'p', by: 'o', fields: ['amount'] },
  ],
  [
    { step: 'creating', payment_id: 'p' },
    { step: 'creating', payment_id: 'p' },
  ],
  [{ step: 'creating' }, { step: 'building' }],
  [
    { step: 'created', payment_id: 'p', crypto_tx: { family: 'evm' } },
    { step: 'created', payment_id: 'p', crypto_tx: { family: 'evm' } },
  ],
  [
    { step: 'created', built: BUILT },
    { step: 'built', ...BUILT },
  ],
  [
    { step: 'payable', payment_id: 'p', code: 'c', txid: 't', amount: null, expires_at: AT },
    { step: 'payable', payment_id: 'p', code: 'c', txid: 't', amount: null, expires_at: AT },
  ],
  [
    { step: 'withheld', payment_id: 'p' },
    { step: 'withheld', payment_id: 'p' },
  ],
  [
    { step: 'reviewed', ...REVIEW },
    { step: 'reviewed', ...REVIEW },
  ],
  [
    { step: 'refused', payment_id: 'p', message: 'm', checks: [] },
    { step: 'refused', payment_id: 'p', message: 'm', checks: [] },
  ],
  [
    { step: 'signed', payment_id: 'p', part: 1, ...BYTES },
    { step: 'signed', payment_id: 'p', ...BYTES },
  ],
  [
    { step: 'signed', payment_id: '', part: 1, ...BYTES },
    { step: 'signed', payment_id: '', ...BYTES },
  ],
  [
    { step: 'signed', part: 2, ...BYTES },
    { step: 'signed_part', part: 2, ...BYTES },
  ],
  [
    { step: 'sending', payment_id: 'p', part: 1, hash: '0xcd', via: 'service' },
    { step: 'executing', payment_id: 'p', hash: '0xcd' },
  ],
  [
    { step: 'sending', part: 2, hash: 'h', via: 'node' },
    { step: 'broadcasting', part: 2, hash: 'h', via: 'node' },
  ],
  [
    { step: 'executed', payment_id: 'p', status: 's', hash: '0xcd' },
    { step: 'executed', payment_id: 'p', status: 's', hash: '0xcd' },
  ],
  [
    { step: 'landed', part: 1, hash: 'h' },
    { step: 'landed', part: 1, hash: 'h' },
  ],
  [
    { step: 'dead', hash: 'h' },
    { step: 'dead', hash: 'h' },
  ],
  [
    { step: 'failed', ...FAILED, hash: 'h', unsent: true },
    { step: 'failed', ...FAILED, hash: 'h', unsent: true },
  ],
  [
    { step: 'ended', payment_id: 'p', status: 'success', tid_hash: '0xcd' },
    { step: 'ended', payment_id: 'p', status: 'success', tid_hash: '0xcd' },
  ],
  [
    { step: 'superseded', hash: 'h' },
    { step: 'set_aside', hash: 'h' },
  ],
  [
    { step: 'settled', positions: [] },
    { step: 'settled', positions: [] },
  ],
];

describe('an event of the journal', () => {
  it.each(EVENTS.map(([event, line]) => [line['step'], event, line] as const))(
    'is written as step "%s", and read again without a change',
    (_, event, line) => {
      const written = lineOf('m', { ...event, at: AT });
      expect(written).toEqual({ v: 2, at: AT, movement: 'm', ...line });
      expect(read(parseJson(printJson(written)))).toEqual({ ...event, at: AT });
    },
  );

  it('of each step is in the list of this test', () => {
    const steps: Record<OperationEvent['step'], true> = {
      ...{ started: true, stated: true, registering: true, registered: true, contradicted: true, creating: true },
      ...{ created: true, payable: true, withheld: true, reviewed: true, refused: true, signed: true, sending: true },
      ...{ executed: true, landed: true, dead: true, failed: true, ended: true, superseded: true, settled: true },
    };
    expect(new Set(EVENTS.map(([{ step }]) => step))).toEqual(new Set(Object.keys(steps)));
  });
});

describe('a line of version 1', () => {
  const old = (line: WireLine) => read({ v: 1, at: AT, movement: 'm', ...line });

  it('that starts an operation states the facts of its command line, and no facts of an existing payment', () => {
    expect(old({ step: 'begun', intent: PAYMENT })).toMatchObject({
      step: 'started',
      stated: { facts: { amount: { value: '10', from: 'options' } } },
    });
    expect(old({ step: 'begun', intent: PAYMENT, payment_id: 'p' })).toMatchObject({ stated: { facts: {} } });
  });

  it.each([
    ['fine', 'pass'],
    ['needs_word', 'confirm'],
    ['refused', 'refuse'],
  ])('with the verdict %s is read as %s, with the amount of the operation', (oldVerdict, verdict) => {
    const moves = [{ token: 'USDT', amount: '10' }];
    expect(old({ step: 'reviewed', verdict: oldVerdict, digest: 'd', allowed: [] })).toMatchObject({
      ...{ verdict, moves, from: '0x2', kind: 'live' },
    });
  });
});
