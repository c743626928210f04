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

describe('a lost answer to execute', () => {
  const after =
    (then: (response: Parameters<Meddler>[2]) => Awaited<ReturnType<Meddler>>, sent: string[]): Meddler =>
    async ({ path }, forward, response) => {
      if (isExecute(path)) sent.push(path);
      const answer = await forward();
      return isExecute(path) ? then(response) : answer;
    };

  it.each<[string, Parameters<typeof after>[0]]>([
    ['a connection that breaks', (response) => void response.destroy()],
    ['a proxy page', () => ({ status: 502, body: '<html>bad gateway</html>' })],
    ['half a document', () => ({ status: 200, body: '{"statusCode":200,' })],
    [
      'a strange 500',
      () => ({ status: 500, body: '{"statusCode":500,"success":false,"status":"oops","message":"x"}' }),
    ],
    [
      'an answer without the hash',
      () => ({
        status: 200,
        body: '{"statusCode":200,"success":true,"status":"payment_confirmed","message":"","data":{"id":"x"}}',
      }),
    ],
  ])('%s: bursar reads the state back, and the payment is executed once', async (_, then) => {
    const before = await received();
    const sent: string[] = [];
    const { code, data } = await journey.through(after(then, sent), () => journey.json(run()));
    expect({ code, status: data['status'] }).toEqual({ code: 0, status: 'success' });
    expect(sent).toHaveLength(1);
    expect(await received()).toBe(before + 10);
  });

  it('before the service received the call: exit 11 with the hash, sent once, nothing paid', async () => {
    const before = await received();
    const sent: string[] = [];
    const dropping: Meddler = async ({ path }, forward, response) => {
      if (!isExecute(path)) return forward();
      sent.push(path);
      response.destroy();
      return undefined;
    };
    const { code, data } = await journey.through(dropping, () => journey.json(run()));
    expect(code).toBe(11);
    expect(data['error']).toMatchObject({ code: 'outcome_unknown', hint: expect.stringMatching(/0x[0-9a-f]{64}/) });
    expect(data['error']?.['next']).toMatch(/^bursar pay resume pay_[0-9a-f]{32}$/);
    expect(sent).toHaveLength(1);
    expect(await received()).toBe(before);
  });

  it('and a state that cannot be read back: exit 11', async () => {
    let hasExecuted = false;
    const silent: Meddler = async ({ path }, forward, response) => {
      if (!isExecute(path) && !hasExecuted) return forward();
      hasExecuted = true;
      response.destroy();
      return undefined;
    };
    const { code, data } = await journey.through(silent, () => journey.json(run()));
    expect({ code, hint: data['error']?.['hint'] }).toEqual({
      code: 11,
      hint: expect.stringContaining('cannot be read back'),
    });
  });

  it('with another hash: exit 11, and the error names both hashes', async () => {
    const signed: string[] = [];
    const other = `0x${'9'.repeat(64)}`;
    const lying: Meddler = async ({ path }, forward) => {
      const answer = await forward();
      if (!isExecute(path)) return answer;
      const body = JSON.parse(answer.body);
      signed.push(body.data.tid_hash);
      body.data.tid_hash = other;
      return { status: answer.status, body: JSON.stringify(body) };
    };
    const { code, data } = await journey.through(lying, () => journey.json(run()));
    expect(code).toBe(11);
    expect(signed).toHaveLength(1);
    for (const hash of [other, ...signed]) expect(data['error']?.['message']).toContain(hash);
  });
});

