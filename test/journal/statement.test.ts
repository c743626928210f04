import { describe, expect, it } from 'vitest';
import { boundIn, type Statement, statementOf, withLater } from '../../src/journal/statement.ts';

const stating = (token: string | undefined, payAtMost?: string): Statement =>
  statementOf({ token }, 'options', payAtMost);

/** A statement of bursar 0.2, which has no token for the bound. */
const old = (token: string | undefined, payAtMost: string): Statement => {
  const { pay_at_most_in: _, ...rest } = stating(token, payAtMost);
  return rest;
};

describe('a bound on the amount that is paid', () => {
  it('applies to the token of its own statement only', () => {
    for (const statement of [stating('USDT', '10'), old('USDT', '10')]) {
      expect(boundIn(statement, 'usdt')).toBe('10');
      expect(boundIn(statement, 'ETH')).toBeUndefined();
      expect(boundIn(statement, undefined)).toBeUndefined();
    }
  });

  it('is dropped by a later statement of another token, and not by one of the same token or of none', () => {
    for (const earlier of [stating('USDT', '10'), old('USDT', '10')]) {
      const other = withLater(earlier, stating('ETH'));
      expect(boundIn(other, 'ETH')).toBeUndefined();
      expect(boundIn(withLater(other, stating('USDT')), 'USDT')).toBeUndefined();
      expect(boundIn(withLater(earlier, stating('USDT')), 'USDT')).toBe('10');
      expect(boundIn(withLater(earlier, stating(undefined)), 'USDT')).toBe('10');
      expect(boundIn(withLater(earlier, stating('ETH', '2')), 'ETH')).toBe('2');
    }
  });

  it('of a Pix payment, or without a token, bounds no token', () => {
    const ofPix = statementOf({ currency: 'USD' }, 'options', '60', 'BRL');
    expect(boundIn(ofPix, 'BRL')).toBe('60');
    for (const earlier of [ofPix, old(undefined, '60')]) {
      expect(boundIn(withLater(earlier, stating('USDT')), 'USDT')).toBeUndefined();
      expect(boundIn(withLater(stating('USDT'), earlier), 'USDT')).toBeUndefined();
    }
  });
});
