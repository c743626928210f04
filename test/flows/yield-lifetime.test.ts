import { describe, expect, it } from 'vitest';
import type { SigningContext } from '../../src/flows/yield/context.ts';
import { isSurelyDead, type Lifetime } from '../../src/flows/yield/lifetime.ts';

const BORN: Lifetime = { blockhash: '1'.repeat(32), since: 0, wasAlive: false };

/** Without a node all that is asked of the world is the time. */
const after = (milliseconds: number): SigningContext =>
  ({ node: undefined, client: { io: { clock: { monotonic: () => milliseconds } } } }) as unknown as SigningContext;

const at = (position: string | undefined) => [{ provider: 'provider_a', position }];

const isDead = (milliseconds: number, before: string | undefined, now: string | undefined) =>
  isSurelyDead(after(milliseconds), BORN, 'hash', { before: at(before), read: async () => at(now) });

describe('without a node, an expired transaction is replaced', () => {
  it('after more than three minutes, when the position is as it was', async () => {
    expect(await isDead(200_000, '5', '5')).toBe(true);
  });

  it.each([
    ['while it may still land', 60_000, '5', '5'],
    ['when the position has changed: it has landed', 300_000, '5', '15'],
    ['when the position could not be read before', 300_000, undefined, '5'],
    ['when the position cannot be read now', 300_000, '5', undefined],
    ['when no position could ever be read', 300_000, undefined, undefined],
  ])('not %s', async (_, milliseconds, before, now) => {
    expect(await isDead(milliseconds, before, now)).toBe(false);
  });
});
