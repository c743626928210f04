import * as z from 'zod';
import { invalidParams, type RpcRefusal, type RpcResult, result } from '../../json-rpc.ts';
import { isSolanaAddress } from '../address.ts';
import type { SolanaChain } from '../chain.ts';

/** A method: its parameters are whatever came. */
export type Method = (chain: SolanaChain, params: readonly unknown[]) => RpcResult | Promise<RpcResult>;

/** The version of Solana's JSON-RPC that is answered for. Clients in Rust read it as a semantic version. */
export const VERSION = '3.0.0';

/** A value with the slot at which it was read. */
export const atSlot = (chain: SolanaChain, value: unknown): RpcResult =>
  result({ context: { slot: chain.slots.now(), apiVersion: VERSION }, value });

/** A method about one address, which is its first parameter. */
export const withAddress =
  (act: (chain: SolanaChain, address: string, params: readonly unknown[]) => RpcResult | Promise<RpcResult>): Method =>
  (chain, params) => {
    const [value] = params;
    return typeof value === 'string' && isSolanaAddress(value)
      ? act(chain, value, params)
      : invalidParams('the first is no address');
  };

const viewSchema = z
  .object({
    encoding: z.enum(['base58', 'base64', 'base64+zstd', 'jsonParsed']).nullish(),
    dataSlice: z.object({ offset: z.int().min(0), length: z.int().min(0) }).nullish(),
  })
  .nullish();

/** The encoding of an account's data: base64 by default. */
export type View = NonNullable<z.infer<typeof viewSchema>>;

/** The encoding of accounts' data, from an optional parameter. */
export const viewIn = (value: unknown): View | RpcRefusal => {
  const read = viewSchema.safeParse(value);
  return read.success ? (read.data ?? {}) : invalidParams('the encoding or the slice of data is not known');
};

/** Whether something that was read is a refusal. */
export const isRefusal = (read: object): read is RpcRefusal => 'error' in read;
