import bs58 from 'bs58';
import * as z from 'zod';
import { invalidParams, type RpcResult, result, rpcError } from '../../json-rpc.ts';
import type { TransactionError } from '../effects.ts';
import { type ParseResult, parseTransaction } from '../parse.ts';
import type { SimulationResult } from '../svm.ts';
import { innerView, returnView } from './effects-view.ts';
import { accountView, atSlot, isRefusal, type Method, viewIn, whyNotShown } from './reads.ts';

const SIMULATION_FAILED = -32002;
const SIGNATURE_FAILED = -32003;

const sendOptions = z
  .object({ encoding: z.enum(['base58', 'base64']).optional(), skipPreflight: z.boolean().optional() })
  .nullish();

const decode = (text: unknown, encoding: string | undefined): ParseResult => {
  if (typeof text !== 'string') return { ok: false, message: 'it is no text' };
  try {
    return parseTransaction(encoding === 'base64' ? Buffer.from(text, 'base64') : bs58.decode(text));
  } catch {
    return { ok: false, message: `it is not ${encoding ?? 'base58'}` };
  }
};

const WORDS: Readonly<Record<string, string>> = {
  BlockhashNotFound: 'Blockhash not found',
  AlreadyProcessed: 'This transaction has already been processed',
};

const failed = (error: TransactionError, logs: readonly string[]): RpcResult => {
  if (error === 'SignatureFailure') return rpcError(SIGNATURE_FAILED, 'Transaction signature verification failure');
  const why = typeof error === 'string' ? (WORDS[error] ?? error) : JSON.stringify(error);
  return rpcError(SIMULATION_FAILED, `Transaction simulation failed: ${why}`, { err: error, logs, accounts: null });
};

const send: Method = async (chain, params) => {
  const options = sendOptions.safeParse(params[1]);
  if (!options.success) return invalidParams('the encoding is neither base58 nor base64');
  const parsed = decode(params[0], options.data?.encoding);
  if (!parsed.ok) return invalidParams(parsed.message);
  const { transaction } = parsed;
  const whyNot = chain.whyNot(transaction);
  if (whyNot) return failed(whyNot, []);
  if (options.data?.skipPreflight !== true) {
    const { error, logs } = chain.simulate(transaction, true);
    if (error !== undefined) return failed(error, logs);
  }
  const sent = await chain.send(transaction);
  return sent.kind === 'landed' ? result(sent.signature) : failed(sent.error, sent.logs);
};

/** The largest number of accounts of a transaction. */
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

/** An account as it would be; `undefined` for one that is not there then, or not of the transaction. */
const accountAfter = (ran: SimulationResult | undefined, address: string) => {
  const found = ran?.accounts.find((each) => each.address === address);
  return found?.lamports === '0' ? undefined : found;
};

/** Signatures are verified where that is asked for, as Solana's nodes do. */
const simulate: Method = (chain, params) => {
  const options = simulateOptions.safeParse(params[1]);
  const view = viewIn(options.data?.accounts);
  if (!options.success || isRefusal(view)) return invalidParams('the options cannot be used');
  const { encoding, accounts, sigVerify, replaceRecentBlockhash, innerInstructions } = options.data ?? {};
  const parsed = decode(params[0], encoding);
  if (!parsed.ok) return invalidParams(parsed.message);
  const whyNot = replaceRecentBlockhash === true ? undefined : chain.whyNot(parsed.transaction);
  const ran = whyNot ? undefined : chain.simulate(parsed.transaction, sigVerify === true);
  const isShown = ran?.error === undefined;
  const found = isShown ? accounts?.addresses.map((address) => accountAfter(ran, address)) : undefined;
  const why = found && whyNotShown(found, view);
  if (why) return why;
  return atSlot(chain, {
    err: whyNot ?? ran?.error ?? null,
    logs: ran?.logs ?? [],
    accounts: found?.map((each) => (each ? accountView(chain, each, view) : null)) ?? null,
    unitsConsumed: Number(ran?.units ?? 0n),
    returnData: returnView(ran?.returned),
    innerInstructions: innerInstructions === true && ran ? innerView(parsed.transaction, ran.inner, true) : null,
    ...(replaceRecentBlockhash === true && { replacementBlockhash: chain.slots.latestBlockhash() }),
  });
};

/** The calls that send and simulate transactions. */
export const TRANSACTIONS: Readonly<Record<string, Method>> = { sendTransaction: send, simulateTransaction: simulate };
