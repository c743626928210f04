import bs58 from 'bs58';
import * as z from 'zod';
import { Failure } from '../../../core/failure.ts';
import { parseJson } from '../../../core/json.ts';
import { invalidParams, type RpcResult, result, rpcError } from '../../json-rpc.ts';
import type { SolanaChain } from '../chain.ts';
import type { Effects, TransactionError } from '../effects.ts';
import { MEMO_PROGRAM } from '../instructions.ts';
import { type ParsedTransaction, parseTransaction } from '../parse.ts';
import type { StoredTransaction } from '../store.ts';
import { effectsView, instructionsView } from './effects-view.ts';
import { atSlot, type Method, withAddress } from './reads.ts';

/** The error of a stored transaction; `null` if it succeeded. */
export const errorOf = ({ error }: Pick<StoredTransaction, 'error'>) =>
  (error === null ? null : parseJson(error)) as TransactionError | null;

const statusOf = (err: TransactionError | null) => (err === null ? { Ok: null } : { Err: err });

const signatureStatuses: Method = async (chain, params) => {
  const signatures = z.array(z.string().max(100)).max(256).safeParse(params[0]);
  if (!signatures.success) return invalidParams('the first parameter must be a list of at most 256 signatures');
  const found = await Promise.all(signatures.data.map(chain.find));
  const view = (stored: StoredTransaction) => {
    const err = errorOf(stored);
    return { slot: stored.slot, confirmations: null, err, status: statusOf(err), confirmationStatus: 'finalized' };
  };
  const views = found.map((stored) => (stored ? view(stored) : null));
  return atSlot(chain, views);
};

const parsedOf = (stored: StoredTransaction): ParsedTransaction => {
  const parsed = parseTransaction(new Uint8Array(stored.bytes));
  if (parsed.ok) return parsed.transaction;
  throw new Failure('internal', `the transaction ${stored.signature} cannot be read: ${parsed.message}`);
};

const encodingSchema = z.enum(['json', 'jsonParsed', 'base64', 'base58']).nullish();

/** Older clients send the encoding as a string instead of an object. */
const transactionOptions = z
  .union([
    encodingSchema.transform((encoding) => ({ encoding, maxSupportedTransactionVersion: undefined })),
    z.object({ encoding: encodingSchema, maxSupportedTransactionVersion: z.int().min(0).nullish() }),
  ])
  .transform(({ encoding, maxSupportedTransactionVersion: maxVersion }) => ({
    encoding: encoding ?? 'json',
    maxVersion,
  }));

type Options = z.infer<typeof transactionOptions>;

const keysView = ({ keys, message }: ParsedTransaction) =>
  keys.map((pubkey, at) => ({
    pubkey,
    signer: message.isAccountSigner(at),
    writable: message.isAccountWritable(at),
    source: 'transaction',
  }));

const messageView = (transaction: ParsedTransaction, isParsed: boolean) => {
  const { message, keys, blockhash } = transaction;
  return {
    ...(isParsed ? { accountKeys: keysView(transaction) } : { accountKeys: keys, header: message.header }),
    recentBlockhash: blockhash,
    instructions: instructionsView(transaction, isParsed),
    ...(message.version === 0 && { addressTableLookups: [] }),
  };
};

const transactionView = (transaction: ParsedTransaction, encoding: Options['encoding']) => {
  const { bytes, signatures } = transaction;
  if (encoding === 'base64') return [Buffer.from(bytes).toString('base64'), 'base64'];
  if (encoding === 'base58') return [bs58.encode(bytes), 'base58'];
  return {
    signatures: signatures.map((each) => bs58.encode(each)),
    message: messageView(transaction, encoding === 'jsonParsed'),
  };
};

/** The `meta` of a transaction; `null` if an earlier version of the sandbox stored it without its effects. */
const metaView = (chain: SolanaChain, stored: StoredTransaction, transaction: ParsedTransaction, isParsed: boolean) => {
  if (stored.effects === null) return null;
  const err = errorOf(stored);
  return {
    err,
    status: statusOf(err),
    ...effectsView(chain, transaction, parseJson(stored.effects) as Effects, isParsed),
    logMessages: parseJson(stored.logs),
    loadedAddresses: { writable: [], readonly: [] },
    rewards: [],
    computeUnitsConsumed: Number(stored.units),
  };
};

const blockTimeOf = ({ at }: StoredTransaction): number => Math.floor(Date.parse(at) / 1000);

/** The error code of Solana's nodes for a transaction above the client's `maxSupportedTransactionVersion`. */
const UNSUPPORTED_VERSION = -32_015;

const show = (chain: SolanaChain, stored: StoredTransaction, { encoding, maxVersion }: Options): RpcResult => {
  const transaction = parsedOf(stored);
  const { version } = transaction.message;
  if (version !== 'legacy' && version > (maxVersion ?? -1)) {
    const advice = `set "maxSupportedTransactionVersion" to ${version}`;
    return rpcError(
      UNSUPPORTED_VERSION,
      `Transaction version (${version}) is not supported by this request: ${advice}`,
    );
  }
  return result({
    slot: stored.slot,
    blockTime: blockTimeOf(stored),
    transaction: transactionView(transaction, encoding),
    meta: metaView(chain, stored, transaction, encoding === 'jsonParsed'),
    ...(maxVersion !== undefined && maxVersion !== null && { version }),
  });
};

const transaction: Method = async (chain, params) => {
  const options = transactionOptions.safeParse(params[1]);
  if (!options.success) return invalidParams('unknown encoding');
  if (typeof params[0] !== 'string') return invalidParams('the first parameter must be a signature');
  const stored = await chain.find(params[0]);
  return stored ? show(chain, stored, options.data) : result(null);
};

const MEMO = MEMO_PROGRAM.toBase58();

/** The memos of a transaction, each after its length in bytes, in the format of Solana's nodes; `null` without memos. */
const memoOf = (stored: StoredTransaction): string | null => {
  const { message, keys } = parsedOf(stored);
  const memos = message.compiledInstructions.filter(({ programIdIndex }) => keys[programIdIndex] === MEMO);
  return memos.length === 0
    ? null
    : memos.map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`).join('; ');
};

const MAX_SIGNATURES = 1000;
const signature = z.string().max(100).nullish();
const pageOptions = z
  .object({ limit: z.int().min(1).max(MAX_SIGNATURES).nullish(), before: signature, until: signature })
  .nullish();

const signaturesForAddress = async (chain: SolanaChain, address: string, param: unknown): Promise<RpcResult> => {
  const options = pageOptions.safeParse(param);
  if (!options.success)
    return invalidParams(`limit must be from 1 to ${MAX_SIGNATURES}, before and until must be signatures`);
  const { limit, before, until } = options.data ?? {};
  const page = { limit: limit ?? MAX_SIGNATURES, before: before ?? undefined, until: until ?? undefined };
  const found = await chain.history(address, page);
  return result(
    found.map((stored) => ({
      signature: stored.signature,
      slot: stored.slot,
      err: errorOf(stored),
      memo: memoOf(stored),
      blockTime: blockTimeOf(stored),
      confirmationStatus: 'finalized',
    })),
  );
};

/** The methods that read executed transactions. */
export const HISTORY: Readonly<Record<string, Method>> = {
  getSignatureStatuses: signatureStatuses,
  getTransaction: transaction,
  getSignaturesForAddress: withAddress((chain, address, params) => signaturesForAddress(chain, address, params[1])),
};