describe('an answer to execute that proves nothing', () => {
  const answering =
    (status: number, body: string, sent: string[]): Meddler =>
    async ({ path }, forward) => {
      if (!isExecute(path)) return forward();
      sent.push(path);
      return { status, body };
    };

  it.each([
    ['server_error with HTTP 500', 500, '"status":"server_error"'],
    ['validation_error with HTTP 500', 500, '"status":"validation_error"'],
    ['receipt_not_found with HTTP 500', 500, '"status":"receipt_not_found"'],
    ['HTTP 408', 408, '"status":"request_timeout"'],
    ['errors that are no text', 500, '"status":"x","errors":[{"field":{"toString":1},"message":[]}]'],
  ])('%s: exit 11 with the hash', async (_, http, rest) => {
    const sent: string[] = [];
    const body = `{"statusCode":${http},"success":false,"message":"m",${rest}}`;
    const { code, data } = await journey.through(answering(http, body, sent), () => journey.json(run()));
    expect({ code, sent: sent.length }).toEqual({ code: 11, sent: 1 });
    expect(data['error']?.['hint']).toMatch(/0x[0-9a-f]{64}/);
  });

  it('an unknown success status is read back: exit 11', async () => {
    const body = '{"statusCode":200,"success":true,"status":"payment_queued","message":"m"}';
    const { code } = await journey.through(answering(200, body, []), () => journey.json(run()));
    expect(code).toBe(11);
  });

  it('and another transaction for the same payment: it is sent because the node shows that the first is dead', async () => {
    const sent: string[] = [];
    const dropping: Meddler = async ({ path }, forward, response) => {
      if (!isExecute(path)) return forward();
      sent.push(path);
      response.destroy();
      return undefined;
    };
    const first = await journey.through(dropping, () => journey.json(run()));
    const hash = /0x[0-9a-f]{64}/.exec(String(first.data['error']?.['hint']))?.[0];
    const id = String(first.data['error']?.['data']?.['payment_id']);
    // Another payment takes the nonce, so the service creates another transaction.
    expect((await journey.json(run())).code).toBe(0);
    const options = [
      '--transaction-type',
      'crypto',
      '--payer-email',
      'a@example.com',
      '--payer-wallet',
      journey.address,
    ];
    await journey.json([
      'pay',
      'transaction',
      id,
      ...options,
      '--chain-name',
      'polygon',
      '--payer-token-symbol',
      'USDT',
    ]);
    const before = await received();
    const again = await journey.json(['pay', 'execute', id, '--key', 'payer', '--yes']);
    expect(again.code).toBe(0);
    expect(again.data['tid_hash']).not.toBe(hash);
    expect(await received()).toBe(before + 10);
    const settled = await journey.json(['pay', 'resume', id, '--yes']);
    expect(settled).toMatchObject({ code: 0, data: { status: 'success' } });
    expect(await received()).toBe(before + 10);
  });
});

describe('after the execution of a payment', () => {
  const reading =
    (status: number, body: (id: string) => string): Meddler =>
    async ({ path }, forward) => {
      const id = /payment\/(pay_\w+)\/status/.exec(path)?.[1];
      return id ? { status, body: body(id) } : forward();
    };

  it.each([
    ['that is not found', 404, () => '{"statusCode":404,"success":false,"status":"payment_not_found","message":"m"}'],
    ['that needs another key', 401, () => '{"statusCode":401,"success":false,"status":"unauthorized","message":"m"}'],
    [
      'that is still registered',
      200,
      (id: string) =>
        `{"statusCode":200,"success":true,"status":"payment_found","message":"m","data":{"id":"${id}","status":"registered"}}`,
    ],
  ])(
    'a state %s is exit 8 with the hash, the resume command and the warning not to pay again',
    async (_, status, body) => {
      const meddler = reading(status, body);
      const { code, data } = await journey.through(meddler, () => journey.json([...run(), '--timeout', '4']));
      expect(code).toBe(8);
      expect(data['error']?.['hint']).toMatch(/0x[0-9a-f]{64}.*Do not pay again/);
      expect(data['error']?.['next']).toMatch(/^bursar pay resume pay_[0-9a-f]{32}$/);
    },
  );

  it('a --jq that fails on the answer is exit 0, and the result is printed', async () => {
    const { code, stdout, stderr } = await journey.bursar([...run(), '--json', '--jq', '.status|tonumber']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success' });
    expect(stderr).toContain('The command succeeded');
  });

  it('a full disk behind stdout is exit 0, and the hash is on stderr', async () => {
    const { code, stderr } = await journey.bursar(run(), { stdout: '/dev/full' });
    expect({ code, told: /tid_hash\t0x[0-9a-f]{64}/.test(stderr) }).toEqual({ code: 0, told: true });
  });
});
