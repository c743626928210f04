import * as z from 'zod';
import { SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import { ask, fromHex, type Rpc, toHex } from './rpc.ts';

/**
 * The account that deploys the contracts and mints tokens. The address is not derived from a key, so no key exists for it.
 * Only a node that impersonates the account can send its transactions. Its first nonces decide the contracts' addresses.
 */
export const DEPLOYER = '0x5A4Db0C5000000000000000000000000000b0a5a';

/**
 * A mined transaction. `isGood` is false if it reverted. `index` is its position in the block; `at` is the block's time, in
 * seconds since 1970.
 */
type MinedTransaction = Readonly<NonNullable<ReturnType<typeof readMined>>>;

/** The node's refusal of a transaction, with its message. A refused transaction has no effect. */
type Refusal = { readonly ok: false; readonly message: string };

/** The base fee of every block, in wei: 1 gwei. By itself it would fall to nearly zero on a chain with little traffic. */
export const BASE_FEE = 1_000_000_000n;

/** Sets the base fee of the next block. anvil needs this call for each block. */
export const setBaseFee = (rpc: Rpc): Promise<unknown> =>
  ask(rpc, 'anvil_setNextBlockBaseFeePerGas', [toHex(BASE_FEE)]);

type Receipt = Readonly<
  Record<'status' | 'blockNumber' | 'transactionIndex', string> & { blockTimestamp: number }
> | null;

const readMined = (hash: string, receipt: Receipt) => {
  if (!receipt) return undefined;
  const { status, blockNumber, transactionIndex, blockTimestamp: at } = receipt;
  const place = { block: Number(fromHex(blockNumber)), at, index: Number(fromHex(transactionIndex)) };
  return { ok: true as const, hash, isGood: status === '0x1', ...place };
};

/** Mines the pending transactions. Resolves with the result for each hash; `undefined` if it is not in the block. */
const mineBlock = async (rpc: Rpc, hashes: readonly string[]): Promise<readonly (MinedTransaction | undefined)[]> => {
  await ask(rpc, 'evm_mine');
  const reads = hashes.map((hash) => ask(rpc, 'eth_getTransactionReceipt', [hash]));
  const [receipts] = await Promise.all([Promise.all(reads), setBaseFee(rpc)]);
  return hashes.map((hash, index) => readMined(hash, receipts[index] as Receipt));
};

/** anvil accepts a nonce that is too high. Such a transaction would wait forever for the missing nonces. */
const TOO_HIGH: Refusal = { ok: false, message: 'nonce too high' };

/** Sends transactions and mines them in one block. `undefined`: the node accepted the transaction and did not mine it. */
const sendAll = async (
  rpc: Rpc,
  method: string,
  transactions: readonly unknown[],
): Promise<readonly (MinedTransaction | Refusal | undefined)[]> => {
  const sent = await Promise.all(transactions.map((transaction) => rpc(method, [transaction])));
  const hashes = sent.flatMap((each) => (each.ok ? [String(each.result)] : []));
  if (hashes.length === 0) return sent.filter((each) => !each.ok);
  const { pending } = (await ask(rpc, 'txpool_status')) as { readonly pending: string };
  const isPoolEmpty = BigInt(pending) === 0n;
  const mined = isPoolEmpty ? hashes.map(() => undefined) : await mineBlock(rpc, hashes);
  const unmined = hashes.filter((_, index) => !mined[index]);
  await Promise.all(unmined.map((hash) => ask(rpc, 'anvil_dropTransaction', [hash])));
  const results = new Map(hashes.map((hash, index) => [hash, isPoolEmpty ? TOO_HIGH : mined[index]]));
  return sent.map((each) => (each.ok ? results.get(String(each.result)) : each));
};

/** anvil accepts some transactions that no block can contain, such as type 4 without an authorization (EIP-7702). */
const UNMINABLE: Refusal = { ok: false, message: 'no block can have this transaction' };

const sendOne = async (rpc: Rpc, method: string, transaction: unknown): Promise<MinedTransaction | Refusal> => {
  const [sent] = await sendAll(rpc, method, [transaction]);
  return sent ?? UNMINABLE;
};

/**
 * Mines signed transactions in one block. A transaction that is not in this block is sent again alone, which also gives the
 * reason for a refusal. Calls must not overlap, because their order is the chain's history.
 */
const mineSigned = async (rpc: Rpc, raws: readonly string[]): Promise<readonly (MinedTransaction | Refusal)[]> => {
  const [only] = raws;
  if (only !== undefined && raws.length === 1) return [await sendOne(rpc, 'eth_sendRawTransaction', only)];
  const shared = await sendAll(rpc, 'eth_sendRawTransaction', raws);
  const all: (MinedTransaction | Refusal)[] = [];
  for (const [index, each] of shared.entries()) {
    all.push(each ?? (await sendOne(rpc, 'eth_sendRawTransaction', raws[index])));
  }
  return all;
};

/** Fixed fees: a fee that the node suggests depends on its history, and a restarted node has lost that. */
const OWN_FEES = { gas: toHex(3_000_000), maxFeePerGas: toHex(2n * BASE_FEE), maxPriorityFeePerGas: '0x0' };

/** Mines a transaction of the deployer; without `to` it creates a contract. The transaction may revert. */
export const mineOwn = (
  rpc: Rpc,
  call: { readonly to?: string; readonly data: string },
): Promise<MinedTransaction | Refusal> => sendOne(rpc, 'eth_sendTransaction', { from: DEPLOYER, ...call, ...OWN_FEES });

const hex = z.string().regex(/^0x[0-9a-f]+$/i);

/** All kinds of changes of a chain. The same changes in the same order lead from one state to the same state again. */
const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signed'), raw: hex }),
  z.object({ kind: z.literal('coin'), to: hex, units: hex }),
  z.object({ kind: z.literal('mint'), token: z.enum(['USDT', 'USDC']), to: hex, units: hex }),
  z.object({ kind: z.literal('empty') }),
]);

