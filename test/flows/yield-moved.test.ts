import { describe, expect, it } from 'vitest';
import { hasMoved } from '../../src/flows/yield/positions.ts';
import type { YieldIntent } from '../../src/journal/intents.ts';

const REBALANCE: YieldIntent = {
  operation: 'rebalance',
  amount: '100',
  asset: 'USDC',
  chain: 'solana',
  wallet: 'W',
  provider_out: 'a',
  provider_in: 'b',
};
const DEPOSIT: YieldIntent = { ...REBALANCE, operation: 'deposit', provider_out: undefined };

const positions = (a: string | undefined, b: string | undefined) => [
  { provider: 'a', position: a },
  { provider: 'b', position: b },
];

describe('the positions before and after a yield operation', () => {
  it.each([
    ['show a deposit less its fee', DEPOSIT, ['0', '0'], ['0', '99.9'], true],
    ['show a rebalance', REBALANCE, ['250.5', '10'], ['150.5', '110'], true],
    ['show no operation without a change', DEPOSIT, ['0', '10'], ['0', '10'], false],
    ['show no operation for half of the amount', DEPOSIT, ['0', '10'], ['0', '60'], false],
    ['show no operation for twice the amount', DEPOSIT, ['0', '10'], ['0', '210'], false],
    ['show no operation for a change in the other direction', DEPOSIT, ['0', '110'], ['0', '10'], false],
    ['show no rebalance when only one position changes', REBALANCE, ['250', '10'], ['150', '10'], false],
    ['show no operation when a position is unreadable', DEPOSIT, ['0', undefined], ['0', '100'], false],
  ] as const)('%s', (_, intent, [a, b], [toA, toB], hasLanded) => {
    expect(hasMoved(intent, positions(a, b), positions(toA, toB))).toBe(hasLanded);
  });
});
