import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { broadcast } from '../../src/contract/yield/broadcast.ts';
import { newSolanaKey } from '../support/cheap-key.ts';
import type { Meddler } from '../support/journey.ts';
import { asked, isBroadcast, startYieldJourney, type YieldJourney } from '../support/yield-journey.ts';

let journey: YieldJourney;

beforeAll(async () => {
  journey = await startYieldJourney();
});

afterAll(() => journey.end());

const PAGE = '<!doctype html><title>Bad Gateway</title>';

type Answer = { readonly status: number; readonly body: string };

const envelope = (statusCode: number, status: string): Answer => ({
  status: statusCode,
  body: JSON.stringify({ statusCode, success: false, status, message: `it is ${status}` }),
});

/** Each possible answer to broadcast with its exit code; undefined is a lost answer. */
const ANSWERS: readonly (readonly [string, Answer | undefined, number])[] = [
  ...Object.entries(broadcast.errors).map(([status, http]) => {
    return [`${http} ${status}`, envelope(http, status), status === 'unauthorized' ? 4 : 9] as const;
  }),
  ['403', envelope(403, 'forbidden'), 9],
  ['429', envelope(429, 'too_many_requests'), 7],
  ['404', envelope(404, 'payment_not_found'), 3],
  ...[500, 502, 503].map((http) => [`${http}`, envelope(http, 'internal'), 11] as const),
  ['a lost answer', undefined, 11],
  ['a page', { status: 502, body: PAGE }, 11],
];

/** A new wallet, and a service that records each broadcast and returns this answer. */
const facing = async (name: string, answer: Answer | undefined) => {
  const { address } = await newSolanaKey(journey.home, name);
  await journey.ask('POST', '/_sandbox/fund', { address, chain: 'solana' });
  const received: string[] = [];
  const meddler: Meddler = async ({ path, body }, forward, response) => {
    if (!isBroadcast(path)) return forward();
    received.push(String([JSON.parse(body).op_signed].flat()[0]));
    if (answer === undefined) response.destroy();
    return answer;
  };
  const run = (args: readonly string[]) => journey.through(meddler, () => journey.json([...args, '--timeout', '20']));
  const deposit = asked('deposit').map((word) => (word === 'saver' ? name : word));
  return { received, run, deposit: [...deposit, '--broadcast', '--yes'] };
};

describe.each(ANSWERS)('a broadcast with the answer %s:', (what, answer, exit) => {
  it('the transaction stays live, and no later command signs another transaction', async () => {
    const { received, run, deposit } = await facing(`saver-${what.replaceAll(/\W+/g, '-')}`, answer);
    const named = [...deposit, '--intent', what];
    const { code, data } = await run(named);
    expect({ code, error: data['error'] }).toMatchObject({
      code: exit,
      error: {
        data: { hash: expect.any(String), live: true },
        next: expect.stringMatching(/^bursar yield resume \d{8}T\S+$/),
      },
    });
    expect(JSON.stringify(data)).not.toMatch(/did not move|nothing (?:was|were) sent|no money/i);
    const { movement: operationId } = (data['error'] as unknown as { data: { movement: string } }).data;
    for (const again of [named, deposit, ['yield', 'resume', operationId, '--yes'], named]) {
      expect((await run(again)).code).not.toBe(0);
    }
    expect(new Set(received).size).toBe(1);
    expect(received.length).toBeGreaterThan(2);
  });
});
