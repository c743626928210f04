import bs58 from 'bs58';
import * as z from 'zod';
import { SANDBOX_SOLANA } from '../../../contract/chains.ts';
import { fromUnits } from '../../../core/decimal.ts';
import { exactNumber } from '../../../core/json.ts';
import { FIRST_SLOT } from '../../assumptions.ts';
import { INVALID_REQUEST, invalidParams, type RpcRefusal, type RpcResult, result, rpcError } from '../../json-rpc.ts';
import { isSolanaAddress } from '../address.ts';
import type { SolanaChain } from '../chain.ts';
import { MINT_BYTES, TOKEN_ACCOUNT_BYTES } from '../effects.ts';
import { TOKEN_PROGRAM } from '../instructions.ts';
import type { KeptAccount } from '../store.ts';
import { amountIn, lamportsOf, supplyOf } from '../tokens.ts';

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
type View = NonNullable<z.infer<typeof viewSchema>>;

/** The encoding of accounts' data, from an optional parameter. */
export const viewIn = (value: unknown): View | RpcRefusal => {
  const read = viewSchema.safeParse(value);
  return read.success ? (read.data ?? {}) : invalidParams('the encoding or the slice of data is not known');
};

/** Whether something that was read is a refusal. */
export const isRefusal = (read: object): read is RpcRefusal => 'error' in read;

/** Whether an account is the token program's, of this size. */
const isToken = (account: KeptAccount | undefined, bytes: number): account is KeptAccount =>
  account?.owner === TOKEN_PROGRAM.toBase58() && account.data.length === bytes;

/** The mint and the owner of a token account, base58. */
const mintIn = ({ data }: KeptAccount): string => bs58.encode(data.subarray(0, 32));
const ownerIn = ({ data }: KeptAccount): string => bs58.encode(data.subarray(32, 64));

/** Decimals of a mint; 0 when there is none. */
export const decimalsOf = (chain: SolanaChain, mint: string): number => chain.account(mint)?.data[44] ?? 0;

/** An amount as nodes show it. */
export const uiAmount = (units: bigint, decimals: number) => ({
  amount: units.toString(),
  decimals,
  uiAmount: exactNumber(fromUnits(units, decimals)),
  uiAmountString: fromUnits(units, decimals),
});

const tokenAccountInfo = (chain: SolanaChain, account: KeptAccount) => ({
  isNative: false,
  mint: mintIn(account),
  owner: ownerIn(account),
  state: 'initialized',
  tokenAmount: uiAmount(amountIn(account.data), decimalsOf(chain, mintIn(account))),
});

const mintInfo = (chain: SolanaChain, { address, data }: KeptAccount) => ({
  decimals: decimalsOf(chain, address),
  freezeAuthority: null,
  isInitialized: true,
  mintAuthority: bs58.encode(data.subarray(4, 36)),
  supply: supplyOf(chain, address).toString(),
});

const parsed = (type: string, info: unknown, { data }: KeptAccount) => ({
  program: 'spl-token',
  parsed: { type, info },
  space: data.length,
});

const MAX_BLOCK_BYTES = 128 * 1024;

/** A frame of Zstandard (RFC 8878) that holds bytes as they are: none of Node 20's libraries compresses so. */
const asZstd = (data: Buffer): Buffer => {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  head.writeUInt32LE(data.length, 5);
  const parts: Buffer[] = [head];
  for (let at = 0; at === 0 || at < data.length; at += MAX_BLOCK_BYTES) {
    const block = data.subarray(at, at + MAX_BLOCK_BYTES);
    const size = Buffer.alloc(3);
    size.writeUIntLE(block.length * 8 + Number(at + MAX_BLOCK_BYTES >= data.length), 0, 3);
    parts.push(size, block);
  }
  return Buffer.concat(parts);
};

const bytesIn = (data: Buffer, encoding: View['encoding']) => {
  if (encoding === 'base58') return [bs58.encode(data), 'base58'];
  return encoding === 'base64+zstd'
    ? [asZstd(data).toString('base64'), 'base64+zstd']
    : [data.toString('base64'), 'base64'];
};

/** `jsonParsed` shows accounts that nodes can decode, and base64 of any other, as on Solana. */
const dataOf = (chain: SolanaChain, account: KeptAccount, { encoding, dataSlice }: View) => {
  if (encoding === 'jsonParsed') {
    if (isToken(account, TOKEN_ACCOUNT_BYTES)) return parsed('account', tokenAccountInfo(chain, account), account);
    if (isToken(account, MINT_BYTES)) return parsed('mint', mintInfo(chain, account), account);
  }
  const { offset, length } = dataSlice ?? { offset: 0, length: account.data.length };
  return bytesIn(Buffer.from(account.data).subarray(offset, offset + length), encoding);
};

/** Base58 of more bytes takes a node too long; Solana's limit. */
const MAX_BASE58_BYTES = 128;

/** Why accounts cannot be shown in a way; `undefined` where they can. */
export const whyNotShown = (accounts: readonly (KeptAccount | undefined)[], view: View): RpcRefusal | undefined => {
  const most = Math.max(0, ...accounts.map((account) => account?.data.length ?? 0));
  const size = Math.min(most, view.dataSlice?.length ?? most);
  if (view.encoding !== 'base58' || size <= MAX_BASE58_BYTES) return undefined;
  return rpcError(
    INVALID_REQUEST,
    `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
  );
};

/** An account as it was asked for. Ask `whyNotShown` before. */
export const accountView = (chain: SolanaChain, account: KeptAccount, view: View) => ({
  lamports: exactNumber(account.lamports),
  owner: account.owner,
  data: dataOf(chain, account, view),
  executable: account.executable === 1,
  rentEpoch: exactNumber('18446744073709551615'),
  space: account.data.length,
});

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
