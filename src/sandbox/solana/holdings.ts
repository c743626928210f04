import bs58 from 'bs58';
import type { LiteSvm } from './binding.ts';
import { TOKEN_PROGRAM } from './instructions.ts';
import type { ParsedTransaction } from './parse.ts';

/** Sizes of the token program's two kinds of account. */
export const MINT_BYTES = 82;
export const TOKEN_ACCOUNT_BYTES = 165;

/** Tokens in one account of a transaction, by its place among the accounts; units are whole numbers as text. */
export type TokenHolding = {
  readonly at: number;
  readonly mint: string;
  readonly owner: string;
  readonly units: string;
  readonly decimals: number;
};

/** What the accounts of a transaction hold at one moment: lamports of each as text, and the tokens. */
export type Holdings = { readonly lamports: readonly string[]; readonly tokens: readonly TokenHolding[] };

const TOKEN_BYTES = Buffer.from(TOKEN_PROGRAM.toBytes());

const decimalsOf = (svm: LiteSvm, mint: Uint8Array): number => svm.getAccount(mint)?.data()[44] ?? 0;

const tokensAt = (svm: LiteSvm, key: Uint8Array, at: number): TokenHolding | undefined => {
  const account = svm.getAccount(key);
  if (!account || Buffer.compare(account.owner(), TOKEN_BYTES) !== 0) return undefined;
  const data = Buffer.from(account.data());
  if (data.length !== TOKEN_ACCOUNT_BYTES) return undefined;
  const mint = data.subarray(0, 32);
  return {
    at,
    mint: bs58.encode(mint),
    owner: bs58.encode(data.subarray(32, 64)),
    units: data.readBigUInt64LE(64).toString(),
    decimals: decimalsOf(svm, mint),
  };
};

/** Reads what a transaction's accounts hold now. A program's account has no tokens, and its data is large. */
export const holdingsOf = (svm: LiteSvm, { message }: ParsedTransaction): Holdings => {
  const programs = new Set(message.compiledInstructions.map(({ programIdIndex }) => programIdIndex));
  const keys = message.staticAccountKeys.map((key) => key.toBytes());
  return {
    lamports: keys.map((key) => (svm.getBalance(key) ?? 0n).toString()),
    tokens: keys.flatMap((key, at) => (programs.has(at) ? [] : (tokensAt(svm, key, at) ?? []))),
  };
};
