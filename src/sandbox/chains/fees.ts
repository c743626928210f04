import { fromHex, toHex } from './hex.ts';
import { BASE_FEE } from './mine.ts';
import { ask, type Rpc } from './rpc.ts';

/** Fees of EIP-1559, in wei. */
export type Fees = { readonly maxPriorityFeePerGas: bigint; readonly maxFeePerGas: bigint };

/** Offered where the last blocks paid none, or there are none. */
const USUAL_TIP = 1_000_000_000n;
const BLOCKS = 5;

type History = { readonly baseFeePerGas: readonly string[]; readonly reward?: readonly (readonly string[])[] };

const ascending = (quantities: readonly unknown[]): readonly bigint[] =>
  quantities.map(fromHex).toSorted((a, b) => Number(a - b));

/** What to offer, from the last blocks: their middle tip, and room for the base fee to double. */
export const suggestFees = async (rpc: Rpc): Promise<Fees> => {
  const history = (await ask(rpc, 'eth_feeHistory', [toHex(BLOCKS), 'latest', [50]])) as History;
  const base = ascending([...history.baseFeePerGas, toHex(BASE_FEE)]).at(-1) ?? BASE_FEE;
  const tips = ascending((history.reward ?? []).map(([tip]) => tip ?? '0x0')).filter((tip) => tip > 0n);
  const maxPriorityFeePerGas = tips[tips.length >> 1] ?? USUAL_TIP;
  return { maxPriorityFeePerGas, maxFeePerGas: 2n * base + maxPriorityFeePerGas };
};
