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
const callResult = (returnData: string, logs: readonly unknown[] = []) => ({
  status: '0x1',
  returnData,
  logs,
  gasUsed: '0x1',
});
const balanceResult = (units: bigint) => callResult(`0x${word(units)}`);

/** A simulation: the balances of USDT and USDC before and after the transaction, and its events. */
const simulated = (usdt: [bigint, bigint], usdc: [bigint, bigint], logs: readonly unknown[] = []) => [
  {
    calls: [
      balanceResult(usdt[0]),
      balanceResult(usdc[0]),
      callResult('0x', logs),
      balanceResult(usdt[1]),
      balanceResult(usdc[1]),
    ],
  },
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

/** Starts a node that gives these answers; an object with a code becomes a JSON-RPC error. */
const startNode = async (answers: Answers) => {
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
const factsOf = async (answers: Answers) => readFacts((await startNode(answers)).node, unsigned, NETWORK);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('nothing was thrown'),
    (error: unknown) => {
      if (isFailure(error)) return { code: error.code, message: error.message };
      throw error;
    },
  );

describe('the facts from a node', () => {
  it('are its numbers; measured balances take precedence over transfer events', async () => {
    const falseEvent = log(USDT, 'Transfer(address,address,uint256)', [PAYER, ANNA], `0x${word(1n)}`);
    const facts = await factsOf({ ...HONEST, eth_simulateV1: simulated([100n, 90n], [5n, 5n], [falseEvent]) });
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

  it('include the coin, other tokens and collections by their transfer events', async () => {
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

  it('list what the payer permits others to spend, without revocations and permissions of others', async () => {
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

  it('shorten a long error message, and show a message that is no text as JSON', async () => {
    const simulationWith = async (answer: object) => (await factsOf({ ...HONEST, eth_simulateV1: answer })).simulation;
    const long = await simulationWith({ code: 3, message: 'a'.repeat(100_000) });
    expect(JSON.stringify(long).length).toBeLessThan(400);
    const failed = simulated([1n, 1n], [1n, 1n]);
    const error = { message: 'a'.repeat(100_000) };
    failed[0]?.calls.splice(2, 1, { ...callResult('0x'), status: '0x0', error } as never);
    expect(JSON.stringify(await simulationWith(failed)).length).toBeLessThan(400);
    expect(await simulationWith({ code: 3, message: { toString: 1 } })).toEqual({
      kind: 'fails',
      reason: '{"toString":1}',
    });
    expect(await simulationWith({ code: 3 })).toEqual({ kind: 'fails', reason: 'null' });
  });

  it('show a failure when the call fails in the block or the node refuses to run the transaction', async () => {
    const failed = simulated([1n, 1n], [1n, 1n]);
    failed[0]?.calls.splice(2, 1, { ...callResult('0x'), status: '0x0', error: { message: 'paused' } } as never);
    expect((await factsOf({ ...HONEST, eth_simulateV1: failed })).simulation).toEqual({
      kind: 'fails',
      reason: 'paused',
    });
    const poor = { code: -32_003, message: 'Insufficient funds' };
    expect((await factsOf({ ...HONEST, eth_simulateV1: poor })).simulation).toMatchObject({ kind: 'fails' });
  });

  it('without eth_simulateV1 show only whether the transaction runs', async () => {
    const none = { ...HONEST, eth_simulateV1: { code: -32_601, message: 'method not found' } };
    expect((await factsOf({ ...none, eth_call: '0x' })).simulation).toEqual({ kind: 'runs' });
    const reverts = { code: 3, message: 'execution reverted: paused' };
    expect((await factsOf({ ...none, eth_call: reverts })).simulation).toMatchObject({
      kind: 'fails',
      reason: reverts.message,
    });
  });

  it('of another chain end after eth_chainId, so that the node gets nothing of the payment', async () => {
    const { node, received } = await startNode({ ...HONEST, eth_chainId: '0x89' });
    expect(await readFacts(node, unsigned, NETWORK)).toMatchObject({ chainId: 137n });
    expect(received.map(({ body }) => JSON.parse(body).method)).toEqual(['eth_chainId']);
  });

  it('are requested without the API key of the service', async () => {
    const { node, received } = await startNode(HONEST);
    await readFacts(node, unsigned, NETWORK);
    expect(received.length).toBe(6);
    for (const { headers } of received) expect(Object.keys(headers)).not.toContain('x-api-key');
  });
});

describe('the read of facts from a node', () => {
  it.each<[string, Answers]>([
    ['a chain id that is no hex text', { ...HONEST, eth_chainId: 137 }],
    ['an error in place of a nonce', { ...HONEST, eth_getTransactionCount: { code: -1, message: 'busy' } }],
    ['an empty simulation', { ...HONEST, eth_simulateV1: [] }],
    ['a simulation with too few calls', { ...HONEST, eth_simulateV1: [{ calls: [callResult('0x')] }] }],
    ['a simulation that is text', { ...HONEST, eth_simulateV1: 'fine' }],
  ])('fails for %s', async (_, answers) => {
    expect(await failureOf(factsOf(answers))).toMatchObject({ code: 'unexpected_answer' });
  });

  it.each([['<html>'], ['[]'], ['{"jsonrpc":"2.0","id":1}'], ['null']])(
    'fails for the body %s, without the key of the node address in the message',
    async (body) => {
      const { url } = await startServer(raw(200, body));
      const { code, message } = await failureOf(readFacts(await open(`${url}/provider-key`), unsigned, NETWORK));
      expect(code).toBe('unexpected_answer');
      expect(message).not.toContain('provider-key');
    },
  );

  it('fails when nothing listens, without the key of the node address in the message', async () => {
    const node = await open('http://127.0.0.1:9/provider-key');
    const { code, message } = await failureOf(readFacts(node, unsigned, NETWORK));
    expect(code).toBe('unavailable');
    expect(message).not.toContain('provider-key');
  });

  it.each(['http://node.example/key', 'ftp://node.example', 'node.example', 'https://user:pw@node.example/'])(
    'rejects the node address %s',
    async (address) => {
      await expect(open(address)).rejects.toThrow(/--rpc-url/);
    },
  );
});

describe('the events that a simulation reads', () => {
  it('have the hashes of their signatures, as ethers computes them', () => {
    for (const [signature, hash] of Object.entries(EVENTS)) expect(id(signature)).toBe(hash);
  });
});
