import { expect, it } from 'vitest';
import type { SigningContext } from '../../src/flows/yield/context.ts';
import { isSurelyDead, type Lifetime } from '../../src/flows/yield/lifetime.ts';

const BORN: Lifetime = { blockhash: '1'.repeat(32), since: 0, wasAlive: true };

it('without a node no expired transaction is replaced, however long ago it was signed', async () => {
  const context = { witness: undefined } as unknown as SigningContext;
  expect(await isSurelyDead(context, BORN, 'hash')).toBe(false);
});

it('a node that has not seen the blockhash alive does not show that it is over: it is not asked', async () => {
  const context = { witness: {} } as unknown as SigningContext;
  expect(await isSurelyDead(context, { ...BORN, wasAlive: false }, 'hash')).toBe(false);
});
