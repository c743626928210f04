import type { LiteSvm } from './binding.ts';
import { TOKEN_PROGRAM } from './instructions.ts';
import type { ParsedTransaction } from './parse.ts';

/** Sizes of the token program's two kinds of account. */
export const MINT_BYTES = 82;
export const TOKEN_ACCOUNT_BYTES = 165;

/**
 * Tokens in one account of a transaction, by its place among the accounts. Mint and owner in base64, which takes a
 * fiftieth of the time of base58 and is seldom read; units are a whole number as text.
 */
export type TokenHolding = {
  readonly at: number;
  readonly mint: string;
  readonly owner: string;
  readonly units: string;
};

/** The balances of a transaction's accounts at one moment: lamports as text, and the tokens. */
export type Holdings = { readonly lamports: readonly string[]; readonly tokens: readonly TokenHolding[] };

/** An account's part that is looked at; `isToken`: whether it is the token program's. */
type Seen = { readonly lamports: string; readonly isToken: boolean; readonly data: () => Uint8Array };

const TOKEN_BYTES = Buffer.from(TOKEN_PROGRAM.toBytes());
const TOKEN_NAME = TOKEN_PROGRAM.toBase58();

const tokensIn = (seen: Seen | undefined, at: number): readonly TokenHolding[] => {
  if (!seen?.isToken) return [];
  const bytes = Buffer.from(seen.data());
  if (bytes.length !== TOKEN_ACCOUNT_BYTES) return [];
  const [mint, owner] = [bytes.toString('base64', 0, 32), bytes.toString('base64', 32, 64)];
  return [{ at, mint, owner, units: bytes.readBigUInt64LE(64).toString() }];
};

const seenBy = (svm: LiteSvm, key: Uint8Array): Seen | undefined => {
  const account = svm.getAccount(key);
  if (!account) return undefined;
  const isToken = Buffer.compare(account.owner(), TOKEN_BYTES) === 0;
  return { lamports: account.lamports().toString(), isToken, data: () => account.data() };
};

/** Reads what a transaction's accounts hold now. A program's account has no tokens, and its data is large. */
export const holdingsOf = (svm: LiteSvm, { message, keyBytes }: ParsedTransaction): Holdings => {
  const programs = new Set(message.compiledInstructions.map(({ programIdIndex }) => programIdIndex));
  const lamports: string[] = [];
  const tokens: TokenHolding[] = [];
  for (const [at, key] of keyBytes.entries()) {
    const seen = programs.has(at) ? undefined : seenBy(svm, key);
    lamports.push(seen?.lamports ?? (programs.has(at) ? String(svm.getBalance(key) ?? 0n) : '0'));
    tokens.push(...tokensIn(seen, at));
  }
  return { lamports, tokens };
};

/** An account after a change: as much of it as holds something. */
type Changed = {
  readonly address: string;
  readonly lamports: string;
  readonly owner: string;
  readonly data: Uint8Array;
};

/** The balances after these accounts were written. `keys` are all accounts, in base58. */
export const holdingsAfter = (
  before: Holdings,
  { message, keys }: ParsedTransaction,
  changed: readonly Changed[],
): Holdings => {
  const byAddress = new Map(changed.map((each) => [each.address, each]));
  const seenAt = (at: number): Seen | undefined => {
    const found = byAddress.get(keys[at] ?? '');
    return found && { lamports: found.lamports, isToken: found.owner === TOKEN_NAME, data: () => found.data };
  };
  const isKept = (at: number): boolean => !message.isAccountWritable(at);
  return {
    lamports: before.lamports.map((each, at) => (isKept(at) ? each : (seenAt(at)?.lamports ?? '0'))),
    tokens: keys.flatMap((_, at) =>
      isKept(at) ? before.tokens.filter((each) => each.at === at) : tokensIn(seenAt(at), at),
    ),
  };
};
