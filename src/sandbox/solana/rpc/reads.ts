import * as z from 'zod';
import { SANDBOX_SOLANA } from '../../../contract/solana.ts';
import { exactNumber } from '../../../core/json.ts';
import { BLOCKHASH_SLOTS, FIRST_SLOT } from '../../assumptions.ts';
import { invalidParams, type RpcResult, result, rpcError } from '../../json-rpc.ts';
import { isSolanaAddress } from '../address.ts';
import { amountIn, lamportsOf, supplyOf } from '../balances.ts';
import type { SolanaChain } from '../chain.ts';
import { TOKEN_PROGRAM } from '../instructions.ts';
import type { KeptAccount } from '../store.ts';
import {
  accountView,
  decimalsOf,
  isToken,
  MINT_BYTES,
  mintIn,
  ownerIn,
  TOKEN_ACCOUNT_BYTES,
  uiAmount,
} from './account-view.ts';

/** A method: its parameters are whatever came. */
export type Method = (chain: SolanaChain, params: readonly unknown[]) => RpcResult | Promise<RpcResult>;

const VERSION = 'bursar-sandbox';

/** A value with the slot at which it was read. */
export const atSlot = (chain: SolanaChain, value: unknown): RpcResult =>
  result({ context: { slot: chain.slots.now(), apiVersion: VERSION }, value });

const addressIn = (params: readonly unknown[], at = 0): string | undefined => {
  const [value] = params.slice(at);
  return typeof value === 'string' && isSolanaAddress(value) ? value : undefined;
};

const withAddress =
  (act: (chain: SolanaChain, address: string, params: readonly unknown[]) => RpcResult): Method =>
  (chain, params) => {
    const address = addressIn(params);
    return address === undefined ? invalidParams('the first is no address') : act(chain, address, params);
  };

const options = z.object({ encoding: z.string().optional() }).optional();

const encodingIn = (params: readonly unknown[], at = 1): string | undefined =>
  options.safeParse(params[at]).data?.encoding;

const tokenFilter = z.union([z.object({ mint: z.string() }), z.object({ programId: z.string() })]);

const tokenAccountsByOwner = (chain: SolanaChain, owner: string, params: readonly unknown[]): RpcResult => {
  const filter = tokenFilter.safeParse(params[1]);
  if (!filter.success) return invalidParams('the second is neither a mint nor a program');
  const mint = 'mint' in filter.data ? filter.data.mint : undefined;
  const found = chain
    .ownedBy(TOKEN_PROGRAM.toBase58())
    .filter((each) => isToken(each, TOKEN_ACCOUNT_BYTES) && ownerIn(each) === owner)
    .filter((each) => mint === undefined || mintIn(each) === mint);
  const view = (each: KeptAccount) => ({
    pubkey: each.address,
    account: accountView(chain, each, encodingIn(params, 2)),
  });
  return atSlot(chain, found.map(view));
};

/** The code of Solana's nodes for a slot that they have no block of. */
const NO_BLOCK = -32_004;

const blockTime: Method = ({ slots }, [wanted]) => {
  const slot = z.int().min(FIRST_SLOT).max(slots.now()).safeParse(wanted);
  return slot.success
    ? result(Math.floor(slots.timeOf(slot.data) / 1000))
    : rpcError(NO_BLOCK, 'Block not available for that slot');
};

const multipleAccounts: Method = (chain, params) => {
  const addresses = z.array(z.string().refine(isSolanaAddress)).max(100).safeParse(params[0]);
  if (!addresses.success) return invalidParams('the first is no list of at most 100 addresses');
  const views = addresses.data.map((address) => {
    const account = chain.account(address);
    return account ? accountView(chain, account, encodingIn(params)) : null;
  });
  return atSlot(chain, views);
};

/** What is read from the chain. Commitments make no difference: what is there is final. */
export const READS: Readonly<Record<string, Method>> = {
  getHealth: () => result('ok'),
  getVersion: () => result({ 'solana-core': VERSION, 'feature-set': 0 }),
  // Not a hash of a genesis block but an address of the sandbox: no real cluster has it.
  getGenesisHash: () => result(SANDBOX_SOLANA.fees),
  getSlot: ({ slots }) => result(slots.now()),
  getBlockTime: blockTime,
  getBlockHeight: ({ slots }) => result(slots.now()),
  getLatestBlockhash: (chain) => {
    const slot = chain.slots.now();
    return atSlot(chain, { blockhash: chain.slots.blockhashOf(slot), lastValidBlockHeight: slot + BLOCKHASH_SLOTS });
  },
  isBlockhashValid: (chain, [hash]) => atSlot(chain, chain.slots.recentSlotOf(String(hash)) !== undefined),
  getMinimumBalanceForRentExemption: (chain, [bytes]) => {
    const count = z.int().min(0).max(10_485_760).safeParse(bytes);
    return count.success
      ? result(exactNumber(chain.rent(count.data).toString()))
      : invalidParams('the first is no size');
  },
  getBalance: withAddress((chain, address) => atSlot(chain, exactNumber(lamportsOf(chain, address).toString()))),
  getAccountInfo: withAddress((chain, address, params) => {
    const account = chain.account(address);
    return atSlot(chain, account ? accountView(chain, account, encodingIn(params)) : null);
  }),
  getMultipleAccounts: multipleAccounts,
  getTokenAccountBalance: withAddress((chain, address) => {
    const account = chain.account(address);
    if (!isToken(account, TOKEN_ACCOUNT_BYTES)) return invalidParams('could not find account');
    return atSlot(chain, uiAmount(amountIn(account.data), decimalsOf(chain, mintIn(account))));
  }),
  getTokenSupply: withAddress((chain, address) =>
    isToken(chain.account(address), MINT_BYTES)
      ? atSlot(chain, uiAmount(supplyOf(chain, address), decimalsOf(chain, address)))
      : invalidParams('not a Token mint'),
  ),
  getTokenAccountsByOwner: withAddress(tokenAccountsByOwner),
};
