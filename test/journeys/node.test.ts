import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, type Meddler, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';
import { startServer } from '../support/server.ts';

let journey: Journey;
let node = '';

beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
  const { data } = await journey.json(['sandbox', 'chain', 'polygon']);
  node = String(data['rpc_url']);
});

afterAll(() => journey.end());

/** Each run has its own intent, because bursar refuses the same payment after a doubt. */
const run = () => ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--intent', randomUUID()];
const received = async () => (await Promise.all(RECEIVERS.map(journey.balance))).reduce((sum, one) => sum + one, 0);

/** Forwards every call and records the paths. */
const watching =
  (seen: string[]): Meddler =>
  ({ path }, forward) => {
    seen.push(path);
    return forward();
  };

type Rpc = { readonly method: string; readonly params: readonly unknown[] };

/** A relay to the node of the sandbox that falsifies one answer. */
const lyingNode = async (lie: (method: string, result: never) => unknown) => {
  const server = await startServer(async ({ body }, response) => {
    const answer = await fetch(node, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const json = (await answer.json()) as { result: never };
    const { method } = JSON.parse(body) as Rpc;
    const told = JSON.stringify({ ...json, result: lie(method, json.result) });
    response.writeHead(200, { 'content-type': 'application/json' }).end(told);
  });
  return server;
};

/** The entries of the newest operation in the journal. */
const lastEntries = async () => {
  const folder = join(journey.home, 'state', 'journal');
  const name =
    (await readdir(folder))
      .filter((one) => one.endsWith('.ndjson'))
      .toSorted()
      .at(-1) ?? '';
  const lines = (await readFile(join(folder, name), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

describe('a node of --rpc-url', () => {
  it('is called before a signature, and the payment continues when the simulation shows the request', async () => {
    const { url, received: asked } = await lyingNode((_, result) => result);
    const before = await received();
    const { code, stderr } = await journey.bursar([...run(), '--rpc-url', url, '--verbose']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('Simulation: the payer loses 10 USDT, and nothing else.');
    expect(await received()).toBe(before + 10);
    expect(asked.map(({ body }) => JSON.parse(body).method).toSorted()).toEqual([
      'eth_call',
      'eth_chainId',
      'eth_getBalance',
      'eth_getTransactionCount',
      'eth_getTransactionCount',
      'eth_getTransactionReceipt',
      'eth_simulateV1',
    ]);
    for (const { headers } of asked) expect(Object.keys(headers)).not.toContain('x-api-key');
  });

  it.each<[string, (method: string, result: never) => unknown, RegExp]>([
    ['is of another chain', (method, result) => (method === 'eth_chainId' ? '0x1' : result), /node serves chain 1/],
    [
      'has the nonce behind it',
      (method, result) => (method === 'eth_getTransactionCount' ? '0xff' : result),
      /Nonce: \d+; .*is 255\. The nonce is used up/,
    ],
    [
      'shows the transaction fail',
      (method, result) => {
        if (method !== 'eth_simulateV1') return result;
        const [{ calls }] = result as [{ calls: { status: string }[] }];
        return [
          {
            calls: calls.map((call, at) =>
              at === 2 ? { ...call, status: '0x0', error: { message: 'paused' } } : call,
            ),
          },
        ];
      },
      /the transaction fails: paused/,
    ],
    [
      'shows more leave the payer',
      (method, result) => {
        if (method !== 'eth_simulateV1') return result;
        const [{ calls }] = result as [{ calls: { returnData: string }[] }];
        return [{ calls: calls.map((call, at) => (at === 3 ? { ...call, returnData: `0x${'0'.repeat(64)}` } : call)) }];
      },
      /the payer loses \d+ USDT; it should lose 10 USDT/,
    ],
  ])(
    'that %s stops the payment: exit 10, nothing signed or executed, and the journal contains the reason',
    async (_, lie, says) => {
      const { url } = await lyingNode(lie);
      const before = await received();
      const seen: string[] = [];
      const { code, data } = await journey.through(watching(seen), () =>
        journey.json([...run(), '--rpc-url', url, '--allow-blind']),
      );
      expect({ code, error: data['error'] }).toMatchObject({
        code: 10,
        error: { code: 'refused_by_review', message: expect.stringMatching(says) },
      });
      expect(seen).not.toContain('/payment/execute/on-chain');
      expect(await received()).toBe(before);
      const entries = await lastEntries();
      expect(entries.map(({ step }) => step)).not.toContain('signed');
      expect(entries.at(-1)).toMatchObject({ step: 'refused', message: expect.stringMatching(says) });
    },
  );

  it('may be in the profile, by its chain, and is then used without an option', async () => {
    const { url, received: asked } = await lyingNode((method, result) => (method === 'eth_chainId' ? '0x1' : result));
    const set = (address: string) => journey.bursar(['profile', 'set', 'sandbox', `rpc_urls.polygon=${address}`]);
    expect((await set(url)).code).toBe(0);
    try {
      const { code, data } = await journey.json(run());
      expect({ code, message: data['error']?.['message'] }).toEqual({
        code: 10,
        message: expect.stringMatching(/node serves chain 1/),
      });
      expect(asked.length).toBeGreaterThan(0);
      expect((await journey.json([...run(), '--rpc-url', node])).code, 'the option outranks the profile').toBe(0);
      // `pay sign` asks the node for the chain of the crypto_tx, by a payment id and from a file.
      const { data: created } = await journey.json(['pay', 'register', '--body', 'payment.json']);
      const id = String(created['payment_id']);
      const create = ['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'];
      const by = ['--payer-wallet', journey.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'];
      const { data: answer } = await journey.json([...create, ...by]);
      await writeFile(join(journey.home, 'crypto_tx.json'), JSON.stringify(answer['crypto_tx']));
      for (const source of [[id], ['--unsigned', 'crypto_tx.json']]) {
        const signed = await journey.json(['pay', 'sign', ...source, '--key', 'payer']);
        expect({ source, code: signed.code, message: signed.data['error']?.['message'] }).toEqual({
          source,
          code: 10,
          message: expect.stringMatching(/node serves chain 1/),
        });
      }
    } finally {
      await set('');
    }
  });

  it('that does not answer is exit 5, before a signature', async () => {
    const { code, data } = await journey.json([...run(), '--rpc-url', 'http://127.0.0.1:9/key']);
    expect({ code, error: data['error'] }).toMatchObject({ code: 5, error: { code: 'unavailable' } });
    expect(JSON.stringify(data)).not.toContain('9/key');
    expect((await lastEntries()).map(({ step }) => step)).not.toContain('signed');
  });

  it.each([
    ['pay run', run()],
    ['pay execute', ['pay', 'execute', 'pay_0', '--key', 'payer', '--yes']],
  ])(
    'with an address that is not https, or no address: %s is exit 2 before a password or any call',
    async (_, args) => {
      for (const address of ['http://node.example', 'polygon']) {
        const seen: string[] = [];
        const { code, data } = await journey.through(watching(seen), () =>
          journey.json([...args, '--rpc-url', address], { env: { BURSAR_KEY_PASSWORD: 'wrong' } }),
        );
        expect({ code, message: data['error']?.['message'] }).toEqual({
          code: 2,
          message: expect.stringContaining('--rpc-url'),
        });
        expect(seen.filter((path) => !path.startsWith('/_sandbox'))).toEqual([]);
      }
    },
  );
});

describe('a refusal without a node', () => {
  it('is in the journal with its check, and nothing is signed', async () => {
    const cheat: Meddler = async ({ path }, forward) => {
      const answer = await forward();
      if (!path.endsWith('intents-create-transaction')) return answer;
      return { ...answer, body: answer.body.replace(RECEIVERS[0].slice(2), '3'.repeat(40)) };
    };
    const { code, stderr } = await journey.through(cheat, () => journey.bursar(run()));
    expect([code, stderr]).toEqual([10, expect.stringMatching(/^(?:✗|NO) reviewed/m)]);
    const entries = await lastEntries();
    expect(entries.at(-1)).toMatchObject({
      step: 'refused',
      checks: expect.arrayContaining([expect.objectContaining({ field: 'shares' })]),
    });
    expect(entries.map(({ step }) => step)).not.toContain('signed');
  });
});

const unsignedTx = async () => {
  const register = await journey.json(['pay', 'register', '--body', 'payment.json']);
  const id = String(register.data['payment_id']);
  const made = await journey.json([
    ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
    ...['--payer-wallet', journey.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
  ]);
  return JSON.stringify(made.data['crypto_tx']);
};

describe('review of a crypto_tx with --rpc-url', () => {
  const review = (stdin: string) => journey.bursar(['review', '-', '--json', '--rpc-url', node], { stdin });

  it('prints the simulation of the node', async () => {
    const { code, stdout } = await review(await unsignedTx());
    const { checks } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(JSON.stringify(checks)).toContain('Simulation: the payer loses 10 USDT');
  });

  it('is exit 10 when the node shows that the nonce is used', async () => {
    const { code, stdout } = await review((await unsignedTx()).replace(/"nonce":\d+/, '"nonce":0'));
    expect({ code, errors: JSON.parse(stdout).error.errors }).toMatchObject({ code: 10, errors: [{ field: 'nonce' }] });
  });
});

describe('pay sign --unsigned', () => {
  it('signs the facts that options state, without a terminal', async () => {
    const stdin = await unsignedTx();
    const args = ['pay', 'sign', '--unsigned', '-', '--key', 'payer', '--json', '--body', 'payment.json'];
    const { code, stdout, stderr } = await journey.bursar([...args, '--rpc-url', node], { stdin });
    expect(code, stderr).toBe(0);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['signed_transaction', 'hash', 'from']);
  });

  it('refuses a nonce that the node shows as used', async () => {
    const stdin = (await unsignedTx()).replace(/"nonce":\d+/, '"nonce":0');
    const { code, stdout } = await journey.bursar(
      ['pay', 'sign', '--unsigned', '-', '--key', 'payer', '--json', '--body', 'payment.json', '--rpc-url', node],
      { stdin },
    );
    expect(code).toBe(10);
    expect(JSON.parse(stdout).error.errors).toEqual([expect.objectContaining({ field: 'nonce' })]);
  });
});
