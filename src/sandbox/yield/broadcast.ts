import type { Services } from '../services.ts';
import { type ParsedTransaction, parseTransaction } from '../solana/parse.ts';
import type { Solana } from '../solana/solana.ts';

/** The result of a broadcast. `isGood` is false for a transaction that failed on the chain. */
export type BroadcastResult =
  | { readonly kind: 'landed'; readonly signature: string; readonly isGood: boolean }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unsigned'; readonly field: string }
  | { readonly kind: 'wrong'; readonly field: string; readonly message: string };

type SignedTransaction = { readonly field: string; readonly transaction: ParsedTransaction };

const invalid = (field: string, message: string): BroadcastResult => ({ kind: 'wrong', field, message });

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** Whether a vault signs the transaction. A vault signs whole messages of this sandbox only, so the message is unchanged. */
const isSignedByVault = ({ vaults }: Solana, { keys, signatures }: ParsedTransaction): boolean =>
  keys.slice(0, signatures.length).some((key) => vaults.some(({ authority }) => authority.address === key));

const readOne = (solana: Solana, text: string, field: string): SignedTransaction | BroadcastResult => {
  const parsed = parseTransaction(Buffer.from(text, 'base64'));
  if (!parsed.ok) return invalid(field, parsed.message);
  const { transaction } = parsed;
  if (!isSignedByVault(solana, transaction))
    return invalid(field, 'it is not a deposit, withdrawal or rebalance of this service');
  if (transaction.signatures.some(isZero)) return { kind: 'unsigned', field };
  const refusal = solana.chain.findRefusal(transaction);
  if (refusal === 'BlockhashNotFound') return { kind: 'expired' };
  if (refusal === 'AlreadyProcessed') return invalid(field, `it was executed before: ${transaction.signature}`);
  return { field, transaction };
};

const isSigned = (read: SignedTransaction | BroadcastResult): read is SignedTransaction => 'transaction' in read;

const sendOne = async ({ chain }: Solana, { field, transaction }: SignedTransaction): Promise<BroadcastResult> => {
  const sent = await chain.send(transaction);
  if (sent.kind === 'landed') return { kind: 'landed', signature: sent.signature, isGood: sent.error === undefined };
  if (sent.error === 'BlockhashNotFound') return { kind: 'expired' };
  return invalid(field, `the chain refuses it: ${JSON.stringify(sent.error)}`);
};

/**
 * Executes one signed transaction, or two in their order. Both are checked before the first is sent. If the first fails, the
 * second is not sent. The result is that of the last transaction sent.
 */
export const relay = async (services: Services, signed: string | readonly string[]): Promise<BroadcastResult> => {
  const solana = await services.solana();
  const texts = typeof signed === 'string' ? [signed] : signed;
  const fieldOf = (index: number) => (typeof signed === 'string' ? 'op_signed' : `op_signed.${index}`);
  const read = texts.map((text, index) => readOne(solana, text, fieldOf(index)));
  const refused = read.find((each) => !isSigned(each));
  if (refused && !isSigned(refused)) return refused;
  const [first, second] = read.filter(isSigned);
  if (!first) return { kind: 'unsigned', field: 'op_signed' };
  if (first.transaction.signature === second?.transaction.signature)
    return invalid(second.field, 'it is the same transaction as the first');
  const relayed = await sendOne(solana, first);
  return second && relayed.kind === 'landed' && relayed.isGood ? sendOne(solana, second) : relayed;
};
