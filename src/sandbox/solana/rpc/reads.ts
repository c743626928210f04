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
import type { StoredAccount } from '../store.ts';
import { amountIn, lamportsOf, supplyOf } from '../tokens.ts';

/** A JSON-RPC method. Its parameters are not checked yet. */
export type Method = (chain: SolanaChain, params: readonly unknown[]) => RpcResult | Promise<RpcResult>;

/** The version in answers. Clients in Rust parse it as a semantic version. */
export const VERSION = '3.0.0';

/** A result with a value and the current slot. */
export const atSlot = (chain: SolanaChain, value: unknown): RpcResult =>
  result({ context: { slot: chain.slots.now(), apiVersion: VERSION }, value });

/** A method whose first parameter is an address. */
export const withAddress =
  (act: (chain: SolanaChain, address: string, params: readonly unknown[]) => RpcResult | Promise<RpcResult>): Method =>
  (chain, params) => {
    const [value] = params;
    return typeof value === 'string' && isSolanaAddress(value)
      ? act(chain, value, params)
      : invalidParams('the first parameter must be an address');
  };

const viewSchema = z
  .object({
    encoding: z.enum(['base58', 'base64', 'base64+zstd', 'jsonParsed']).nullish(),
    dataSlice: z.object({ offset: z.int().min(0), length: z.int().min(0) }).nullish(),
  })
  .nullish();

/** The requested encoding of an account's data, base64 by default, and the requested slice. */
type ViewOptions = NonNullable<z.infer<typeof viewSchema>>;

/** Reads the view options from an optional parameter. */
export const readViewOptions = (value: unknown): ViewOptions | RpcRefusal => {
  const read = viewSchema.safeParse(value);
  return read.success ? (read.data ?? {}) : invalidParams('unknown encoding, or a wrong dataSlice');
};

/** Whether the result of a check is a refusal. */
export const isRefusal = (read: object): read is RpcRefusal => 'error' in read;

/** Whether the token program owns an account, and its data has this size in bytes. */
const isToken = (account: StoredAccount | undefined, bytes: number): account is StoredAccount =>
  account?.owner === TOKEN_PROGRAM.toBase58() && account.data.length === bytes;

/** The mint and the owner of a token account, in base58. */
const mintIn = ({ data }: StoredAccount): string => bs58.encode(data.subarray(0, 32));
const ownerIn = ({ data }: StoredAccount): string => bs58.encode(data.subarray(32, 64));

/** The decimals of a mint; 0 if it does not exist. */
export const decimalsOf = (chain: SolanaChain, mint: string): number => chain.account(mint)?.data[44] ?? 0;

/** A token amount in the format of Solana's nodes. */
export const uiAmount = (units: bigint, decimals: number) => ({
  amount: units.toString(),
  decimals,
  uiAmount: exactNumber(fromUnits(units, decimals)),
  uiAmountString: fromUnits(units, decimals),
});

const tokenAccountInfo = (chain: SolanaChain, account: StoredAccount) => ({
  isNative: false,
  mint: mintIn(account),
  owner: ownerIn(account),
  state: 'initialized',
  tokenAmount: uiAmount(amountIn(account.data), decimalsOf(chain, mintIn(account))),
});

const mintInfo = (chain: SolanaChain, { address, data }: StoredAccount) => ({
  decimals: decimalsOf(chain, address),
  freezeAuthority: null,
  isInitialized: true,
  mintAuthority: bs58.encode(data.subarray(4, 36)),
  supply: supplyOf(chain, address).toString(),
});

/** The `jsonParsed` data of an account. */
const parsedData = (type: string, info: unknown, { data }: StoredAccount) => ({
  program: 'spl-token',
  parsed: { type, info },
  space: data.length,
});

const MAX_BLOCK_BYTES = 128 * 1024;

