import bs58 from 'bs58';
import * as z from 'zod';
import { parseJson } from '../../../core/json.ts';
import { invalidParams, type RpcResult, result, rpcError } from '../../json-rpc.ts';
import { isTransactionError, type TransactionError } from '../errors.ts';
import { type Parsed, parseTransaction } from '../parse.ts';
import type { KeptTransaction } from '../store.ts';
import type { Simulated } from '../svm.ts';
import { accountView, atSlot, type Method } from './reads.ts';

const SIMULATION_FAILED = -32002;
const SIGNATURE_FAILED = -32003;

const sendOptions = z
  .object({ encoding: z.enum(['base58', 'base64']).optional(), skipPreflight: z.boolean().optional() })
  .optional();

const decode = (text: unknown, encoding: string | undefined): Parsed => {
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

/** As many as the accounts of a transaction can be. */
const MOST_ACCOUNTS = 256;

const simulateOptions = z
  .object({
    encoding: z.enum(['base58', 'base64']).optional(),
    sigVerify: z.boolean().optional(),
    replaceRecentBlockhash: z.boolean().optional(),
    accounts: z
      .object({ encoding: z.string().optional(), addresses: z.array(z.string()).max(MOST_ACCOUNTS) })
      .optional(),
  })
  .optional();

type Asked = { readonly addresses: readonly string[]; readonly encoding?: string | undefined };

/** The accounts that were asked for as they would be; null for one that is not there, or not of the transaction. */
const accountsAfter = (ran: Simulated | undefined, asked: Asked | undefined) =>
  asked && ran?.error === undefined
    ? asked.addresses.map((address) => {
        const found = ran?.accounts.find((each) => each.address === address);
        return found && found.lamports !== '0' ? accountView(found, asked.encoding) : null;
      })
    : null;

/** Signatures are verified where that is asked for, as Solana's nodes do. */
const simulate: Method = (chain, params) => {
  const options = simulateOptions.safeParse(params[1]);
  if (!options.success) return invalidParams('the options cannot be used');
  const parsed = decode(params[0], options.data?.encoding);
  if (!parsed.ok) return invalidParams(parsed.message);
  const whyNot = options.data?.replaceRecentBlockhash === true ? undefined : chain.whyNot(parsed.transaction);
  const ran = whyNot ? undefined : chain.simulate(parsed.transaction, options.data?.sigVerify === true);
  return atSlot(chain, {
    err: whyNot ?? ran?.error ?? null,
    logs: ran?.logs ?? [],
    accounts: accountsAfter(ran, options.data?.accounts),
    unitsConsumed: Number(ran?.units ?? 0n),
    returnData: null,
  });
};

/** Why a kept transaction failed; `null` when it did not. */
export const errorOf = ({ error }: Pick<KeptTransaction, 'error'>): TransactionError | null => {
  const read = error === null ? null : parseJson(error);
  return isTransactionError(read) ? read : null;
};

const statuses: Method = async (chain, params) => {
  const signatures = z.array(z.string().max(100)).max(256).safeParse(params[0]);
  if (!signatures.success) return invalidParams('the first is no list of at most 256 signatures');
  const found = await Promise.all(signatures.data.map(chain.find));
  const view = (kept: KeptTransaction) => {
    const err = errorOf(kept);
    const status = err === null ? { Ok: null } : { Err: err };
    return { slot: kept.slot, confirmations: null, err, status, confirmationStatus: 'finalized' };
  };
  return atSlot(
    chain,
    found.map((kept) => (kept ? view(kept) : null)),
  );
};

const transaction: Method = async (chain, params) => {
  const kept = typeof params[0] === 'string' ? await chain.find(params[0]) : undefined;
  if (!kept) return result(null);
  const parsed = parseTransaction(kept.bytes);
  return result({
    slot: kept.slot,
    blockTime: Math.floor(Date.parse(kept.at) / 1000),
    transaction: [Buffer.from(kept.bytes).toString('base64'), 'base64'],
    version: parsed.ok ? parsed.transaction.message.version : 'legacy',
    meta: {
      err: errorOf(kept),
      logMessages: parseJson(kept.logs),
      computeUnitsConsumed: Number(kept.units),
    },
  });
};

/** What sends transactions, tries them, and finds them again. */
export const TRANSACTIONS: Readonly<Record<string, Method>> = {
  sendTransaction: send,
  simulateTransaction: simulate,
  getSignatureStatuses: statuses,
  getTransaction: transaction,
};
