import * as z from 'zod';
import { SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import { ask, fromHex, type Rpc, toHex } from './rpc.ts';

/**
 * Deploys the contracts and mints. The address is chosen, not derived, so that no key exists for it. Only a
 * node that impersonates it sends its transactions. With its first nonces it gives the contracts' addresses.
 */
export const DEPLOYER = '0x5A4Db0C5000000000000000000000000000b0a5a';

/** A transaction that was mined, in success or reverted; `index` is its place in the block, `at` the block's time in s. */
type Mined = Readonly<NonNullable<ReturnType<typeof minedAs>>>;

/** The node's words for why a transaction cannot be mined; then nothing has changed. */
type Refused = { readonly ok: false; readonly message: string };

/** Every block has this base fee: 1 gwei. Left alone it would sink to nothing in a chain with so little traffic. */
export const BASE_FEE = 1_000_000_000n;

/** Sets the base fee of the next block; anvil forgets it with each block. */
export const setBaseFee = (rpc: Rpc): Promise<unknown> =>
  ask(rpc, 'anvil_setNextBlockBaseFeePerGas', [toHex(BASE_FEE)]);

type Receipt = Readonly<
  Record<'status' | 'blockNumber' | 'transactionIndex', string> & { blockTimestamp: number }
> | null;

const minedAs = (hash: string, receipt: Receipt) => {
  if (!receipt) return undefined;
  const { status, blockNumber, transactionIndex, blockTimestamp: at } = receipt;
  const place = { block: Number(fromHex(blockNumber)), at, index: Number(fromHex(transactionIndex)) };
  return { ok: true as const, hash, isGood: status === '0x1', ...place };
};

/** Mines the waiting transactions. Resolves with those that are in the block. */
const mineBlock = async (rpc: Rpc, hashes: readonly string[]): Promise<readonly (Mined | undefined)[]> => {
  await ask(rpc, 'evm_mine');
  const asked = hashes.map((hash) => ask(rpc, 'eth_getTransactionReceipt', [hash]));
  const [receipts] = await Promise.all([Promise.all(asked), setBaseFee(rpc)]);
  return hashes.map((hash, index) => minedAs(hash, receipts[index] as Receipt));
};

/** anvil takes a nonce that is too high, and would wait for those before it for ever. */
const TOO_HIGH: Refused = { ok: false, message: 'nonce too high' };

/** Sends transactions and mines them in one block; `undefined` for what the node took and had no place for. */
const sendAll = async (
  rpc: Rpc,
  method: string,
  transactions: readonly unknown[],
): Promise<readonly (Mined | Refused | undefined)[]> => {
  const sent = await Promise.all(transactions.map((transaction) => rpc(method, [transaction])));
  const hashes = sent.flatMap((each) => (each.ok ? [String(each.result)] : []));
  if (hashes.length === 0) return sent.filter((each) => !each.ok);
  const { pending } = (await ask(rpc, 'txpool_status')) as { readonly pending: string };
  const isNone = BigInt(pending) === 0n;
  const mined = isNone ? hashes.map(() => undefined) : await mineBlock(rpc, hashes);
  const left = hashes.filter((_, index) => !mined[index]);
  await Promise.all(left.map((hash) => ask(rpc, 'anvil_dropTransaction', [hash])));
  const outcome = new Map(hashes.map((hash, index) => [hash, isNone ? TOO_HIGH : mined[index]]));
  return sent.map((each) => (each.ok ? outcome.get(String(each.result)) : each));
};

/** anvil takes some that no block can have, such as one of type 4 without an authorization (EIP-7702). */
const UNMINABLE: Refused = { ok: false, message: 'no block can have this transaction' };

const sendOne = async (rpc: Rpc, method: string, transaction: unknown): Promise<Mined | Refused> => {
  const [sent] = await sendAll(rpc, method, [transaction]);
  return sent ?? UNMINABLE;
};

/**
 * Mines signed transactions in one block. What found no place in it gets a block of its own, which then also says
 * what is wrong with it. Calls must not overlap: the order is the chain's history.
 */
const mineSigned = async (rpc: Rpc, raws: readonly string[]): Promise<readonly (Mined | Refused)[]> => {
  const [only] = raws;
  if (only !== undefined && raws.length === 1) return [await sendOne(rpc, 'eth_sendRawTransaction', only)];
  const together = await sendAll(rpc, 'eth_sendRawTransaction', raws);
  const all: (Mined | Refused)[] = [];
  for (const [index, each] of together.entries()) {
    all.push(each ?? (await sendOne(rpc, 'eth_sendRawTransaction', raws[index])));
  }
  return all;
};

/** Fees are pinned: a fee that the node suggests would depend on history that it loses when it ends. */
const OWN_FEES = { gas: toHex(3_000_000), maxFeePerGas: toHex(2n * BASE_FEE), maxPriorityFeePerGas: '0x0' };

/** Mines a transaction of the deployer; without `to` it creates a contract. It may revert. */
export const mineOwn = (rpc: Rpc, call: { readonly to?: string; readonly data: string }): Promise<Mined | Refused> =>
  sendOne(rpc, 'eth_sendTransaction', { from: DEPLOYER, ...call, ...OWN_FEES });

const hex = z.string().regex(/^0x[0-9a-f]+$/i);

/** All that can change a chain. Applied in the same order to the same state, they give the same state again. */
const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signed'), raw: hex }),
  z.object({ kind: z.literal('coin'), to: hex, units: hex }),
  z.object({ kind: z.literal('mint'), token: z.enum(['USDT', 'USDC']), to: hex, units: hex }),
  z.object({ kind: z.literal('empty') }),
]);

