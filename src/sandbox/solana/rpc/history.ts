import bs58 from 'bs58';
import * as z from 'zod';
import { Failure } from '../../../core/failure.ts';
import { parseJson } from '../../../core/json.ts';
import { invalidParams, type RpcResult, result, rpcError } from '../../json-rpc.ts';
import type { SolanaChain } from '../chain.ts';
import type { Effects, TransactionError } from '../effects.ts';
import { MEMO_PROGRAM } from '../instructions.ts';
import { type ParsedTransaction, parseTransaction } from '../parse.ts';
import type { KeptTransaction } from '../store.ts';
import { effectsView, instructionsView } from './effects-view.ts';
import { atSlot, type Method, withAddress } from './reads.ts';

/** The error of a stored transaction; `null` if it succeeded. */
export const errorOf = ({ error }: Pick<KeptTransaction, 'error'>) =>
  (error === null ? null : parseJson(error)) as TransactionError | null;

const statusOf = (err: TransactionError | null) => (err === null ? { Ok: null } : { Err: err });

const statuses: Method = async (chain, params) => {
  const signatures = z.array(z.string().max(100)).max(256).safeParse(params[0]);
  if (!signatures.success) return invalidParams('the first is no list of at most 256 signatures');
  const found = await Promise.all(signatures.data.map(chain.find));
  const view = (kept: KeptTransaction) => {
    const err = errorOf(kept);
    return { slot: kept.slot, confirmations: null, err, status: statusOf(err), confirmationStatus: 'finalized' };
  };
  const views = found.map((kept) => (kept ? view(kept) : null));
  return atSlot(chain, views);
};

const parsedOf = (kept: KeptTransaction): ParsedTransaction => {
  const parsed = parseTransaction(new Uint8Array(kept.bytes));
  if (parsed.ok) return parsed.transaction;
  throw new Failure('internal', `the transaction ${kept.signature} cannot be read: ${parsed.message}`);
};

const encodingSchema = z.enum(['json', 'jsonParsed', 'base64', 'base58']).nullish();

/** Older clients send the encoding as a string instead of an object. */
const transactionOptions = z
  .union([
    encodingSchema.transform((encoding) => ({ encoding, maxSupportedTransactionVersion: undefined })),
    z.object({ encoding: encodingSchema, maxSupportedTransactionVersion: z.int().min(0).nullish() }),
  ])
  .transform(({ encoding, maxSupportedTransactionVersion: most }) => ({ encoding: encoding ?? 'json', most }));

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

/** `null` for a transaction of an older ledger, which did not store effects. */
const metaView = (chain: SolanaChain, kept: KeptTransaction, transaction: ParsedTransaction, isParsed: boolean) => {
  if (kept.effects === null) return null;
  const err = errorOf(kept);
  return {
    err,
    status: statusOf(err),
    ...effectsView(chain, transaction, parseJson(kept.effects) as Effects, isParsed),
    logMessages: parseJson(kept.logs),
    loadedAddresses: { writable: [], readonly: [] },
    rewards: [],
    computeUnitsConsumed: Number(kept.units),
  };
};

const blockTimeOf = ({ at }: KeptTransaction): number => Math.floor(Date.parse(at) / 1000);

/** The error code of Solana's nodes for a transaction above the client's `maxSupportedTransactionVersion`. */
const UNSUPPORTED_VERSION = -32_015;

const show = (chain: SolanaChain, kept: KeptTransaction, { encoding, most }: Options): RpcResult => {
  const transaction = parsedOf(kept);
  const { version } = transaction.message;
  if (version !== 'legacy' && version > (most ?? -1)) {
    const advice = `set "maxSupportedTransactionVersion" to ${version}`;
    return rpcError(
      UNSUPPORTED_VERSION,
      `Transaction version (${version}) is not supported by this request: ${advice}`,
    );
  }
  return result({
    slot: kept.slot,
    blockTime: blockTimeOf(kept),
    transaction: transactionView(transaction, encoding),
    meta: metaView(chain, kept, transaction, encoding === 'jsonParsed'),
    ...(most !== undefined && most !== null && { version }),
  });
};

const transaction: Method = async (chain, params) => {
  const options = transactionOptions.safeParse(params[1]);
  if (!options.success) return invalidParams('the encoding is not known');
  if (typeof params[0] !== 'string') return invalidParams('the first is no signature');
  const kept = await chain.find(params[0]);
  return kept ? show(chain, kept, options.data) : result(null);
};

const MEMO = MEMO_PROGRAM.toBase58();

/** The memos of a transaction, each after its length in bytes, as Solana's nodes write them. */
const memoOf = (kept: KeptTransaction): string | null => {
  const { message, keys } = parsedOf(kept);
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

const signaturesForAddress = async (chain: SolanaChain, address: string, received: unknown): Promise<RpcResult> => {
  const options = pageOptions.safeParse(received);
  if (!options.success) return invalidParams(`limit is from 1 to ${MAX_SIGNATURES}, before and until are signatures`);
  const { limit, before, until } = options.data ?? {};
  const page = { limit: limit ?? MAX_SIGNATURES, before: before ?? undefined, until: until ?? undefined };
  const found = await chain.history(address, page);
  return result(
    found.map((kept) => ({
      signature: kept.signature,
      slot: kept.slot,
      err: errorOf(kept),
      memo: memoOf(kept),
      blockTime: blockTimeOf(kept),
      confirmationStatus: 'finalized',
    })),
  );
};

/** The methods that read executed transactions. */
export const HISTORY: Readonly<Record<string, Method>> = {
  getSignatureStatuses: statuses,
  getTransaction: transaction,
  getSignaturesForAddress: withAddress((chain, address, params) => signaturesForAddress(chain, address, params[1])),
};
