import * as z from 'zod';
import { type Kind, SOLANA_GENESIS } from '../contract/chains.ts';
import { Failure, messageOf, undefinedOn } from '../core/failure.ts';
import { briefly, digitsOf, isJsonObject, parseJson, printJson, valueAt } from '../core/json.ts';
import { escapeText, inSentence } from '../core/text.ts';
import { isLoopback } from '../core/web-address.ts';
import type { Io } from '../io/io.ts';
import { faultAdvice, faultText, takenOver } from './fault-text.ts';
import { postJsonRpc } from './node.ts';

/** A Solana node that the user named. `url` may contain the user's key, so that only `origin` is ever shown. */
export type SolanaNode = {
  readonly io: Io;
  readonly url: string;
  readonly origin: string;
  /** Its `deadline` is the `io.clock.monotonic()` at which waiting ends; it may move while a prompt is open. */
  readonly until: { readonly deadline: number };
};

const LIMITS = { longestMs: 30_000, maxBytes: 16 * 1024 * 1024 };

/** Opens a node by its address. Throws `bad_settings` unless the address is https, or http on this machine. */
export const openNode = (io: Io, address: string, until: SolanaNode['until']): SolanaNode => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe || url.username || url.password) {
    throw new Failure('bad_settings', '--rpc-url must be an https address without a user, or http on this machine');
  }
  return { io, url: url.href, origin: url.origin, until };
};

/** Throws `unexpected_answer` for an answer that no Solana node gives. */
export const unusable = ({ origin }: SolanaNode, method: string, why: string): never => {
  throw new Failure('unexpected_answer', `the answer of the node at ${origin} to ${method} is unusable: ${why}`);
};

const resultOf = (node: SolanaNode, method: string, text: string): unknown => {
  let answer: unknown;
  try {
    answer = parseJson(text);
  } catch (error) {
    return unusable(node, method, messageOf(error));
  }
  if (!isJsonObject(answer)) return unusable(node, method, 'it is not an object');
  if (answer['error'])
    return unusable(node, method, inSentence(escapeText(briefly(valueAt(answer, 'error', 'message')))));
  return 'result' in answer ? answer['result'] : unusable(node, method, 'it has no result');
};

/** Posts one call to a node and returns the answer or the fault. Throws `unavailable` if the deadline has passed. */
export const postTo = ({ io, url, until }: SolanaNode, method: string, params: readonly unknown[]) =>
  postJsonRpc(io, url, { method, params }, { ...LIMITS, deadline: until.deadline });

/** Calls a node once and returns the result. Throws `unavailable` or `unexpected_answer`. */
export const askNode = async (node: SolanaNode, method: string, params: readonly unknown[]): Promise<unknown> => {
  const answer = await postTo(node, method, params);
  if (answer.kind === 'fault') {
    if (answer.reason === 'taken_over') throw takenOver(answer);
    throw new Failure('unavailable', `the node at ${node.origin} did not answer ${method}: ${faultText(answer)}`, {
      hint: faultAdvice(answer),
    });
  }
  if (answer.http !== 200) return unusable(node, method, `HTTP ${answer.http}`);
  return resultOf(node, method, Buffer.from(answer.body).toString('utf8'));
};

/**
 * The result of sending signed bytes to a node.
 * - `refused`: the node certainly did not forward the bytes; `isOld`: because of their blockhash.
 * - `unsent`: the bytes did not leave this machine.
 * - `open`: the bytes may land. Only the chain shows whether they did.
 */
export type Submission =
  | { readonly kind: 'open' }
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string; readonly isOld: boolean };

/** Error codes of a node that forwarded nothing: wrong parameters, a failed preflight, a bad signature. */
const REFUSALS: readonly number[] = [-32602, -32002, -32003];

const submissionOf = (text: string): Submission => {
  const answer = undefinedOn(() => parseJson(text));
  const [code, message] = [valueAt(answer, 'error', 'code'), valueAt(answer, 'error', 'message')];
  if (typeof message !== 'string' || !REFUSALS.some((each) => each === code)) return { kind: 'open' };
  const cause = valueAt(answer, 'error', 'data', 'err');
  // The transaction has landed, or is about to land.
  if (cause === 'AlreadyProcessed' || /already been processed/i.test(message)) return { kind: 'open' };
  const isOld = cause === 'BlockhashNotFound' || /blockhash not found/i.test(message);
  return { kind: 'refused', why: inSentence(escapeText(message.slice(0, 300))), isOld };
};

/** Sends signed bytes (base64) to a node once. Only the chain shows whether they landed. */
export const submit = async (node: SolanaNode, transaction: string): Promise<Submission> => {
  const options = { encoding: 'base64', preflightCommitment: COMMITMENT };
  const answer = await postTo(node, 'sendTransaction', [transaction, options]);
  if (answer.kind === 'answer') return submissionOf(Buffer.from(answer.body).toString('utf8'));
  return answer.sent ? { kind: 'open' } : { kind: 'unsent', why: answer.message };
};

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

/**
 * Accounts are read, and transactions simulated, on the newest blocks. By default a node uses final blocks, which are
 * 13 seconds old. They lack younger blockhashes, and the effect of a transaction that has just landed.
 */
const COMMITMENT = 'processed';

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
    const answer = valueSchema.safeParse(
      await askNode(node, method, [some, { encoding: 'base64', commitment: COMMITMENT }]),
    );
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
  const which = { encoding, commitment: COMMITMENT, sigVerify: false, replaceRecentBlockhash };
  const options = { ...which, accounts: { encoding, addresses } };
  const answer = schema.safeParse(await askNode(node, method, [transaction, options]));
  if (!answer.success) return unusable(node, method, 'it has no value with an error and accounts');
  const { err, accounts } = answer.data.value;
  if (err !== null && err !== undefined) return { error: typeof err === 'string' ? err : printJson(err) };
  return { accounts: accountsIn(node, method, accounts, addresses.length) };
};