/**
 * A change that was made, and the hash of its transaction where it had one. `joined`: the transaction was mined in
 * the block of the one before. `block` and `at`: its block's number, and the block's time in seconds since 1970. Logs of
 * earlier versions lack both.
 */
export const madeSchema = z.object({
  change: changeSchema,
  hash: hex.optional(),
  joined: z.literal(true).optional(),
  block: z.int().min(1).optional(),
  at: z.int().min(0).optional(),
});

/**
 * A signed transaction, native coin out of nothing, newly minted tokens, or a block without transactions; units are the
 * smallest, in hex.
 */
export type Change = Readonly<z.infer<typeof changeSchema>>;
/** As `madeSchema`. */
export type AppliedChange = Readonly<z.infer<typeof madeSchema>>;

/** What came of a change: its transaction where it had one, or why the node refused it; then nothing changed. */
export type ChangeResult = { readonly ok: true; readonly mined?: Mined } | Refused;

/** What came of changes, in the order they were given, and what was made of them, in the order that the chain has it. */
type Outcome = { readonly applied: readonly ChangeResult[]; readonly made: readonly AppliedChange[] };

const placeOf = ({ hash, block, at }: Mined) => ({ hash, block, at });

const headerOf = async (rpc: Rpc, block: number) => {
  const header = (await ask(rpc, 'eth_getBlockByNumber', [toHex(block), false])) as { readonly timestamp: string };
  return { block, at: Number(fromHex(header.timestamp)) };
};

const emptyBlock = async (rpc: Rpc, block: number): Promise<AppliedChange> => ({
  change: { kind: 'empty' },
  ...(await headerOf(rpc, block)),
});

/**
 * Adds the blocks that have no transaction: a refused transaction may have left one. Without them the log would not make
 * the same chain again. `height` is the newest block before, and in the result the newest block after.
 */
const withEmptyBlocks = async (rpc: Rpc, { applied, made }: Outcome, height: number) => {
  const last = made.reduce((most, { block }) => Math.max(most, block ?? 0), height);
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

const asApplied = (mined: Mined | Refused): ChangeResult => (mined.ok ? { ok: true, mined } : mined);

const addCoin = async (rpc: Rpc, to: string, units: string): Promise<ChangeResult> => {
  const before = fromHex(await ask(rpc, 'eth_getBalance', [to, 'latest']));
  await ask(rpc, 'anvil_setBalance', [to, toHex(before + fromHex(units))]);
  return { ok: true };
};

const give = async (rpc: Rpc, gift: Gift): Promise<ChangeResult> => {
  if (gift.kind === 'coin') return addCoin(rpc, gift.to, gift.units);
  const { encodeMint } = await import('./contracts/encode.ts');
  const data = encodeMint({ to: gift.to, units: fromHex(gift.units) });
  return asApplied(await mineOwn(rpc, { to: SANDBOX_CONTRACTS[gift.token], data }));
};

const applyGift = async (rpc: Rpc, change: Gift): Promise<Outcome> => {
  const applied = await give(rpc, change);
  if (!applied.ok) return { applied: [applied], made: [] };
  return { applied: [applied], made: [{ change, ...(applied.mined && placeOf(applied.mined)) }] };
};

const mineEmpty = async (rpc: Rpc): Promise<Outcome> => {
  await ask(rpc, 'evm_mine');
  await setBaseFee(rpc);
  const made = await emptyBlock(rpc, Number(fromHex(await ask(rpc, 'eth_blockNumber'))));
  return { applied: [{ ok: true }], made: [made] };
};

/** The order within a block is the node's. */
const byPlace = (a: { readonly mined: Mined }, b: { readonly mined: Mined }): number =>
  a.mined.block - b.mined.block || a.mined.index - b.mined.index;

const applySigned = async (rpc: Rpc, changes: readonly Signed[]): Promise<Outcome> => {
  const raws = changes.map(({ raw }) => raw);
  const all = await mineSigned(rpc, raws);
  const mined = changes.flatMap((change, at) => {
    const each = all[at];
    return each?.ok ? [{ change, mined: each }] : [];
  });
  const made = mined.toSorted(byPlace).map(({ change, mined: each }) => ({
    change,
    ...placeOf(each),
    ...(each.index > 0 && { joined: true as const }),
  }));
  return { applied: all.map(asApplied), made };
};

/** The next changes that share a block: signed transactions do, a gift has its own. */
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
 * Changes the chain, in this order. `height` is the number of its newest block, and in the result of its newest block
 * then. Calls must not overlap.
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
