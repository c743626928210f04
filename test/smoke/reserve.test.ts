import { describe, expect, it } from 'vitest';
import { reserving } from '../../src/cli/commands/smoke/session.ts';
import { amountLimits } from '../../src/cli/operations/amount-limits.ts';

describe('--max-amount', () => {
  it('bounds the sum of a run by token, in any case of its symbol', () => {
    const reserve = reserving(amountLimits({ 'max-amount': ['10=USDT', '0.5=SOL'] }, 'max-amount'));
    reserve([{ token: 'USDT', amount: '6' }]);
    reserve([{ token: 'usdt', amount: '4' }]);
    expect(() => reserve([{ token: 'USDT', amount: '0.000001' }])).toThrow('--max-amount is 10 USDT');
    reserve([{ token: 'SOL', amount: '0.5' }]);
  });

  it('refuses a token that it does not name, and reserves nothing of a refused transaction', () => {
    const reserve = reserving(amountLimits({ 'max-amount': ['10=USDT'] }, 'max-amount'));
    const both = [
      { token: 'USDT', amount: '9' },
      { token: 'USDC', amount: '1' },
    ];
    expect(() => reserve(both)).toThrow('--max-amount names no USDC');
    reserve([{ token: 'USDT', amount: '10' }]);
  });

  it('bounds nothing in the sandbox', () => {
    reserving(undefined)([{ token: 'USDT', amount: '1000000' }]);
  });

  it.each(['10', '10=', '=USDT', '0=USDT', '-1=USDT', '1e3=USDT', '10=USDT=USDC', '10=US DT'])('refuses %s', (text) => {
    expect(() => amountLimits({ 'max-amount': [text] }, 'max-amount')).toThrow('is not AMOUNT=TOKEN');
  });
});
