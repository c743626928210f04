import { AddressLookupTableAccount, type PublicKey } from '@solana/web3.js';
import { expect, test } from 'vitest';
import type { RequestedOperation } from '../../src/chain/solana/context.ts';
import { parseSolana } from '../../src/chain/solana/parse.ts';
import { reviewSolana } from '../../src/chain/solana/review.ts';
import { openNode } from '../../src/client/solana-rpc.ts';
import { type Kind, SOLANA_GENESIS } from '../../src/contract/chains.ts';
import { isFailure } from '../../src/core/failure.ts';
import { factsFrom } from '../../src/flows/solana/facts.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import {
  ata,
  bytesOf,
  DEPOSIT,
  depositSteps,
  FEES,
  keyOf,
  SANDBOX,
  SHARES,
  stranger,
  TOKEN,
  USDC,
  VAULT,
  wallet,
  withMinter,
} from '../chain/solana/given.ts';
import { deposit, newWallet, rebalance, sendOff, startYield, withdraw } from '../sandbox/yield/wallet.ts';
import { testIo } from '../support/io.ts';
import { startServer } from '../support/server.ts';

const start = async () => {
  const sandbox = await startYield();
  const { rpc_url } = (await sandbox.control('GET', 'solana')).body.data;
  const node = openNode(sandbox.io, rpc_url, { deadline: sandbox.io.clock.monotonic() + 20_000 });
  const key = await newWallet(sandbox);
  const reviewOf = async (transaction: string, requested: RequestedOperation | undefined, kind: Kind = 'sandbox') => {
    const unsigned = parseSolana(transaction);
    return reviewSolana({ unsigned, network: SANDBOX, requested, facts: await factsFrom(node, unsigned, kind) });
  };
  const request = (more: Partial<RequestedOperation>): RequestedOperation => ({
    kind: 'deposit',
    wallet: key.publicKey.toBase58(),
    asset: 'USDC',
    amount: '100',
    ...more,
  });
  return { sandbox, key, reviewOf, request };
};

const problemsOf = ({ checks }: Awaited<ReturnType<typeof reviewSolana>>) =>
  checks.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict }) => `${id} ${verdict}`);

test('the review passes the sandbox’s transactions with the facts of its node, with or without a request', async () => {
  const { sandbox, key, reviewOf, request } = await start();
  const first = (await deposit(sandbox, key)).body.data.transaction;
  const into = request({ providerIn: 'provider_a', fees: ['0.1'] });
  const reviewed = await reviewOf(first, into);
  expect(problemsOf(reviewed)).toEqual([]);
  const messages = reviewed.checks.filter(({ id }) => id === 'simulation').map(({ message }) => message);
  expect(messages).toEqual(["Simulation: the wallet's balance of USDC changes by -100, as requested."]);
  expect(problemsOf(await reviewOf(first, undefined))).toEqual([]);
  await sendOff(sandbox, key, await deposit(sandbox, key));
  const out = (await withdraw(sandbox, key, { amount: '50' })).body.data.transaction;
  expect(
    problemsOf(await reviewOf(out, request({ kind: 'withdraw', amount: '50', providerOut: 'provider_a' }))),
  ).toEqual([]);
  const both = { providerOut: 'provider_a', providerIn: 'provider_b' };
  const moved = (await rebalance(sandbox, key, { amount: '40' })).body.data.transaction;
  expect(problemsOf(await reviewOf(moved, request({ kind: 'rebalance', amount: '40', ...both })))).toEqual([]);
});

