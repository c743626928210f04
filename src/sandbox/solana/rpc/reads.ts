import * as z from 'zod';
import { SANDBOX_SOLANA } from '../../../contract/chains.ts';
import { exactNumber } from '../../../core/json.ts';
import { FIRST_SLOT } from '../../assumptions.ts';
import { invalidParams, type RpcRefusal, type RpcResult, result, rpcError } from '../../json-rpc.ts';
import { isSolanaAddress } from '../address.ts';
import type { SolanaChain } from '../chain.ts';
import { MINT_BYTES, TOKEN_ACCOUNT_BYTES } from '../effects.ts';
import { TOKEN_PROGRAM } from '../instructions.ts';
import type { KeptAccount } from '../store.ts';
import { amountIn, lamportsOf, supplyOf } from '../tokens.ts';
import {
  accountView,
  atSlot,
  decimalsOf,
  isRefusal,
  isToken,
  type Method,
  mintIn,
  ownerIn,
  uiAmount,
  VERSION,
  viewIn,
  whyNotShown,
  withAddress,
} from './account-view.ts';

const tokenFilter = z.union([z.object({ mint: z.string() }), z.object({ programId: z.string() })]);

const tokenAccountsByOwner = (chain: SolanaChain, owner: string, params: readonly unknown[]): RpcResult => {
  const filter = tokenFilter.safeParse(params[1]);
  if (!filter.success) return invalidParams('the second is neither a mint nor a program');
  const mint = 'mint' in filter.data ? filter.data.mint : undefined;
  const found = chain
    .ownedBy(TOKEN_PROGRAM.toBase58())
    .filter((each) => isToken(each, TOKEN_ACCOUNT_BYTES) && ownerIn(each) === owner)
    .filter((each) => mint === undefined || mintIn(each) === mint);
  const shown = views(chain, found, params[2]);
  if (isRefusal(shown)) return shown;
  const all = found.map(({ address: pubkey }, at) => ({ pubkey, account: shown[at] }));
  return atSlot(chain, all);
};

/** The code of Solana's nodes for a slot that they have no block of. */
const NO_BLOCK = -32_004;

const blockTime: Method = ({ slots }, [wanted]) => {
  const slot = z.int().min(FIRST_SLOT).max(slots.now()).safeParse(wanted);
  return slot.success
    ? result(Math.floor(slots.timeOf(slot.data) / 1000))
    : rpcError(NO_BLOCK, 'Block not available for that slot');
};

/** Accounts as they were asked for; `null` for one that is not there. */
const views = (
  chain: SolanaChain,
  accounts: readonly (KeptAccount | undefined)[],
  asked: unknown,
): RpcRefusal | readonly unknown[] => {
  const view = viewIn(asked);
  if (isRefusal(view)) return view;
  return whyNotShown(accounts, view) ?? accounts.map((each) => (each ? accountView(chain, each, view) : null));
};

const multipleAccounts: Method = (chain, params) => {
  const addresses = z.array(z.string().refine(isSolanaAddress)).max(100).safeParse(params[0]);
  if (!addresses.success) return invalidParams('the first is no list of at most 100 addresses');
  const shown = views(chain, addresses.data.map(chain.account), params[1]);
  return isRefusal(shown) ? shown : atSlot(chain, shown);
};

const accountInfo = withAddress((chain, address, params) => {
  const shown = views(chain, [chain.account(address)], params[1]);
  return isRefusal(shown) ? shown : atSlot(chain, shown[0]);
});

/** The calls that read the chain. Commitments make no difference: every block is final. */
export const READS: Readonly<Record<string, Method>> = {
  getHealth: () => result('ok'),
  getVersion: () => result({ 'solana-core': VERSION, 'feature-set': 0 }),
  // Not a hash of a genesis block but an address of the sandbox: no real cluster has it.
  getGenesisHash: () => result(SANDBOX_SOLANA.fees),
  getSlot: ({ slots }) => result(slots.now()),
  getBlockTime: blockTime,
  getBlockHeight: ({ slots }) => result(slots.now()),
  getLatestBlockhash: (chain) => atSlot(chain, chain.slots.latestBlockhash()),
  isBlockhashValid: (chain, [hash]) => atSlot(chain, chain.slots.recentSlotOf(String(hash)) !== undefined),
  getMinimumBalanceForRentExemption: (chain, [bytes]) => {
    const count = z.int().min(0).max(10_485_760).safeParse(bytes);
    return count.success
      ? result(exactNumber(chain.rent(count.data).toString()))
      : invalidParams('the first is no size');
  },
  getBalance: withAddress((chain, address) => atSlot(chain, exactNumber(lamportsOf(chain, address).toString()))),
  getAccountInfo: accountInfo,
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
