import * as z from 'zod';
import { SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import { fromHex, toHex } from './hex.ts';
import { type Mined, mineOwn, mineSigned, type Refused } from './mine.ts';
import { ask, type Rpc } from './rpc.ts';

const hex = z.string().regex(/^0x[0-9a-f]+$/i);

/** All that can change a chain. Applied in the same order to the same state, they give the same state again. */
const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signed'), raw: hex }),
  z.object({ kind: z.literal('coin'), to: hex, units: hex }),
  z.object({ kind: z.literal('mint'), token: z.enum(['USDT', 'USDC']), to: hex, units: hex }),
]);

/**
 * A change that was made, and the hash of its transaction where it had one. `joined`: the transaction was mined in
 * the block of the one before.
 */
export const madeSchema = z.object({ change: changeSchema, hash: hex.optional(), joined: z.literal(true).optional() });

/** A signed transaction, native coin out of nothing, or newly minted tokens; units are the smallest, in hex. */
export type Change = Readonly<z.infer<typeof changeSchema>>;
/** As `madeSchema`. */
export type Made = Readonly<z.infer<typeof madeSchema>>;

/** What came of a change: its transaction where it had one, or why the node refused it; then nothing changed. */
export type Applied = { readonly ok: true; readonly mined?: Mined } | Refused;

/** What came of changes, in the order they were given, and what was made of them, in the order that the chain has it. */
type Outcome = { readonly applied: readonly Applied[]; readonly made: readonly Made[] };

type Signed = Extract<Change, { readonly kind: 'signed' }>;
type Gift = Exclude<Change, Signed>;

const isSigned = (change: Change): change is Signed => change.kind === 'signed';

const asApplied = (mined: Mined | Refused): Applied => (mined.ok ? { ok: true, mined } : mined);

const addCoin = async (rpc: Rpc, to: string, units: string): Promise<Applied> => {
  const before = fromHex(await ask(rpc, 'eth_getBalance', [to, 'latest']));
  await ask(rpc, 'anvil_setBalance', [to, toHex(before + fromHex(units))]);
  return { ok: true };
};

const give = async (rpc: Rpc, gift: Gift): Promise<Applied> => {
  if (gift.kind === 'coin') return addCoin(rpc, gift.to, gift.units);
  const { encodeMint } = await import('./contracts/encode.ts');
  const data = encodeMint({ to: gift.to, units: fromHex(gift.units) });
  return asApplied(await mineOwn(rpc, { to: SANDBOX_CONTRACTS[gift.token], data }));
};

const applyGift = async (rpc: Rpc, change: Gift): Promise<Outcome> => {
  const applied = await give(rpc, change);
  if (!applied.ok) return { applied: [applied], made: [] };
  return { applied: [applied], made: [{ change, ...(applied.mined && { hash: applied.mined.hash }) }] };
};

/** The order within a block is the node's. */
const byPlace = (a: { readonly mined: Mined }, b: { readonly mined: Mined }): number =>
  a.mined.block - b.mined.block || a.mined.index - b.mined.index;

const applySigned = async (rpc: Rpc, changes: readonly Signed[]): Promise<Outcome> => {
  const all = await mineSigned(
    rpc,
    changes.map(({ raw }) => raw),
  );
  const mined = changes.flatMap((change, at) => {
    const each = all[at];
    return each?.ok ? [{ change, mined: each }] : [];
  });
  const made = mined.toSorted(byPlace).map(({ change, mined: { hash, index } }) => ({
    change,
    hash,
    ...(index > 0 && { joined: true as const }),
  }));
  return { applied: all.map(asApplied), made };
};

/** The next changes that share a block: signed transactions do, a gift has its own. */
const nextOf = (changes: readonly Change[]): readonly Change[] => {
  const end = changes.findIndex((change) => !isSigned(change));
  return changes.slice(0, end < 0 ? changes.length : Math.max(end, 1));
};

/** Changes the chain, in this order. Calls must not overlap. */
export const applyChanges = async (rpc: Rpc, changes: readonly Change[]): Promise<Outcome> => {
  const applied: Applied[] = [];
  const made: Made[] = [];
  while (applied.length < changes.length) {
    const block = nextOf(changes.slice(applied.length));
    const [first] = block;
    const outcome = first && !isSigned(first) ? applyGift(rpc, first) : applySigned(rpc, block.filter(isSigned));
    const { applied: more, made: what } = await outcome;
    applied.push(...more);
    made.push(...what);
  }
  return { applied, made };
};
