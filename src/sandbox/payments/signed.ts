import { messageOf } from '../../core/failure.ts';
import { exactNumber, parseJson } from '../../core/json.ts';
import type { BuiltTransfer, Signature } from '../chains/node.ts';

/** The unsigned transaction as the ledger stores it and answers show it. Document: crypto_tx, without `meta`. */
export const unsignedFrom = (chainName: string, built: BuiltTransfer) => ({
  schema_version: 1,
  family: 'evm' as const,
  chain_name: chainName,
  transactionRequest: {
    from: built.from,
    to: built.to,
    data: built.data,
    // Document: a JSON number. In wei it exceeds the exact numbers of JavaScript.
    value: exactNumber(built.value.toString()),
    chainId: built.chainId,
    gasLimit: String(built.gasLimit),
    maxPriorityFeePerGas: String(built.maxPriorityFeePerGas),
    maxFeePerGas: String(built.maxFeePerGas),
    nonce: built.nonce,
  },
});

/** An unsigned transaction in the format of the document. */
export type UnsignedTransaction = ReturnType<typeof unsignedFrom>;

/** Parses a stored unsigned transaction with exact numbers. */
export const readUnsigned = (text: string): UnsignedTransaction => parseJson(text) as UnsignedTransaction;

/** The result of a check: the hash of a good signed transaction, or the reason against it. */
export type SignatureCheck =
  | { readonly ok: true; readonly hash: string }
  | { readonly ok: false; readonly message: string };

/** Recovers the signer's address from a digest and a signature, in lower case; `undefined` for an invalid signature. */
export type SignerOf = (digest: string, signature: Signature) => Promise<string | undefined>;

const EIP_1559 = 2;

const refuse = (message: string): SignatureCheck => ({ ok: false, message });

const parse = async (raw: string) => {
  const { Transaction } = await import('ethers/transaction');
  return Transaction.from(raw);
};

type SignedTransaction = Awaited<ReturnType<typeof parse>>;

const NUMBERS = ['value', 'chainId', 'gasLimit', 'maxPriorityFeePerGas', 'maxFeePerGas', 'nonce'] as const;

/** The name, the signed value and the unsigned value of each field. Addresses and data are in lower case. */
const pairs = (
  signed: SignedTransaction,
  from: string | undefined,
  { transactionRequest: request }: UnsignedTransaction,
): readonly (readonly [string, unknown, unknown])[] => [
  ['from', from, request.from.toLowerCase()],
  ['to', signed.to?.toLowerCase(), request.to.toLowerCase()],
  ['data', signed.data.toLowerCase(), request.data.toLowerCase()],
  ...NUMBERS.map((name) => [name, signed[name], request[name]] as const),
  ['accessList', signed.accessList?.length ?? 0, 0],
];

const compare = async (
  raw: string,
  signed: SignedTransaction,
  unsigned: UnsignedTransaction,
  signerOf: SignerOf,
): Promise<SignatureCheck> => {
  if (signed.type !== EIP_1559) return refuse('it is not an EIP-1559 transaction (type 2)');
  const { hash, signature } = signed;
  if (!hash || !signature) return refuse('it is not signed');
  const from = await signerOf(signed.unsignedHash, signature);
  const differing = pairs(signed, from, unsigned)
    .filter(([, actual, expected]) => String(actual) !== String(expected))
    .map(([name]) => name);
  if (differing.length > 0) return refuse(`it differs from the unsigned transaction in ${differing.join(', ')}`);
  if (signed.serialized !== raw.toLowerCase()) return refuse('it is not the canonical encoding of its fields');
  return { ok: true, hash };
};

/** Recovers a signer in this process, without a node. Throws for an invalid signature. */
export const signerHere: SignerOf = async (digest, signature) => {
  const { recoverAddress } = await import('ethers/transaction');
  return recoverAddress(digest, signature).toLowerCase();
};

/** Compares a signed transaction with the unsigned one: every field, the signer and the encoding. */
export const checkSigned = async (
  raw: string,
  unsigned: UnsignedTransaction,
  signerOf: SignerOf,
): Promise<SignatureCheck> => {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(raw)) return refuse('it is not hex with a leading 0x');
  try {
    return await compare(raw, await parse(raw), unsigned, signerOf);
  } catch (error) {
    return refuse(`it cannot be read as a signed transaction: ${messageOf(error).slice(0, 120)}`);
  }
};

/** The hash of a signed transaction. Throws for text that is no signed transaction. */
export const hashOfSigned = async (raw: string): Promise<string> => {
  const { hash } = await parse(raw);
  if (!hash) throw new Error('the saved transaction is not signed');
  return hash;
};

/** The nonce of a transaction. Throws for text that is no transaction. */
export const nonceOfSigned = async (raw: string): Promise<number> => (await parse(raw)).nonce;
