import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOfYield, looksTerminal } from '../../../src/cli/completion/offers.ts';
import type { OperationEvent } from '../../../src/journal/event.ts';
import { type Intent, isOfYield as isYieldOfJournal } from '../../../src/journal/intents.ts';
import { stateOf } from '../../../src/journal/reduce.ts';
import { isTerminal } from '../../../src/journal/status.ts';
import { lineOf } from '../../../src/journal/wire.ts';

const AT = '2026-01-01T00:00:00.000Z';
const OF_CHARGE = {
  type: 't',
  to_currency: 'USDT',
  payer: 'p',
  amount: '1',
  currency: 'BRL',
  chain: 'polygon',
  receivers: [],
};
const CRYPTO = { amount: '1', currency: 'USDT', chain: 'polygon', token: 'USDT', receivers: [], payer: '0x2' };
const LEGS = { provider_out: undefined, provider_in: 'a' };
const YIELD = { amount: '1', asset: 'USDC', chain: 'solana', wallet: 'w', ...LEGS };

const INTENTS: readonly Intent[] = [
  CRYPTO,
  { operation: 'pix', ...OF_CHARGE },
  { operation: 'card', ...OF_CHARGE },
  { operation: 'register', amount: '1', currency: 'USDT', receivers: [] },
  { operation: 'transaction', chain: 'polygon', token: 'USDT', payer: '0x2' },
  ...(['deposit', 'withdraw', 'rebalance'] as const).map((operation) => ({ operation, ...YIELD })),
  { operation: 'broadcast', chain: 'solana', wallet: 'w' },
  { operation: 'sign', chain: 'solana', wallet: 'w' },
  { operation: 'sign', chain: 'polygon', wallet: '0x2' },
];

const FAILED = { step: 'failed', status: undefined, is_unknown: false } as const;

const OF_PAYMENT = { payment_id: 'p' } as const;
const BYTES = { part: 1, hash: '0x1' } as const;

/** The steps after the start of a payment; steps of a yield operation have no payment id. */
const STEPS: readonly OperationEvent[] = [
  { step: 'registered', payment_id: 'p' },
  { step: 'creating', ...OF_PAYMENT },
  { step: 'created', ...OF_PAYMENT },
  { step: 'payable', payment_id: 'p', code: 'c', txid: 't', amount: null, expires_at: AT },
  { step: 'signed', signed_transaction: '0xab', from: '0x2', ...BYTES, ...OF_PAYMENT },
  { step: 'sending', via: 'service', ...BYTES, ...OF_PAYMENT },
  { step: 'executed', payment_id: 'p', status: 'payment_received', hash: '0x1' },
  { step: 'landed', ...BYTES },
  { step: 'dead', hash: '0x1' },
  { step: 'refused', message: 'm', checks: [] },
  { ...FAILED, code: 'rejected' },
  { ...FAILED, code: 'declined' },
  { ...FAILED, code: 'unavailable' },
  { ...FAILED, code: 'rejected', is_unknown: true },
  { ...FAILED, code: 'outcome_unknown', hash: '0x1', is_unknown: true },
  ...(['success', 'error', 'expired'] as const).map(
    (status) => ({ step: 'ended', payment_id: 'p', status, tid_hash: undefined }) as const,
  ),
  { step: 'superseded', hash: undefined },
  { step: 'settled', positions: [] },
];

const withoutPayment = (event: OperationEvent): OperationEvent => {
  const { payment_id: _, ...rest } = event as OperationEvent & { payment_id?: string };
  return rest as OperationEvent;
};

const bothOf = (intent: Intent, steps: readonly OperationEvent[]) => {
  const own = isYieldOfJournal(intent) ? steps.map(withoutPayment) : steps;
  const start: OperationEvent = {
    step: 'started',
    profile: 'p',
    kind: 'live',
    base_url: 'u',
    intent,
    stated: { facts: {} },
  };
  const events = [start, ...own].map((event) => ({ ...event, at: AT }));
  const lines = events.map((event) => JSON.parse(JSON.stringify(lineOf('id', event))));
  return { looksTerminal: looksTerminal(lines), isTerminal: isTerminal(stateOf({ id: 'id', events })) };
};

describe('an operation that completion omits', () => {
  it('is terminal in the journal too, after any steps', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...INTENTS),
        fc.array(fc.constantFrom(...STEPS), { maxLength: 8 }),
        (intent, steps) => {
          const both = bothOf(intent, steps);
          expect(both.looksTerminal && !both.isTerminal).toBe(false);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('has a usual end', () => {
    const [, creating, created, , signed, sending, executed] = STEPS as never as readonly OperationEvent[];
    const paid = [creating, created, signed, sending, executed] as readonly OperationEvent[];
    const endings = STEPS.filter(({ step }) => ['ended', 'settled', 'superseded', 'refused'].includes(step));
    for (const ending of endings) {
      expect(bothOf(CRYPTO, [ending])).toEqual({ looksTerminal: true, isTerminal: true });
      const isSuccess = ending.step === 'ended' && ending.status === 'success';
      if (isSuccess) expect(bothOf(CRYPTO, [...paid, ending])).toEqual({ looksTerminal: true, isTerminal: true });
    }
    expect(bothOf(CRYPTO, [{ ...FAILED, code: 'rejected' }])).toEqual({ looksTerminal: true, isTerminal: true });
    expect(bothOf(CRYPTO, paid)).toEqual({ looksTerminal: false, isTerminal: false });
    expect(bothOf(CRYPTO, [])).toEqual({ looksTerminal: false, isTerminal: false });
  });

  it('has the same area, payment or yield, as in the journal', () => {
    for (const intent of INTENTS) expect([intent, isOfYield(intent)]).toEqual([intent, isYieldOfJournal(intent)]);
  });
});