/**
 * A change that was applied, and the hash of its transaction, if any. `joined`: the transaction shares the block of the
 * change before. `block` and `at` are the number of the block and its time, in seconds since 1970. Logs of earlier versions
 * have neither.
 */
export const appliedChangeSchema = z.object({
  change: changeSchema,
  hash: hex.optional(),
  joined: z.literal(true).optional(),
  block: z.int().min(1).optional(),
  at: z.int().min(0).optional(),
});

/**
 * A change of a chain: a signed transaction, new native coin, new tokens, or a block without transactions. Units are the
 * smallest ones, in hex.
 */
export type Change = Readonly<z.infer<typeof changeSchema>>;
/** A change that was applied, see `appliedChangeSchema`. */
export type AppliedChange = Readonly<z.infer<typeof appliedChangeSchema>>;

/** The result of a change: its transaction, if any, or the node's refusal. A refused change has no effect. */
export type ChangeResult = { readonly ok: true; readonly mined?: MinedTransaction } | Refusal;

/** `applied`: the result of each change, in the order of the input. `made`: the effective changes, in the chain's order. */
type Outcome = { readonly applied: readonly ChangeResult[]; readonly made: readonly AppliedChange[] };

const positionOf = ({ hash, block, at }: MinedTransaction) => ({ hash, block, at });

const headerOf = async (rpc: Rpc, block: number) => {
  const header = (await ask(rpc, 'eth_getBlockByNumber', [toHex(block), false])) as { readonly timestamp: string };
  return { block, at: Number(fromHex(header.timestamp)) };
};

const emptyBlock = async (rpc: Rpc, block: number): Promise<AppliedChange> => ({
  change: { kind: 'empty' },
  ...(await headerOf(rpc, block)),
});

/**
 * Adds the blocks without transactions, which a refused transaction may have caused. Without them, a replay of the log would
 * give a different chain. `height` is the newest block before the changes, and after them in the result.
 */
const withEmptyBlocks = async (rpc: Rpc, { applied, made }: Outcome, height: number) => {
  const last = made.reduce((highest, { block }) => Math.max(highest, block ?? 0), height);
  const isClean = applied.every(({ ok }) => ok);
  const newest = isClean ? last : Number(fromHex(await ask(rpc, 'eth_blockNumber')));
  const known = new Set(made.map(({ block }) => block));
  const numbers = Array.from({ length: newest - height }, (_, at) => height + 1 + at);
  const empty = await Promise.all(
    numbers.filter((number) => !known.has(number)).map((block) => emptyBlock(rpc, block)),
  );
  const all = [...made, ...empty].toSorted((a, b) => (a.block ?? 0) - (b.block ?? 0));
  return { applied, made: all, height: newest };
};

