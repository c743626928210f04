import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Meddler } from '../support/journey.ts';
import { overriding } from '../support/overriding.ts';
import { type Received, type Responder, startServer } from '../support/server.ts';
import { asked, isBroadcast, startYieldJourney, type YieldJourney } from '../support/yield-journey.ts';

let journey: YieldJourney;
let rpcUrl: string;

beforeAll(async () => {
  journey = await startYieldJourney();
  rpcUrl = String((await journey.json(['sandbox', 'chain', 'solana'])).data['rpc_url']);
});

afterAll(() => journey.end());

type Forward = () => Promise<string>;

const methodOf = ({ body }: Received): string => JSON.parse(body).method;

/** A relay to the node of the sandbox, with a function for each sendTransaction. */
const nodeWith = (onSend: (forward: Forward, response: Parameters<Responder>[1]) => Promise<string | undefined>) =>
  startServer(async (request, response) => {
    const forward = async () => (await fetch(rpcUrl, { method: 'POST', body: request.body })).text();
    const answer = methodOf(request) === 'sendTransaction' ? await onSend(forward, response) : await forward();
    if (answer !== undefined) response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });

const sendings = (received: readonly Received[]): number =>
  received.filter((each) => methodOf(each) === 'sendTransaction').length;

const send = (url: string, operation = 'deposit', ...more: readonly string[]) =>
  journey.json(overriding([...asked(operation), '--broadcast', '--yes', '--rpc-url', url], more));

/** Runs some work and counts the broadcasts through the service. */
const withoutService = async <T>(work: () => Promise<T>) => {
  let broadcasts = 0;
  const watching: Meddler = ({ path }, forward) => {
    if (isBroadcast(path)) broadcasts += 1;
    return forward();
  };
  return { result: await journey.through(watching, work), broadcasts };
};

