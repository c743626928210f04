import bs58 from 'bs58';
import { fromUnits } from '../../../core/decimal.ts';
import { exactNumber } from '../../../core/json.ts';
import { amountIn, supplyOf } from '../balances.ts';
import type { SolanaChain } from '../chain.ts';
import { TOKEN_PROGRAM } from '../instructions.ts';
import type { KeptAccount } from '../store.ts';

/** Sizes of the token program's two kinds of account. */
export const MINT_BYTES = 82;
export const TOKEN_ACCOUNT_BYTES = 165;

/** Whether an account is the token program's, of this size. */
export const isToken = (account: KeptAccount | undefined, bytes: number): account is KeptAccount =>
  account?.owner === TOKEN_PROGRAM.toBase58() && account.data.length === bytes;

/** The mint and the owner of a token account, base58. */
export const mintIn = ({ data }: KeptAccount): string => bs58.encode(data.subarray(0, 32));
export const ownerIn = ({ data }: KeptAccount): string => bs58.encode(data.subarray(32, 64));

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

/** What nodes can read is shown read; of anything else `jsonParsed` is base64, as on Solana. */
const dataOf = (chain: SolanaChain, account: KeptAccount, encoding: string | undefined) => {
  const { data } = account;
  if (encoding === 'base58') return [bs58.encode(data), 'base58'];
  if (encoding === 'jsonParsed') {
    if (isToken(account, TOKEN_ACCOUNT_BYTES)) return parsed('account', tokenAccountInfo(chain, account), account);
    if (isToken(account, MINT_BYTES)) return parsed('mint', mintInfo(chain, account), account);
  }
  return [Buffer.from(data).toString('base64'), 'base64'];
};

/** An account in the encoding that was asked for; base64 when none was. */
export const accountView = (chain: SolanaChain, account: KeptAccount, encoding: string | undefined) => ({
  lamports: exactNumber(account.lamports),
  owner: account.owner,
  data: dataOf(chain, account, encoding),
  executable: account.executable === 1,
  rentEpoch: exactNumber('18446744073709551615'),
  space: account.data.length,
});