type Signed = Extract<Change, { readonly kind: 'signed' }>;
type Empty = Extract<Change, { readonly kind: 'empty' }>;
type Gift = Exclude<Change, Signed | Empty>;

const isSigned = (change: Change): change is Signed => change.kind === 'signed';

const resultOf = (mined: MinedTransaction | Refusal): ChangeResult => (mined.ok ? { ok: true, mined } : mined);

const addCoin = async (rpc: Rpc, to: string, units: string): Promise<ChangeResult> => {
  const balance = fromHex(await ask(rpc, 'eth_getBalance', [to, 'latest']));
  await ask(rpc, 'anvil_setBalance', [to, toHex(balance + fromHex(units))]);
  return { ok: true };
};

const give = async (rpc: Rpc, gift: Gift): Promise<ChangeResult> => {
  if (gift.kind === 'coin') return addCoin(rpc, gift.to, gift.units);
  const { encodeMint } = await import('./contracts/encode.ts');
  const data = encodeMint({ to: gift.to, units: fromHex(gift.units) });
  return resultOf(await mineOwn(rpc, { to: SANDBOX_CONTRACTS[gift.token], data }));
};

const applyGift = async (rpc: Rpc, change: Gift): Promise<Outcome> => {
  const applied = await give(rpc, change);
  if (!applied.ok) return { applied: [applied], made: [] };
  return { applied: [applied], made: [{ change, ...(applied.mined && positionOf(applied.mined)) }] };
};

const mineEmpty = async (rpc: Rpc): Promise<Outcome> => {
  await ask(rpc, 'evm_mine');
  await setBaseFee(rpc);
  const made = await emptyBlock(rpc, Number(fromHex(await ask(rpc, 'eth_blockNumber'))));
  return { applied: [{ ok: true }], made: [made] };
};

/** Sorts by block and position. The node decides the order within a block. */
const byPosition = (a: { readonly mined: MinedTransaction }, b: { readonly mined: MinedTransaction }): number =>
  a.mined.block - b.mined.block || a.mined.index - b.mined.index;

const applySigned = async (rpc: Rpc, changes: readonly Signed[]): Promise<Outcome> => {
  const raws = changes.map(({ raw }) => raw);
  const all = await mineSigned(rpc, raws);
  const mined = changes.flatMap((change, at) => {
    const each = all[at];
    return each?.ok ? [{ change, mined: each }] : [];
  });
  const made = mined.toSorted(byPosition).map(({ change, mined: each }) => ({
    change,
    ...positionOf(each),
    ...(each.index > 0 && { joined: true as const }),
  }));
  return { applied: all.map(resultOf), made };
};

/** The next changes of one block. Signed transactions share a block; every other change has its own. */
const nextOf = (changes: readonly Change[]): readonly Change[] => {
  const end = changes.findIndex((change) => !isSigned(change));
  return changes.slice(0, end < 0 ? changes.length : Math.max(end, 1));
};

const applyNext = (rpc: Rpc, block: readonly Change[]): Promise<Outcome> => {
  const [first] = block;
  if (!first || isSigned(first)) return applySigned(rpc, block.filter(isSigned));
  return first.kind === 'empty' ? mineEmpty(rpc) : applyGift(rpc, first);
};

/**
 * Applies changes to the chain, in this order. `height` is the number of the newest block before the changes, and after them
 * in the result. Calls must not overlap.
 */
export const applyChanges = async (rpc: Rpc, changes: readonly Change[], height: number) => {
  const applied: ChangeResult[] = [];
  const made: AppliedChange[] = [];
  let newest = height;
  while (applied.length < changes.length) {
    const outcome = await applyNext(rpc, nextOf(changes.slice(applied.length)));
    const whole = await withEmptyBlocks(rpc, outcome, newest);
    applied.push(...whole.applied);
    made.push(...whole.made);
    newest = whole.height;
  }
  return { applied, made, height: newest };
};