describe('a node of the user', () => {
  it.each(['deposit', 'rebalance', 'withdraw'])('sends a %s, which lands, without the service', async (operation) => {
    const amount = operation === 'deposit' ? '10' : '2';
    const { result, broadcasts } = await withoutService(() => send(rpcUrl, operation, '--amount', amount));
    expect(result).toMatchObject({ code: 0, data: { status: 'landed', operation } });
    expect(broadcasts).toBe(0);
  });

  it('sends a rebalance in two transactions, one after the other', async () => {
    await journey.json([...asked('deposit', 'EURC', '10'), '--broadcast', '--yes']);
    const run = [...asked('rebalance', 'EURC', '5'), '--broadcast', '--yes', '--rpc-url', rpcUrl];
    expect(await journey.json(run)).toMatchObject({ code: 0, data: { transaction_hashes: { length: 2 } } });
    expect(await journey.position('provider_b', 'EURC')).toBe('5');
  });

  it('with a lost answer shows on the chain that the transaction landed: exit 0, sent once', async () => {
    const node = await nodeWith(async (forward, response) => {
      await forward();
      response.destroy();
      return undefined;
    });
    const before = Number(await journey.position('provider_a'));
    expect(await send(node.url)).toMatchObject({ code: 0, data: { status: 'landed' } });
    expect([sendings(node.received), Number(await journey.position('provider_a')) > before + 9]).toEqual([1, true]);
  });

  it('that drops the transaction leaves the outcome unknown: exit 11 with the hash, sent once', async () => {
    const node = await nodeWith(async () => JSON.stringify({ jsonrpc: '2.0', id: 1, result: '1'.repeat(88) }));
    const { code, data } = await send(node.url, 'deposit', '--timeout', '8');
    expect({ code, error: data['error'] }).toMatchObject({
      code: 11,
      error: { code: 'outcome_unknown', data: { hash: expect.any(String) } },
    });
    expect(sendings(node.received)).toBe(1);
    const again = await send(node.url);
    expect(again).toMatchObject({ code: 11, data: { error: { data: data['error']?.['data'] } } });
    expect(sendings(node.received)).toBe(1);
    await journey.json(['sandbox', 'advance', '10m']);
    expect(await send(rpcUrl)).toMatchObject({ code: 0, data: { status: 'landed' } });
  });

  it('that lags behind settles no earlier transaction: exit 11', async () => {
    const swallowing = await nodeWith(async () => JSON.stringify({ jsonrpc: '2.0', id: 1, result: '1'.repeat(88) }));
    expect((await send(swallowing.url, 'withdraw', '--amount', '1', '--timeout', '8')).code).toBe(11);
    await journey.json(['sandbox', 'advance', '10m']);
    const lagging = await startServer(async ({ body }, response) => {
      const answer = (await (await fetch(rpcUrl, { method: 'POST', body })).json()) as { result: number };
      if (JSON.parse(body).method === 'getBlockTime') answer.result -= 3600;
      response.end(JSON.stringify(answer));
    });
    const { code, data } = await send(lagging.url, 'withdraw', '--amount', '1');
    expect({ code, error: data['error'] }).toMatchObject({ code: 11, error: { code: 'outcome_unknown' } });
    expect((await send(rpcUrl, 'withdraw', '--amount', '1')).code).toBe(0);
  });

  it('that refuses the transaction is exit 9, and the transaction is live until a node shows that it is dead', async () => {
    const error = { code: -32002, message: 'Transaction simulation failed: custom', data: { err: { Custom: 1 } } };
    const node = await nodeWith(async () => JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    const { code, data } = await send(node.url);
    expect({ code, error: data['error'] }).toMatchObject({
      code: 9,
      error: {
        code: 'rejected',
        data: { hash: expect.any(String), live: true },
        hint: expect.stringContaining('The node refused; the signed transaction may still be sent'),
        next: expect.stringMatching(new RegExp(`^bursar yield resume \\d{8}T\\S+ --rpc-url ${node.url}$`)),
      },
    });
    expect((await send(rpcUrl)).code).toBe(11);
    await journey.json(['sandbox', 'advance', '10m']);
    expect((await send(rpcUrl)).code).toBe(0);
  });

  it('whose simulation fails stops the deposit before a signature: exit 10', async () => {
    const before = await journey.signatures();
    const { code, data } = await send(rpcUrl, 'deposit', '--amount', '999999');
    expect({ code, error: data['error'] }).toMatchObject({ code: 10, error: { code: 'refused_by_review' } });
    expect(await journey.signatures()).toBe(before);
  });

  it('that does not answer is exit 5, and nothing is signed', async () => {
    const before = await journey.signatures();
    expect((await send('http://127.0.0.1:1')).code).toBe(5);
    expect(await journey.signatures()).toBe(before);
  });

  it('must be https or on this machine, and its address is not printed completely: exit 2', async () => {
    const { code, data } = await send('http://node.example/secret-key');
    expect({ code, error: JSON.stringify(data['error']).includes('secret-key') }).toEqual({ code: 2, error: false });
  });
});

describe('a blockhash that expires before it is sent', () => {
  it('is replaced when the node shows that the old transaction is dead: reviewed and signed again, landed once', async () => {
    let isFirst = true;
    const node = await nodeWith(async (forward) => {
      if (isFirst) await journey.json(['sandbox', 'advance', '10m']);
      isFirst = false;
      return forward();
    });
    const before = Number(await journey.held('USDC'));
    const { code, stderr, stdout } = await journey.bursar([
      ...[...asked('deposit'), '--broadcast', '--yes', '--verbose', '--json', '--rpc-url', node.url],
    ]);
    expect({ code, data: JSON.parse(stdout) }).toMatchObject({ code: 0, data: { status: 'landed' } });
    expect(sendings(node.received)).toBe(2);
    expect(stderr.match(/ reviewed /g)).toHaveLength(2);
    expect(stderr).toContain('expired and can never land');
    expect(Number(await journey.held('USDC'))).toBe(before - 10);
  });

  it('is not replaced while the old transaction may still land: exit 9, sent once', async () => {
    const error = { code: -32002, message: 'Blockhash not found', data: { err: 'BlockhashNotFound' } };
    const node = await nodeWith(async () => JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    const { code, data } = await send(node.url);
    expect({ code, error: data['error'] }).toMatchObject({ code: 9, error: { status: 'solana_blockhash_expired' } });
    expect(sendings(node.received)).toBe(1);
    expect((await send(node.url)).code).toBe(11);
    expect(sendings(node.received)).toBe(1);
  });
});
