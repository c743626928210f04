import type { Services } from '../services.ts';
import { type ParsedTransaction, parseTransaction } from '../solana/parse.ts';
import type { Solana } from '../solana/solana.ts';

/** The result of a broadcast. */
export type BroadcastResult =
  | { readonly kind: 'landed'; readonly signature: string; readonly isGood: boolean }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unsigned'; readonly field: string }
  | { readonly kind: 'wrong'; readonly field: string; readonly message: string };

type Signed = { readonly field: string; readonly transaction: ParsedTransaction };

const wrong = (field: string, message: string): BroadcastResult => ({ kind: 'wrong', field, message });

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** The vault's signature is over the whole message: what carries it was built here, and nothing of it was changed. */
const isOurs = ({ vaults }: Solana, { keys, signatures }: ParsedTransaction): boolean =>
  keys.slice(0, signatures.length).some((key) => vaults.some(({ authority }) => authority.address === key));

const readOne = (solana: Solana, text: string, field: string): Signed | BroadcastResult => {
  const parsed = parseTransaction(Buffer.from(text, 'base64'));
  if (!parsed.ok) return wrong(field, parsed.message);
  const { transaction } = parsed;
  if (!isOurs(solana, transaction)) return wrong(field, 'it is no deposit, withdrawal or rebalance of this service');
  if (transaction.signatures.some(isZero)) return { kind: 'unsigned', field };
  const whyNot = solana.chain.whyNot(transaction);
  if (whyNot === 'BlockhashNotFound') return { kind: 'expired' };
  if (whyNot === 'AlreadyProcessed') return wrong(field, `it was executed before: ${transaction.signature}`);
  return { field, transaction };
};

const isSigned = (read: Signed | BroadcastResult): read is Signed => 'transaction' in read;

const sendOne = async ({ chain }: Solana, { field, transaction }: Signed): Promise<BroadcastResult> => {
  const sent = await chain.send(transaction);
  if (sent.kind === 'landed') return { kind: 'landed', signature: sent.signature, isGood: sent.error === undefined };
  if (sent.error === 'BlockhashNotFound') return { kind: 'expired' };
  return wrong(field, `the chain does not take it: ${JSON.stringify(sent.error)}`);
};

/**
 * Executes one signed transaction, or two in their order. All are checked before the first is sent; when it fails,
 * the second is not sent. The answer is about the last one that was.
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
  if (first.transaction.signature === second?.transaction.signature) return wrong(second.field, 'it is there twice');
  const relayed = await sendOne(solana, first);
  return second && relayed.kind === 'landed' && relayed.isGood ? sendOne(solana, second) : relayed;
};
