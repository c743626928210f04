import { id } from 'ethers/hash';
import { describe, expect, it } from 'vitest';
import { openNode } from '../../src/client/node.ts';
import { isFailure } from '../../src/core/failure.ts';
import { readFacts } from '../../src/flows/node/read-facts.ts';
import { EVENTS } from '../../src/flows/node/simulate.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import { ANNA, givenCall, NETWORK, PAYER, STRANGER, transferData, USDC, USDT } from '../chain/evm/given.ts';
import { testIo } from '../support/io.ts';
import { raw, startServer } from '../support/server.ts';

const SPARE = '0x7777777777777777777777777777777777777777';

type Answers = Readonly<Record<string, unknown>>;

const word = (value: bigint | string) =>
  (typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, '0');
const topic = (address: string) => `0x${word(address)}`;
const log = (address: string, event: keyof typeof EVENTS, topics: readonly string[], data = '0x') => ({
  address,
  topics: [EVENTS[event], ...topics.map(topic)],
  data,
});
const called = (returnData: string, logs: readonly unknown[] = []) => ({
  status: '0x1',
  returnData,
  logs,
  gasUsed: '0x1',
});
const held = (units: bigint) => called(`0x${word(units)}`);

/** USDT before and after, USDC before and after, and the events of the transaction between. */
const simulated = (usdt: [bigint, bigint], usdc: [bigint, bigint], logs: readonly unknown[] = []) => [
  { calls: [held(usdt[0]), held(usdc[0]), called('0x', logs), held(usdt[1]), held(usdc[1])] },
];

const HONEST: Answers = {
  eth_chainId: '0xf42c9',
  eth_getTransactionCount: '0x7',
  eth_getBalance: '0x9',
  eth_call: `0x${word(100n)}`,
  eth_simulateV1: simulated([100n, 90n], [5n, 5n]),
};

const open = async (address: string) => {
  const { io } = await testIo({ io: { http: systemHttp(new AbortController().signal) } });
  return openNode(io, address, { deadline: Number.POSITIVE_INFINITY });
};

/** A node that answers as it is told; an object with a code is an error. */
const nodeThat = async (answers: Answers) => {
  const server = await startServer(({ body }, response) => {
    const { method } = JSON.parse(body);
    const answer = answers[method] as { code?: number };
    const part = typeof answer?.code === 'number' ? { error: answer } : { result: answer };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...part }));
  });
  return { ...server, node: await open(`${server.url}/v2/provider-key?token=provider-key`) };
};
const unsigned = givenCall(USDT, transferData(ANNA, 10n));
const factsOf = async (answers: Answers) => readFacts((await nodeThat(answers)).node, unsigned, NETWORK);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('nothing was thrown'),
    (error: unknown) => {
      if (isFailure(error)) return { code: error.code, message: error.message };
      throw error;
    },
  );

