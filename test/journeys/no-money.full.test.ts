import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newEvmKey } from '../support/cheap-key.ts';
import { type Journey, type Meddler, PAYMENT, startJourney } from '../support/journey.ts';
import { both } from '../support/lying-service.ts';
import { prepare } from '../support/prepared-payment.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
});

afterAll(() => journey.end());

const run = (key: string) => [
  ...['pay', 'run', '--body', 'payment.json', '--key', key, '--yes', '--intent', randomUUID(), '--timeout', '4'],
];

const errorOf = (data: Record<string, unknown>) =>
  data['error'] as { code: string; message: string; hint: string; next: string; data: Record<string, unknown> };

const RICH: Readonly<Record<string, object>> = {
  eth_getBalance: { result: '0xde0b6b3a7640000', error: undefined },
  eth_call: { result: `0x${'0'.repeat(50)}de0b6b3a764000`, error: undefined },
  eth_simulateV1: { result: undefined, error: { code: -32601, message: 'none' } },
};

const NO_COIN = { eth_getBalance: { result: '0x0' } };

/** A node that returns these answers to its methods, for any state of the chain. */
const nodeShowing =
  (shown: Readonly<Record<string, object>>): Meddler =>
  async ({ path, body }, forward) => {
    const answer = await forward();
    if (!path.startsWith('/_chain')) return answer;
    const calls = [JSON.parse(body)].flat() as readonly { method: string }[];
    const told = ([JSON.parse(answer.body)].flat() as readonly object[]).map((one, at) => ({
      ...one,
      ...shown[calls[at]?.method ?? ''],
    }));
    return { ...answer, body: JSON.stringify(Array.isArray(JSON.parse(body)) ? told : told[0]) };
  };

/** A node that always shows a rich payer, as if the money had left after the review. */
const richNode = nodeShowing(RICH);

describe('a wallet without money', () => {
  it.each([
    [
      ...(['coin', 'USDT', /broke-coin has 0 POL on polygon; the transaction needs 0\.\d+ POL\./] as const),
      ...(['POL --amount 1', /^0\.\d+ POL$/] as const),
    ],
    [
      ...(['token', 'POL', /^broke-token has 0 USDT on polygon; the transaction needs 10 USDT\.$/] as const),
      ...(['USDT --amount 10', /^10 USDT$/] as const),
    ],
    [
      ...(['all', undefined, /broke-all has 0 USDT .* broke-all has 0 POL/] as const),
      ...(['USDT --amount 10', /^10 USDT and 0\.\d+ POL$/] as const),
    ],
  ])('for the %s is refused before a signature, with the missing amount', async (what, token, says, gift, lacks) => {
    const name = `broke-${what}`;
    const { address } = await newEvmKey(journey.home, name);
    if (token) await journey.ask('POST', '/_sandbox/fund', { address, chain: 'polygon', token });
    const running = () => journey.json(run(name));
    const { code, data } = await (what === 'coin' ? journey.through(nodeShowing(NO_COIN), running) : running());
    const error = errorOf(data);
    const next = `bursar sandbox fund ${name} --chain polygon --token ${gift}`;
    expect({ code, next: error.next }).toEqual({ code: 10, next });
    expect(error.message).toMatch(says);
    const [open, ...others] = (await journey.json(['pay', 'list', '--open'])).data as unknown as { state: string }[];
    expect([open?.state, others], 'nothing was signed').toEqual(['unfinished', []]);
    expect((await journey.bursar(error.next.split(' ').slice(1))).code).toBe(0);
    const [, wallet, missing, resume = ''] =
      /Fund the wallet (0x\w+) with at least (.+) on polygon, then: bursar (.*)$/.exec(error.hint) ?? [];
    expect([wallet, missing]).toEqual([address, expect.stringMatching(lacks)]);
    expect((await journey.json(resume.split(' '))).code, 'the next commands complete the payment').toBe(0);
    expect((await journey.json(['pay', 'list', '--open'])).data).toEqual([]);
  });

  it('whose money leaves after the review ends with exit 12, not in doubt', async () => {
    await newEvmKey(journey.home, 'gone');
    const { code, data } = await journey.through(richNode, () => journey.json(run('gone')));
    const error = errorOf(data);
    expect({ exit: code, ...error }).toMatchObject({
      exit: 12,
      message: expect.stringMatching(/ended in error: The node refused the transaction: .*nsufficient funds/),
      hint: expect.stringContaining('The node has no such transaction: the money did not move.'),
      data: { moved: false, data_error: { status: 'finalizer_payment_order_on_chain_failed' } },
    });
    const status = await journey.json(error.next.split(' ').slice(1));
    expect(status.data).toMatchObject({ status: 'error' });
    expect((await journey.json(['pay', 'list', '--open'])).data).toEqual([]);
  });

  it('whose tokens leave after the review ends with exit 12, because the chain reverts the transaction', async () => {
    const { address } = await newEvmKey(journey.home, 'reverted');
    await journey.ask('POST', '/_sandbox/fund', { address, chain: 'polygon', token: 'POL' });
    const { code, data } = await journey.through(richNode, () => journey.json(run('reverted')));
    expect({ exit: code, ...errorOf(data) }).toMatchObject({
      exit: 12,
      data: { moved: false, tid_hash: expect.stringMatching(/^0x/) },
      hint: expect.stringContaining('was reverted: the money did not move.'),
    });
    expect((await journey.json(['pay', 'list', '--open'])).data).toEqual([]);
  });

  it('with bytes that were signed elsewhere is refused; a resume settles such a payment in doubt', async () => {
    const wallet = await newEvmKey(journey.home, 'elsewhere');
    const { id, signed } = await prepare(journey.ask, PAYMENT, wallet);
    const stated = ['--body', 'payment.json', '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'];
    const execute = ['pay', 'execute', id, '--signed-transaction', signed, ...stated, '--yes', '--timeout', '4'];
    const refused = await journey.json(execute);
    expect({ code: refused.code, message: errorOf(refused.data).message }).toEqual({
      code: 10,
      message: expect.stringContaining('elsewhere has 0 POL on polygon'),
    });
    const lost: Meddler = async ({ path }, forward, response) => {
      const answer = await forward();
      if (!path.endsWith('/on-chain')) return answer;
      response.destroy();
      return undefined;
    };
    const unread: Meddler = ({ path }, forward) =>
      path.endsWith('/status') && hasExecuted ? Promise.resolve({ status: 503, body: 'gone' }) : forward();
    let hasExecuted = false;
    const marking: Meddler = (request, forward, response) => {
      hasExecuted ||= request.path.endsWith('/on-chain');
      return lost(request, () => unread(request, forward, response) as ReturnType<typeof forward>, response);
    };
    const doubtful = await journey.through(both(richNode, marking), () => journey.json(execute));
    expect(doubtful.code).toBe(11);
    const resumed = await journey.json(['pay', 'resume', id, '--yes']);
    expect({ code: resumed.code, data: errorOf(resumed.data).data }).toMatchObject({
      code: 12,
      data: { moved: false },
    });
  });
});
