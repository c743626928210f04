import * as z from 'zod';
import { type Kind, SOLANA_GENESIS } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { briefly, digitsOf, printJson } from '../../core/json.ts';
import { escapeText, inSentence } from '../../core/text.ts';
import { askNode, type SolanaNode, unusable } from './node.ts';

/** Throws `bad_settings` if the node is on another chain than the transaction: its accounts would be unrelated. */
export const assertNodeOf = async (node: SolanaNode, kind: Kind): Promise<void> => {
  const genesis = await askNode(node, 'getGenesisHash', []);
  if (genesis === SOLANA_GENESIS[kind]) return;
  const chain = kind === 'live' ? 'Solana mainnet' : "the sandbox's Solana chain";
  throw new Failure('bad_settings', `the node at ${node.origin} is not one of ${chain}`, {
    hint: `Its genesis hash is ${inSentence(escapeText(briefly(genesis, 60)))}. Nothing was signed.`,
  });
};

/** An account from a node. */
export type NodeAccount = { readonly lamports: bigint; readonly owner: string; readonly data: Uint8Array };

const lamports = z.unknown().transform((value, context): bigint => {
  const digits = digitsOf(value);
  if (digits !== undefined && /^\d{1,20}$/.test(digits)) return BigInt(digits);
  context.addIssue('not an amount of lamports');
  return z.NEVER;
});

/** An account with base64 data, or null if the account does not exist. */
const accountSchema = z
  .object({ lamports, owner: z.string(), data: z.tuple([z.base64(), z.literal('base64')]) })
  .transform(({ data: [text], ...rest }): NodeAccount => ({ ...rest, data: Buffer.from(text, 'base64') }))
  .nullable();

/** Reads a list of accounts, in the order of their addresses; `undefined` for an account that does not exist. */
export const accountsIn = (
  node: SolanaNode,
  method: string,
  values: unknown,
  count: number,
): readonly (NodeAccount | undefined)[] => {
  const read = z.array(accountSchema).length(count).safeParse(values);
  if (read.success) return read.data.map((account) => account ?? undefined);
  return unusable(node, method, 'it does not list the requested accounts');
};

const MAX_AT_ONCE = 100;
const valueSchema = z.object({ value: z.unknown() });

/** Fetches accounts; `undefined` for an account that does not exist. Throws as `askNode` does. */
export const readAccounts = async (
  node: SolanaNode,
  addresses: readonly string[],
): Promise<readonly (NodeAccount | undefined)[]> => {
  const method = 'getMultipleAccounts';
  const found: (NodeAccount | undefined)[] = [];
  for (let at = 0; at < addresses.length; at += MAX_AT_ONCE) {
    const some = addresses.slice(at, at + MAX_AT_ONCE);
    const answer = valueSchema.safeParse(await askNode(node, method, [some, { encoding: 'base64' }]));
    found.push(...accountsIn(node, method, answer.data?.value, some.length));
  }
  return found;
};

/** The result of a simulation: an error, or the accounts afterwards. */
export type NodeSimulation =
  | { readonly error: string }
  | { readonly error?: undefined; readonly accounts: readonly (NodeAccount | undefined)[] };

const schema = z.object({ value: z.object({ err: z.unknown(), accounts: z.unknown() }) });

/**
 * Simulates a base64 transaction on a node, with its own blockhash or with the newest one. Signatures may be missing. The
 * result has the accounts of `addresses` after the transaction. Throws as `askNode` does.
 */
export const simulate = async (
  node: SolanaNode,
  transaction: string,
  addresses: readonly string[],
  replaceRecentBlockhash = false,
): Promise<NodeSimulation> => {
  const method = 'simulateTransaction';
  const encoding = 'base64';
  const options = { encoding, sigVerify: false, replaceRecentBlockhash, accounts: { encoding, addresses } };
  const answer = schema.safeParse(await askNode(node, method, [transaction, options]));
  if (!answer.success) return unusable(node, method, 'it has no value with an error and accounts');
  const { err, accounts } = answer.data.value;
  if (err !== null && err !== undefined) return { error: typeof err === 'string' ? err : printJson(err) };
  return { accounts: accountsIn(node, method, accounts, addresses.length) };
};
