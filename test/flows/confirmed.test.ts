import { describe, expect, it } from 'vitest';
import { uncovered } from '../../src/flows/statement.ts';
import { type Facts, NOTHING_STATED } from '../../src/journal/statement.ts';

const [ANNA, BOB] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];

const payment = (amount: string, wallet: string): Facts => ({ amount, receivers: [{ wallet, percent: '100' }] });

describe('facts that the user confirmed on a screen', () => {
  const confirmed = [payment('1000', ANNA), payment('10', BOB)];

  it.each([
    ['the first screen', payment('1000', ANNA), []],
    ['the second screen', payment('10', BOB), []],
    ['parts of both screens', payment('1000', BOB), ['amount', 'receivers']],
    ['a screen without its receivers', { amount: '1000' }, ['amount']],
  ] as const)('cover a payment only as a whole: %s', (_, shown, names) => {
    expect(uncovered(shown, NOTHING_STATED, confirmed)).toEqual(names);
  });
});
