import bs58 from 'bs58';
import * as z from 'zod';
import { invalidParams, type RpcResult, result, rpcError } from '../../json-rpc.ts';
import type { TransactionError } from '../effects.ts';
import { type ParseResult, parseTransaction } from '../parse.ts';
import type { SimulationResult } from '../svm.ts';
import { innerView, returnView } from './effects-view.ts';
import { accountView, atSlot, findViewRefusal, isRefusal, type Method, readViewOptions } from './reads.ts';

const SIMULATION_FAILED = -32002;
const SIGNATURE_FAILED = -32003;

const sendOptions = z
  .object({ encoding: z.enum(['base58', 'base64']).optional(), skipPreflight: z.boolean().optional() })
  .nullish();

const decode = (text: unknown, encoding: string | undefined): ParseResult => {
  if (typeof text !== 'string') return { ok: false, message: 'the transaction must be a string' };
  try {
    return parseTransaction(encoding === 'base64' ? Buffer.from(text, 'base64') : bs58.decode(text));
  } catch {
    return { ok: false, message: `the transaction is not in ${encoding ?? 'base58'}` };
  }
};

/** Messages of errors, as in Solana's nodes. */
const MESSAGES: Readonly<Record<string, string>> = {
  BlockhashNotFound: 'Blockhash not found',
  AlreadyProcessed: 'This transaction has already been processed',
};

/** The JSON-RPC error of a refused transaction. */
const failureOf = (error: TransactionError, logs: readonly string[]): RpcResult => {
  if (error === 'SignatureFailure') return rpcError(SIGNATURE_FAILED, 'Transaction signature verification failure');
  const reason = typeof error === 'string' ? (MESSAGES[error] ?? error) : JSON.stringify(error);
  return rpcError(SIMULATION_FAILED, `Transaction simulation failed: ${reason}`, { err: error, logs, accounts: null });
};

const send: Method = async (chain, params) => {
  const options = sendOptions.safeParse(params[1]);
  if (!options.success) return invalidParams('the encoding must be base58 or base64, and skipPreflight true or false');
  const parsed = decode(params[0], options.data?.encoding);
  if (!parsed.ok) return invalidParams(parsed.message);
  const { transaction } = parsed;
  const refusal = chain.findRefusal(transaction);
  if (refusal) return failureOf(refusal, []);
  if (options.data?.skipPreflight !== true) {
    const { error, logs } = chain.simulate(transaction, true);
    if (error !== undefined) return failureOf(error, logs);
  }
  const sent = await chain.send(transaction);
  return sent.kind === 'landed' ? result(sent.signature) : failureOf(sent.error, sent.logs);
};

/** The maximum of accounts in a transaction. */
const MAX_ACCOUNTS = 256;

const simulateOptions = z
  .object({
    encoding: z.enum(['base58', 'base64']).optional(),
    sigVerify: z.boolean().optional(),
    replaceRecentBlockhash: z.boolean().optional(),
    innerInstructions: z.boolean().optional(),
    accounts: z
      .object({ addresses: z.array(z.string()).max(MAX_ACCOUNTS) })
      .loose()
      .optional(),
  })
  .nullish();

/** An account after the simulation; `undefined` if it does not exist then, or is not in the transaction. */
const accountAfter = (simulation: SimulationResult | undefined, address: string) => {
  const found = simulation?.accounts.find((each) => each.address === address);
  return found?.lamports === '0' ? undefined : found;
};

/** Simulates a transaction. Like Solana's nodes, it verifies signatures only with `sigVerify`. */
const simulate: Method = (chain, params) => {
  const options = simulateOptions.safeParse(params[1]);
  const view = readViewOptions(options.data?.accounts);
  if (!options.success || isRefusal(view)) return invalidParams('the options are not valid');
  const { encoding, accounts, sigVerify, replaceRecentBlockhash, innerInstructions } = options.data ?? {};
  const parsed = decode(params[0], encoding);
  if (!parsed.ok) return invalidParams(parsed.message);
  const refusal = replaceRecentBlockhash === true ? undefined : chain.findRefusal(parsed.transaction);
  const simulation = refusal ? undefined : chain.simulate(parsed.transaction, sigVerify === true);
  const isSuccess = simulation?.error === undefined;
  const found = isSuccess ? accounts?.addresses.map((address) => accountAfter(simulation, address)) : undefined;
  const viewRefusal = found && findViewRefusal(found, view);
  if (viewRefusal) return viewRefusal;
  return atSlot(chain, {
    err: refusal ?? simulation?.error ?? null,
    logs: simulation?.logs ?? [],
    accounts: found?.map((each) => (each ? accountView(chain, each, view) : null)) ?? null,
    unitsConsumed: Number(simulation?.units ?? 0n),
    returnData: returnView(simulation?.returned),
    innerInstructions:
      innerInstructions === true && simulation ? innerView(parsed.transaction, simulation.inner, true) : null,
    ...(replaceRecentBlockhash === true && { replacementBlockhash: chain.slots.latestBlockhash() }),
  });
};

/** The methods that send and simulate transactions. */
export const TRANSACTIONS: Readonly<Record<string, Method>> = { sendTransaction: send, simulateTransaction: simulate };
