import { describe, expect, it } from 'vitest';
import { isSameTokenIn, maybeSameTokenIn, SOL, solanaNetworkFor } from '../../src/chain/solana/network.ts';
import { openNode } from '../../src/client/solana-rpc.ts';
import type { MovingContext, SigningContext } from '../../src/flows/yield/context.ts';
import { isSurelyDead, type Lifetime, landedElsewhere } from '../../src/flows/yield/lifetime.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import { beginOperation } from '../../src/journal/operation.ts';
import { testIo } from '../support/io.ts';
import { startServer } from '../support/server.ts';

const BORN: Lifetime = { blockhash: '1'.repeat(32), since: 0, wasAlive: true };

it('without a node, an expired transaction never counts as dead, whatever its age', async () => {
  const context = { witness: undefined } as unknown as SigningContext;
  expect(await isSurelyDead(context, BORN, 'hash')).toBe(false);
});

it('a node that did not see the blockhash valid is not asked whether the transaction is dead', async () => {
  const context = { witness: {} } as unknown as SigningContext;
  expect(await isSurelyDead(context, { ...BORN, wasAlive: false }, 'hash')).toBe(false);
});

describe('bytes that another operation recorded as landed', () => {
  const HASH = '3'.repeat(64);
  const relayed = { operation: 'broadcast', chain: 'solana', wallet: 'W' } as const;

  /** Whether the bytes count as landed, without a node or with a node that returns this status. */
  const hasLanded = async (status?: object | null) => {
    const { io } = await testIo({ io: { http: systemHttp(new AbortController().signal) } });
    const beginning = { profile: 'p', kind: 'live', baseUrl: 'https://service.example', intent: relayed } as const;
    const operation = await beginOperation(io, beginning);
    await operation.record({ step: 'signed', part: 1, signed_transaction: 'bytes', hash: HASH, from: 'W' });
    await operation.record({ step: 'sending', part: 1, hash: HASH, via: 'service' });
    await operation.record({ step: 'landed', part: 1, hash: HASH });
    await operation.close();
    const { url } = await startServer((_, response) => {
      const result = { context: { slot: 1 }, value: [status] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    });
    const witness = status === undefined ? undefined : openNode(io, url, { deadline: Number.POSITIVE_INFINITY });
    const context = { client: { io }, operation: { id: 'another' }, witness } as unknown as MovingContext;
    return landedElsewhere(context, HASH);
  };

  it('count as landed without a node', async () => {
    expect(await hasLanded()).toBe(true);
  });

  it('count as landed with a node only if the node shows them finalized', async () => {
    expect(await hasLanded(null)).toBe(false);
    expect(await hasLanded({ slot: 1, confirmationStatus: 'processed', err: null })).toBe(false);
    expect(await hasLanded({ slot: 1, confirmationStatus: 'finalized', err: null })).toBe(true);
  });
});

describe('two names of a token', () => {
  const [isSame, mayBeSame] = [isSameTokenIn(solanaNetworkFor('live')), maybeSameTokenIn(solanaNetworkFor('live'))];
  const UNKNOWN = 'So11111111111111111111111111111111111111113';

  it.each([
    ['USDC', 'usdc', true, true],
    ['SOL', SOL.mint, true, true],
    ['USDC', 'USDT', false, false],
    ['USDC', UNKNOWN, false, false],
    [UNKNOWN, UNKNOWN, true, true],
    ['EURC', 'eurc', true, true],
    ['EURC', 'PYUSD', false, false],
    // The symbol of an unknown mint is unknown.
    ['EURC', UNKNOWN, false, true],
  ])('%s and %s: surely the same token: %s, possibly the same: %s', (first, second, is, may) => {
    expect([isSame(first, second), isSame(second, first)]).toEqual([is, is]);
    expect([mayBeSame(first, second), mayBeSame(second, first)]).toEqual([may, may]);
  });
});