test('the review refuses a transaction that would fail on the chain', async () => {
  const { sandbox, key, reviewOf, request } = await start();
  const poor = await newWallet(sandbox, { token: 'USDC', amount: '99' });
  const { transaction } = (await deposit(sandbox, poor)).body.data;
  const into = request({ wallet: poor.publicKey.toBase58(), providerIn: 'provider_a', fees: ['0.1'] });
  const refused = await reviewOf(transaction, into);
  expect(problemsOf(refused)).toEqual(['funds refuse']);
  expect(refused.checks[0]?.message).toMatch(
    /^\w+ has 99 USDC on solana; the transaction needs 100 USDC \(1 USDC missing\)\.$/,
  );
  const rich = (await deposit(sandbox, key)).body.data.transaction;
  sandbox.advance(120_000);
  const late = await reviewOf(rich, request({ providerIn: 'provider_a', fees: ['0.1'] }));
  expect(late.checks[0]?.message).toContain('BlockhashNotFound');
});

/** The answer of a node to a method: a result, or a whole body with its HTTP status. */
type Answer = ((params: readonly unknown[]) => unknown) | { readonly http: number; readonly body: string };
type Answers = Readonly<Record<string, Answer>>;

/** A node of the sandbox's chain with what the sandbox does not have: lookup tables and faults. */
const startNode = async (answers: Answers) => {
  const all: Answers = { getGenesisHash: () => SOLANA_GENESIS.sandbox, ...answers };
  const { url } = await startServer((received, response) => {
    const { method, params } = JSON.parse(received.body);
    const answer = all[method];
    if (typeof answer === 'object') return void response.writeHead(answer.http).end(answer.body);
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answer?.(params) }));
  });
  const { io } = await testIo({ io: { http: systemHttp(new AbortController().signal) } });
  return openNode(io, `${url}/?api-key=hidden`, { deadline: io.clock.monotonic() + 5_000 });
};

/** The answer of getMultipleAccounts: one account for each requested address. */
const accounts =
  (make: (address: string) => unknown) =>
  ([addresses]: readonly unknown[]) => ({ value: (addresses as string[]).map(make) });

const TABLE = keyOf('a lookup table').publicKey;

const tableAccount = (addresses: readonly PublicKey[], deactivated = 2n ** 64n - 1n) => {
  const head = Buffer.alloc(56);
  head.writeUInt32LE(1, 0);
  head.writeBigUInt64LE(deactivated, 4);
  const data = Buffer.concat([head, ...addresses.map((address) => address.toBytes())]).toString('base64');
  return { lamports: 1, owner: 'AddressLookupTab1e1111111111111111111111111', data: [data, 'base64'] };
};

const usdcOfWallet = () => {
  const data = Buffer.alloc(165);
  USDC.toBuffer().copy(data, 0);
  wallet.toBuffer().copy(data, 32);
  data.writeBigUInt64LE(1_000_000_000n, 64);
  data[108] = 1;
  return { lamports: 2_039_280, owner: TOKEN.toBase58(), data: [data.toString('base64'), 'base64'] };
};

/** The accounts of a wallet with enough SOL and USDC for a deposit. */
const RICH: Readonly<Record<string, unknown>> = {
  [wallet.toBase58()]: { lamports: 1_000_000_000, owner: '11111111111111111111111111111111', data: ['', 'base64'] },
  [ata(wallet).toBase58()]: usdcOfWallet(),
};

const ADDRESSES = [FEES, VAULT, ata(VAULT), ata(FEES), USDC, SHARES];
const withTable = () => {
  const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0 };
  const tables = [new AddressLookupTableAccount({ key: TABLE, state: { ...state, addresses: ADDRESSES } })];
  return parseSolana(bytesOf(depositSteps(), { ...withMinter, tables }));
};

