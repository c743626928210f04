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

describe('what positions say of bytes that a service refuses by their hash', () => {
  it.each([
    ['a deposit, its fee taken', DEPOSIT, ['0', '0'], ['0', '99.9'], true],
    ['a rebalance', REBALANCE, ['250.5', '10'], ['150.5', '110'], true],
    ['nothing yet', DEPOSIT, ['0', '10'], ['0', '10'], false],
    ['half of it', DEPOSIT, ['0', '10'], ['0', '60'], false],
    ['twice of it', DEPOSIT, ['0', '10'], ['0', '210'], false],
    ['the other direction', DEPOSIT, ['0', '110'], ['0', '10'], false],
    ['one leg alone', REBALANCE, ['250', '10'], ['150', '10'], false],
    ['a position that cannot be read', DEPOSIT, ['0', undefined], ['0', '100'], false],
  ] as const)('%s', (_, intent, [a, b], [toA, toB], hasLanded) => {
    expect(hasMoved(intent, positions(a, b), positions(toA, toB))).toBe(hasLanded);
  });
});
