import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, type Meddler, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
});

afterAll(() => journey.end());

/** Each run has its own intent, because bursar refuses the same payment after a doubt. */
const run = () => ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--intent', randomUUID()];

const received = async () => (await Promise.all(RECEIVERS.map(journey.balance))).reduce((sum, one) => sum + one, 0);

const isExecute = (path: string) => path === '/payment/execute/on-chain';

/** Changes the unsigned transaction before bursar receives it. */
const tampering =
  (
    change: (crypto: { transactionRequest: Record<string, unknown> } & Record<string, unknown>) => void,
    seen: string[],
  ): Meddler =>
  async ({ path }, forward) => {
    seen.push(path);
    const answer = await forward();
    if (!path.endsWith('intents-create-transaction')) return answer;
    const body = JSON.parse(answer.body);
    change(body.data.crypto_tx);
    return { status: answer.status, body: JSON.stringify(body) };
  };

const THIEF = '3333333333333333333333333333333333333333';

describe('a transaction of the service that differs from the payment is refused, and nothing is executed: exit 10', () => {
  it.each<[string, Parameters<typeof tampering>[0]]>([
    [
      'another recipient',
      ({ transactionRequest: tx }) => {
        tx['data'] = String(tx['data']).replace('1'.repeat(40), THIEF);
      },
    ],
    [
      'a transfer to another address',
      ({ transactionRequest: tx }) => {
        tx['data'] = `0xa9059cbb${THIEF.padStart(64, '0')}${(10_000_000).toString(16).padStart(64, '0')}`;
      },
    ],
    [
      'an unlimited approval',
      ({ transactionRequest: tx }) => {
        tx['data'] = `0x095ea7b3${THIEF.padStart(64, '0')}${'f'.repeat(64)}`;
      },
    ],
    [
      'coins sent along',
      ({ transactionRequest: tx }) => {
        tx['value'] = 1;
      },
    ],
    [
      'another chain',
      ({ transactionRequest: tx }) => {
        tx['chainId'] = 1;
      },
    ],
    [
      'another payer',
      ({ transactionRequest: tx }) => {
        tx['from'] = `0x${THIEF}`;
      },
    ],
    [
      'a contract creation',
      ({ transactionRequest: tx }) => {
        delete tx['to'];
      },
    ],
    [
      'calldata with more at the end',
      ({ transactionRequest: tx }) => {
        tx['data'] = `${tx['data']}00`;
      },
    ],
    [
      'an enormous fee',
      ({ transactionRequest: tx }) => {
        tx['maxFeePerGas'] = '900000000000000000';
      },
    ],
    [
      'an authorization list',
      ({ transactionRequest: tx }) => {
        tx['authorizationList'] = [];
      },
    ],
    [
      'another family',
      (crypto) => {
        crypto['family'] = 'tron';
      },
    ],
    [
      'a newer schema',
      (crypto) => {
        crypto['schema_version'] = 2;
      },
    ],
  ])('%s', async (_, change) => {
    const before = await received();
    const seen: string[] = [];
    const { code, data } = await journey.through(tampering(change, seen), () =>
      journey.json([...run(), '--allow-blind']),
    );
    expect({ code, error: data['error'] }).toMatchObject({ code: 10, error: { code: 'refused_by_review' } });
    expect(seen.filter(isExecute)).toEqual([]);
    expect(await received()).toBe(before);
  });
});
