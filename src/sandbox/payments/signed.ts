import { messageOf } from '../../core/failure.ts';
import { exactNumber, parseJson } from '../../core/json.ts';
import type { BuiltTransfer, Signature } from '../chains/node.ts';

/** The unsigned transaction as the ledger keeps it and a payment shows it. Document: crypto_tx, without `meta`. */
export const unsignedFrom = (chainName: string, built: BuiltTransfer) => ({
  schema_version: 1,
  family: 'evm' as const,
  chain_name: chainName,
  transactionRequest: {
    from: built.from,
    to: built.to,
    data: built.data,
    // The document has value as a JSON number: in wei it is beyond what JavaScript's number holds.
    value: exactNumber(built.value.toString()),
    chainId: built.chainId,
    gasLimit: String(built.gasLimit),
    maxPriorityFeePerGas: String(built.maxPriorityFeePerGas),
    maxFeePerGas: String(built.maxFeePerGas),
    nonce: built.nonce,
  },
});

/** As `unsignedFrom` gives it. */
export type UnsignedTransaction = ReturnType<typeof unsignedFrom>;

/** Reads the JSON in which it is kept, every digit kept. */
export const readUnsigned = (text: string): UnsignedTransaction => parseJson(text) as UnsignedTransaction;

/** A signed transaction that is the unsigned one, signed by its payer; or why it is not. */
export type SignatureCheck =
  | { readonly ok: true; readonly hash: string }
  | { readonly ok: false; readonly message: string };

/** Who made a signature of a digest, in lower case; `undefined` when nobody did. */
export type SignerOf = (digest: string, signature: Signature) => Promise<string | undefined>;

const EIP_1559 = 2;

const wrong = (message: string): SignatureCheck => ({ ok: false, message });

const parse = async (raw: string) => {
  const { Transaction } = await import('ethers/transaction');
  return Transaction.from(raw);
};

type Parsed = Awaited<ReturnType<typeof parse>>;

const NUMBERS = ['value', 'chainId', 'gasLimit', 'maxPriorityFeePerGas', 'maxFeePerGas', 'nonce'] as const;

/** Both sides of every field, as text; addresses and data in lower case. */
const pairs = (
  signed: Parsed,
  from: string | undefined,
  { transactionRequest: asked }: UnsignedTransaction,
): readonly (readonly [string, unknown, unknown])[] => [
  ['from', from, asked.from.toLowerCase()],
  ['to', signed.to?.toLowerCase(), asked.to.toLowerCase()],
  ['data', signed.data.toLowerCase(), asked.data.toLowerCase()],
  ...NUMBERS.map((name) => [name, signed[name], asked[name]] as const),
  ['accessList', signed.accessList?.length ?? 0, 0],
];

const compare = async (
  raw: string,
  signed: Parsed,
  unsigned: UnsignedTransaction,
  signerOf: SignerOf,
): Promise<SignatureCheck> => {
  if (signed.type !== EIP_1559) return wrong('it is not an EIP-1559 transaction (type 2)');
  const { hash, signature } = signed;
  if (!hash || !signature) return wrong('it is not signed');
  const from = await signerOf(signed.unsignedHash, signature);
  const differing = pairs(signed, from, unsigned)
    .filter(([, given, asked]) => String(given) !== String(asked))
    .map(([name]) => name);
  if (differing.length > 0) return wrong(`it differs from the unsigned transaction in ${differing.join(', ')}`);
  if (signed.serialized !== raw.toLowerCase()) return wrong('it is not the canonical encoding of its fields');
  return { ok: true, hash };
};

/** Recovers a signer here, without a node. */
export const signerHere: SignerOf = async (digest, signature) => {
  const { recoverAddress } = await import('ethers/transaction');
  return recoverAddress(digest, signature).toLowerCase();
};

/** Holds a signed transaction against the unsigned one, field by field, its signer and its encoding included. */
export const checkSigned = async (
  raw: string,
  unsigned: UnsignedTransaction,
  signerOf: SignerOf,
): Promise<SignatureCheck> => {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(raw)) return wrong('it is not hex with a leading 0x');
  try {
    return await compare(raw, await parse(raw), unsigned, signerOf);
  } catch (error) {
    return wrong(`it cannot be read as a signed transaction: ${messageOf(error).slice(0, 120)}`);
  }
};

/** The hash of a signed transaction that was checked before. */
export const hashOfSigned = async (raw: string): Promise<string> => {
  const { hash } = await parse(raw);
  if (!hash) throw new Error('the saved transaction is not signed');
  return hash;
};

/** The nonce of a signed transaction that was made here. */
export const nonceOfSigned = async (raw: string): Promise<number> => (await parse(raw)).nonce;
