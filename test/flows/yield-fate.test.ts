import { describe, expect, it } from 'vitest';
import { secret } from '../../src/core/secret.ts';
import { fateOf } from '../../src/flows/yield/fate.ts';
import { clockFrom } from '../../src/io/clock.ts';
import { systemHttp } from '../../src/io/http.ts';
import type { OpenPart } from '../../src/journal/yield-doubt.ts';
import { testIo } from '../support/io.ts';
import { envelope, startServer } from '../support/server.ts';

const SENT_AT = Date.parse('2026-11-21T10:00:00Z');
const WALLET = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';

const open = (before: readonly (readonly [string, string?])[], more: Partial<OpenPart> = {}): OpenPart => ({
  kind: 'sent',
  movement: 'm',
  at: SENT_AT,
  intent: {
    operation: 'rebalance',
    amount: '5',
    asset: 'USDC',
    chain: 'solana',
    wallet: WALLET,
    provider_out: 'provider_a',
    provider_in: 'provider_b',
  },
  part: 1,
  count: 1,
  hash: 'hash',
  signedTransaction: '',
  before: before.map(([provider, position]) => ({ provider, position })),
  ...more,
});

/** What is found out some seconds after the sending, by a service that shows these positions; `undefined` is an error. */
const fate = async (seconds: number, shown: Readonly<Record<string, number | undefined>>, part: OpenPart) => {
  const { url } = await startServer(({ path }, response) => {
    const provider = new URL(path, 'http://x').searchParams.get('provider') ?? '';
    const position_on_protocol = shown[provider];
    const earnings = [{ provider, asset: 'USDC', wallet: WALLET, chain_name: 'solana', earnings_details: null }];
    const earnings_status = position_on_protocol === undefined ? 'rpc_error' : 'ok';
    const data = {
      earnings: earnings.map((each) => ({ ...each, position_on_protocol: position_on_protocol ?? 0, earnings_status })),
    };
    return envelope(200, 'get_earnings_position', { data })({ method: '', path, headers: {}, body: '' }, response);
  });
  const clock = clockFrom(
    () => SENT_AT + seconds * 1000,
    () => performance.now(),
  );
  const { io } = await testIo({ io: { clock, http: systemHttp(new AbortController().signal) } });
  const service = { profile: 'p', kind: 'live', baseUrl: url, apiKey: secret('k') } as const;
  const client = { io, service, deadline: clock.monotonic() + 10_000, trace: undefined };
  return (await fateOf(client, undefined, part)).kind;
};

const BEFORE = [
  ['provider_a', '10'],
  ['provider_b', '3'],
] as const;

describe('without a node, what was sent by an earlier run is dead', () => {
  it('after more than three minutes, when the positions are as they were', async () => {
    expect(await fate(201, { provider_a: 10, provider_b: 3 }, open(BEFORE))).toBe('dead');
  });

  it.each<[string, number, Record<string, number | undefined>, OpenPart]>([
    ['while it may still land', 199, { provider_a: 10, provider_b: 3 }, open(BEFORE)],
    ['when a clock has gone back', -500, { provider_a: 10, provider_b: 3 }, open(BEFORE)],
    ['when a position has changed', 300, { provider_a: 5, provider_b: 8 }, open(BEFORE)],
    ['when a position cannot be read', 300, { provider_a: 10, provider_b: undefined }, open(BEFORE)],
    ['when none was written down', 300, { provider_a: 10, provider_b: 3 }, open([])],
    ['when one was not written down', 300, { provider_a: 10, provider_b: 3 }, open(BEFORE.slice(0, 1))],
    ['when one could not be read before', 300, { provider_a: 10, provider_b: 3 }, open([BEFORE[0], ['provider_b']])],
  ])('not %s', async (_, seconds, shown, part) => {
    expect(await fate(seconds, shown, part)).toBe('open');
  });

  it('of two transactions each is told by the position that it changes', async () => {
    const second = open(BEFORE, { part: 2, count: 2 });
    expect(await fate(300, { provider_a: 5, provider_b: 3 }, second)).toBe('dead');
    expect(await fate(300, { provider_a: 5, provider_b: 8 }, second)).toBe('open');
  });
});
