import * as z from 'zod';
import { SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import { fromHex, toHex } from './hex.ts';
import { mineOwn, mineSigned } from './mine.ts';
import { ask, type Rpc } from './rpc.ts';

const hex = z.string().regex(/^0x[0-9a-f]+$/i);

/** All that can change a chain. Applied in the same order to the same state, they give the same state again. */
const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signed'), raw: hex }),
  z.object({ kind: z.literal('coin'), to: hex, units: hex }),
  z.object({ kind: z.literal('mint'), token: z.enum(['USDT', 'USDC']), to: hex, units: hex }),
]);

/** A change that was made, and the hash of its transaction where it had one. */
export const madeSchema = z.object({ change: changeSchema, hash: hex.optional() });

/** A signed transaction, native coin out of nothing, or newly minted tokens; units are the smallest, in hex. */
export type Change = Readonly<z.infer<typeof changeSchema>>;
export type Made = { readonly change: Change; readonly hash?: string | undefined };

/** What came of a change: its hash where it had a transaction, or why the node refused it; then nothing changed. */
export type Applied =
  | { readonly ok: true; readonly hash?: string | undefined }
  | { readonly ok: false; readonly message: string };

const addCoin = async (rpc: Rpc, to: string, units: string): Promise<Applied> => {
  const before = fromHex(await ask(rpc, 'eth_getBalance', [to, 'latest']));
  await ask(rpc, 'anvil_setBalance', [to, toHex(before + fromHex(units))]);
  return { ok: true };
};

/** Changes the chain. Calls must not overlap. */
export const applyChange = async (rpc: Rpc, change: Change): Promise<Applied> => {
  switch (change.kind) {
    case 'signed':
      return mineSigned(rpc, change.raw);
    case 'coin':
      return addCoin(rpc, change.to, change.units);
    case 'mint': {
      const { encodeMint } = await import('./contracts/encode.ts');
      const data = encodeMint({ to: change.to, units: fromHex(change.units) });
      return mineOwn(rpc, { to: SANDBOX_CONTRACTS[change.token], data });
    }
    default: {
      const never: never = change;
      return never;
    }
  }
};