/** Bytes in an uncompressed Zstandard frame (RFC 8878). Node 20 has no Zstandard compression. */
const toZstdFrame = (data: Buffer): Buffer => {
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

const encodeData = (data: Buffer, encoding: ViewOptions['encoding']) => {
  if (encoding === 'base58') return [bs58.encode(data), 'base58'];
  return encoding === 'base64+zstd'
    ? [toZstdFrame(data).toString('base64'), 'base64+zstd']
    : [data.toString('base64'), 'base64'];
};

/** The data of an account. Like Solana's nodes, `jsonParsed` decodes token accounts and mints; other data is in base64. */
const dataOf = (chain: SolanaChain, account: StoredAccount, { encoding, dataSlice }: ViewOptions) => {
  if (encoding === 'jsonParsed') {
    if (isToken(account, TOKEN_ACCOUNT_BYTES)) return parsedData('account', tokenAccountInfo(chain, account), account);
    if (isToken(account, MINT_BYTES)) return parsedData('mint', mintInfo(chain, account), account);
  }
  const { offset, length } = dataSlice ?? { offset: 0, length: account.data.length };
  return encodeData(Buffer.from(account.data).subarray(offset, offset + length), encoding);
};

/** The limit of Solana's nodes for data in base58, which is slow to encode. */
const MAX_BASE58_BYTES = 128;

/** The error for accounts whose data is too large for the requested encoding; `undefined` if there is none. */
export const findViewRefusal = (
  accounts: readonly (StoredAccount | undefined)[],
  view: ViewOptions,
): RpcRefusal | undefined => {
  const largest = Math.max(0, ...accounts.map((account) => account?.data.length ?? 0));
  const size = Math.min(largest, view.dataSlice?.length ?? largest);
  if (view.encoding !== 'base58' || size <= MAX_BASE58_BYTES) return undefined;
  return rpcError(
    INVALID_REQUEST,
    `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
  );
};

/** An account in the requested encoding. Call `findViewRefusal` first. */
export const accountView = (chain: SolanaChain, account: StoredAccount, view: ViewOptions) => ({
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
  if (!filter.success) return invalidParams('the second parameter must have a mint or a programId');
  const mint = 'mint' in filter.data ? filter.data.mint : undefined;
  const found = chain
    .ownedBy(TOKEN_PROGRAM.toBase58())
    .filter((each) => isToken(each, TOKEN_ACCOUNT_BYTES) && ownerIn(each) === owner)
    .filter((each) => mint === undefined || mintIn(each) === mint);
  const shown = accountViews(chain, found, params[2]);
  if (isRefusal(shown)) return shown;
  const all = found.map(({ address: pubkey }, at) => ({ pubkey, account: shown[at] }));
  return atSlot(chain, all);
};

/** The error code of Solana's nodes for a slot without a block. */
const NO_BLOCK = -32_004;

const blockTime: Method = ({ slots }, [param]) => {
  const slot = z.int().min(FIRST_SLOT).max(slots.now()).safeParse(param);
  return slot.success
    ? result(Math.floor(slots.timeOf(slot.data) / 1000))
    : rpcError(NO_BLOCK, 'Block not available for that slot');
};

/** Accounts in the requested encoding; `null` for an account that does not exist. `options` are the view options. */
const accountViews = (
  chain: SolanaChain,
  accounts: readonly (StoredAccount | undefined)[],
  options: unknown,
): RpcRefusal | readonly unknown[] => {
  const view = readViewOptions(options);
  if (isRefusal(view)) return view;
  return findViewRefusal(accounts, view) ?? accounts.map((each) => (each ? accountView(chain, each, view) : null));
};

const multipleAccounts: Method = (chain, params) => {
  const addresses = z.array(z.string().refine(isSolanaAddress)).max(100).safeParse(params[0]);
  if (!addresses.success) return invalidParams('the first parameter must be a list of at most 100 addresses');
  const shown = accountViews(chain, addresses.data.map(chain.account), params[1]);
  return isRefusal(shown) ? shown : atSlot(chain, shown);
};

const accountInfo = withAddress((chain, address, params) => {
  const shown = accountViews(chain, [chain.account(address)], params[1]);
  return isRefusal(shown) ? shown : atSlot(chain, shown[0]);
});

/** The methods that read the chain. They ignore the commitment, because every block is final. */
export const READS: Readonly<Record<string, Method>> = {
  getHealth: () => result('ok'),
  getVersion: () => result({ 'solana-core': VERSION, 'feature-set': 0 }),
  // An address of the sandbox instead of a block's hash, so no real cluster has the same.
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
      : invalidParams('the first parameter must be a size in bytes');
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