test.each<[string, ReturnType<typeof tableAccount> | null, string[]]>([
  ['with the right addresses', tableAccount(ADDRESSES), ['simulation refuse']],
  [
    'with a stranger in place of the vault',
    tableAccount([FEES, VAULT, ata(stranger), ata(FEES), USDC, SHARES]),
    ['simulation refuse', 'receivers confirm'],
  ],
  ['that is deactivated', tableAccount(ADDRESSES, 5n), ['lookup_tables refuse']],
  ['that is too short', tableAccount([]), ['lookup_tables refuse']],
  ['of another program', { ...tableAccount(ADDRESSES), owner: wallet.toBase58() }, ['lookup_tables refuse']],
  ['that does not exist', null, ['lookup_tables refuse']],
])('the review uses the lookup table of the node: a table %s', async (_, account, problems) => {
  const unsigned = withTable();
  const node = await startNode({
    getMultipleAccounts: accounts((address) => (address === TABLE.toBase58() ? account : (RICH[address] ?? null))),
    simulateTransaction: () => ({ value: { err: { InstructionError: [3, 'Custom'] }, accounts: null } }),
  });
  const facts = await factsFrom(node, unsigned, 'sandbox');
  const ids = problemsOf(reviewSolana({ unsigned, network: SANDBOX, requested: DEPOSIT, facts }));
  expect(ids).toEqual(expect.arrayContaining(problems));
  if (!problems.includes('lookup_tables refuse')) expect(ids).toEqual(problems);
});

test('a transaction whose blockhash is not final yet is simulated with the accounts of the same blocks', async () => {
  const isNewest = ([, options]: readonly unknown[]) => (options as { commitment?: string }).commitment === 'processed';
  const ofAddresses = accounts((address) => RICH[address] ?? null);
  const node = await startNode({
    // By default a node answers for final blocks, which lack the newest balances and the newest blockhash.
    getMultipleAccounts: (params) => (isNewest(params) ? ofAddresses(params) : accounts(() => null)(params)),
    simulateTransaction: (params) => {
      const { addresses } = (params[1] as { accounts: { addresses: string[] } }).accounts;
      if (!isNewest(params)) return { value: { err: 'BlockhashNotFound', accounts: null } };
      return { value: { err: null, accounts: ofAddresses([addresses]).value } };
    },
  });
  const { held, simulation } = await factsFrom(node, parseSolana(bytesOf(depositSteps(), withMinter)), 'sandbox');
  expect(simulation?.error).toBeUndefined();
  expect(held?.find(({ address }) => address === wallet.toBase58())?.state?.lamports).toBe(1_000_000_000n);
});

test.each<[string, Answers, Kind, string]>([
  ['of another chain', {}, 'live', 'bad_settings'],
  ['that answers HTTP 500', { getMultipleAccounts: { http: 500, body: '' } }, 'sandbox', 'unexpected_answer'],
  ['that answers with HTML', { getMultipleAccounts: { http: 200, body: '<html>' } }, 'sandbox', 'unexpected_answer'],
  [
    'that answers with a JSON-RPC error',
    { getMultipleAccounts: { http: 200, body: '{"error":{"message":"no\\u001b"}}' } },
    'sandbox',
    'unexpected_answer',
  ],
  ['that lists too few accounts', { getMultipleAccounts: () => ({ value: [null] }) }, 'sandbox', 'unexpected_answer'],
  [
    'that answers with invalid accounts',
    { getMultipleAccounts: accounts(() => ({ lamports: -1 })) },
    'sandbox',
    'unexpected_answer',
  ],
])('a node %s fails the review, and the failure hides the key of its address', async (_, answers, kind, code) => {
  const node = await startNode(answers);
  const error = await factsFrom(node, parseSolana(bytesOf(depositSteps(), withMinter)), kind).catch(
    (thrown: unknown) => thrown,
  );
  if (!isFailure(error)) throw new Error('the facts were accepted');
  expect(error.code).toBe(code);
  const text = `${error.message} ${error.details.hint}`;
  expect([text.includes('hidden'), text.includes('\u001b')]).toEqual([false, false]);
});

test('a node address of another machine needs https and has no credentials', async () => {
  const { io } = await testIo();
  for (const address of ['http://node.example', 'ftp://node.example', 'node', 'https://me:secret@node.example']) {
    expect(() => openNode(io, address, { deadline: 1 })).toThrow(/https/);
  }
  expect(openNode(io, 'https://node.example/?api-key=x', { deadline: 1 }).origin).toBe('https://node.example');
});