describe('what a node says', () => {
  it('is read as its numbers, and balances that were measured count before events', async () => {
    const lie = log(USDT, 'Transfer(address,address,uint256)', [PAYER, ANNA], `0x${word(1n)}`);
    const facts = await factsOf({ ...HONEST, eth_simulateV1: simulated([100n, 90n], [5n, 5n], [lie]) });
    expect(facts).toEqual({
      chainId: 1_000_137n,
      minedNonce: 7n,
      pendingNonce: 7n,
      coin: 9n,
      tokens: new Map([[USDT.toLowerCase(), 100n]]),
      simulation: {
        kind: 'shown',
        changes: [{ of: USDT.toLowerCase(), units: -10n }],
        gains: [{ of: USDT.toLowerCase(), to: ANNA, units: 1n }],
        permissions: [],
      },
    });
  });

  it('tells of the coin, of other tokens and of collections by their events', async () => {
    const logs = [
      log(
        '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
        'Transfer(address,address,uint256)',
        [PAYER, ANNA],
        `0x${word(3n)}`,
      ),
      log(STRANGER, 'Transfer(address,address,uint256)', [PAYER, ANNA], `0x${word(4n)}`),
      log(STRANGER, 'Transfer(address,address,uint256)', [ANNA, PAYER], `0x${word(1n)}`),
      log(ANNA, 'Transfer(address,address,uint256)', [PAYER, STRANGER, ANNA]),
      log(SPARE, 'TransferSingle(address,address,address,uint256,uint256)', [ANNA, PAYER, STRANGER], '0x'),
      log(USDC, 'Transfer(address,address,uint256)', [STRANGER, ANNA], `0x${word(9n)}`),
    ];
    const { simulation } = await factsOf({ ...HONEST, eth_simulateV1: simulated([1n, 1n], [5n, 5n], logs) });
    expect(simulation).toEqual({
      kind: 'shown',
      permissions: [],
      gains: [
        { of: 'coin', to: ANNA, units: 3n },
        { of: STRANGER, to: ANNA, units: 3n },
        { of: ANNA, to: STRANGER, units: 1n },
        { of: SPARE, to: STRANGER, units: 1n },
        { of: USDC.toLowerCase(), to: ANNA, units: 9n },
      ],
      changes: [
        { of: 'coin', units: -3n },
        { of: STRANGER, units: -3n },
        { of: ANNA, units: -1n },
        { of: SPARE, units: -1n },
      ],
    });
  });

  it('tells what the payer lets others take, and not what it takes back or others do', async () => {
    const all = `0x${word(1n)}`;
    const logs = [
      log(USDT, 'Approval(address,address,uint256)', [PAYER, STRANGER], all),
      log(USDC, 'ApprovalForAll(address,address,bool)', [PAYER, STRANGER], all),
      log(SPARE, 'Approval(address,address,address,uint160,uint48)', [PAYER, USDC, ANNA], all),
      log(SPARE, 'Permit(address,address,address,uint160,uint48,uint48)', [PAYER, USDT, ANNA], all),
      log(USDT, 'Approval(address,address,uint256)', [PAYER, ANNA], `0x${word(0n)}`),
      log(USDT, 'Approval(address,address,uint256)', [ANNA, STRANGER], all),
    ];
    const { simulation } = await factsOf({ ...HONEST, eth_simulateV1: simulated([1n, 1n], [5n, 5n], logs) });
    expect(simulation).toMatchObject({
      permissions: [
        { token: USDT, spender: STRANGER },
        { token: USDC, spender: STRANGER },
        { token: USDC.toLowerCase(), spender: ANNA },
        { token: USDT.toLowerCase(), spender: ANNA },
      ],
    });
  });

  it('is cut where it is long, and shown where it is no text', async () => {
    const fails = async (error: object) => (await factsOf({ ...HONEST, eth_simulateV1: error })).simulation;
    const long = await fails({ code: 3, message: 'a'.repeat(100_000) });
    expect(JSON.stringify(long).length).toBeLessThan(400);
    const failed = simulated([1n, 1n], [1n, 1n]);
    const error = { message: 'a'.repeat(100_000) };
    failed[0]?.calls.splice(2, 1, { ...called('0x'), status: '0x0', error } as never);
    expect(JSON.stringify(await fails(failed)).length).toBeLessThan(400);
    expect(await fails({ code: 3, message: { toString: 1 } })).toEqual({ kind: 'fails', reason: '{"toString":1}' });
    expect(await fails({ code: 3 })).toEqual({ kind: 'fails', reason: 'null' });
  });

  it('is that it fails when the call in the block failed, or the node refused to run it', async () => {
    const failed = simulated([1n, 1n], [1n, 1n]);
    failed[0]?.calls.splice(2, 1, { ...called('0x'), status: '0x0', error: { message: 'paused' } } as never);
    expect((await factsOf({ ...HONEST, eth_simulateV1: failed })).simulation).toEqual({
      kind: 'fails',
      reason: 'paused',
    });
    const poor = { code: -32_003, message: 'Insufficient funds' };
    expect((await factsOf({ ...HONEST, eth_simulateV1: poor })).simulation).toMatchObject({ kind: 'fails' });
  });

  it('without eth_simulateV1 is only whether it runs', async () => {
    const none = { ...HONEST, eth_simulateV1: { code: -32_601, message: 'method not found' } };
    expect((await factsOf({ ...none, eth_call: '0x' })).simulation).toEqual({ kind: 'runs' });
    const reverts = { code: 3, message: 'execution reverted: paused' };
    expect((await factsOf({ ...none, eth_call: reverts })).simulation).toMatchObject({
      kind: 'fails',
      reason: reverts.message,
    });
  });

  it('of another chain ends the questions: that node learns nothing of the payment', async () => {
    const { node, received } = await nodeThat({ ...HONEST, eth_chainId: '0x89' });
    expect(await readFacts(node, unsigned, NETWORK)).toMatchObject({ chainId: 137n });
    expect(received.map(({ body }) => JSON.parse(body).method)).toEqual(['eth_chainId']);
  });

  it('is asked for without any key of the service', async () => {
    const { node, received } = await nodeThat(HONEST);
    await readFacts(node, unsigned, NETWORK);
    expect(received.length).toBe(6);
    for (const { headers } of received) expect(Object.keys(headers)).not.toContain('x-api-key');
  });
});

describe('an answer that no node gives stops the payment before anything is signed', () => {
  it.each<[string, Answers]>([
    ['a chain id that is no number', { ...HONEST, eth_chainId: 137 }],
    ['a nonce that is an error', { ...HONEST, eth_getTransactionCount: { code: -1, message: 'busy' } }],
    ['a simulation of nothing', { ...HONEST, eth_simulateV1: [] }],
    ['a simulation of fewer calls', { ...HONEST, eth_simulateV1: [{ calls: [called('0x')] }] }],
    ['a simulation that is text', { ...HONEST, eth_simulateV1: 'fine' }],
  ])('%s', async (_, answers) => {
    expect(await failureOf(factsOf(answers))).toMatchObject({ code: 'unexpected_answer' });
  });

  it.each([['<html>'], ['[]'], ['{"jsonrpc":"2.0","id":1}'], ['null']])('the body %s', async (body) => {
    const { url } = await startServer(raw(200, body));
    const { code, message } = await failureOf(readFacts(await open(`${url}/provider-key`), unsigned, NETWORK));
    expect(code).toBe('unexpected_answer');
    expect(message).not.toContain('provider-key');
  });

  it('nobody there: and the key in the path of its address is not told', async () => {
    const node = await open('http://127.0.0.1:9/provider-key');
    const { code, message } = await failureOf(readFacts(node, unsigned, NETWORK));
    expect(code).toBe('unavailable');
    expect(message).not.toContain('provider-key');
  });

  it.each(['http://node.example/key', 'ftp://node.example', 'node.example', 'https://user:pw@node.example/'])(
    'the address %s is none that a node may have',
    async (address) => {
      await expect(open(address)).rejects.toThrow(/--rpc-url/);
    },
  );
});

describe('the events that are looked for', () => {
  it('are known by the hash of their signature, as ethers computes it', () => {
    for (const [signature, hash] of Object.entries(EVENTS)) expect(id(signature)).toBe(hash);
  });
});
