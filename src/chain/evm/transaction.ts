import { Transaction } from 'ethers/transaction';
import { Failure, type FieldError } from '../../core/failure.ts';
import { isSameText } from '../../core/text.ts';
import { LARGEST_S } from './address.ts';

/** The fields of an EIP-1559 transaction. Addresses are checksummed, `data` is lower-case hex, fees are in wei. */
export type EvmFields = {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
  readonly chainId: number;
  readonly gasLimit: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly nonce: number;
};

/** A `crypto_tx` with valid fields. `parseCryptoTx` creates it. */
export type UnsignedEvm = EvmFields & { readonly chainName: string };

/** A new type-2 transaction with exactly these fields (EIP-1559). */
export const buildTransaction = (fields: EvmFields): Transaction =>
  Transaction.from({
    type: 2,
    chainId: fields.chainId,
    nonce: fields.nonce,
    to: fields.to,
    value: fields.value,
    data: fields.data,
    gasLimit: fields.gasLimit,
    maxFeePerGas: fields.maxFeePerGas,
    maxPriorityFeePerGas: fields.maxPriorityFeePerGas,
    accessList: [],
  });

/** The hash that a signature of these fields signs (EIP-1559). It identifies exactly these bytes. */
export const digestOf = (fields: EvmFields): string => buildTransaction(fields).unsignedHash;

/** A little more than nodes accept into their pool. */
const MAX_CHARACTERS = 2 * 132 * 1024;

const invalid = (why: string, cause?: unknown): never => {
  throw new Failure('invalid_input', `this is not a signed EIP-1559 transaction: ${why}`, { cause });
};

const decode = (raw: string): Transaction => {
  try {
    return Transaction.from(raw);
  } catch (cause) {
    return invalid('its bytes cannot be decoded', cause);
  }
};

const parse = (hex: string): Transaction => {
  const raw = hex
    .trim()
    .toLowerCase()
    .replace(/^(?!0x)/, '0x');
  if (!/^0x(?:[0-9a-f]{2})+$/.test(raw) || raw.length > MAX_CHARACTERS) return invalid('it must be hex digits');
  if (!raw.startsWith('0x02')) return invalid('it has another type');
  const transaction = decode(raw);
  const { signature, accessList, to } = transaction;
  if (signature === null) return invalid('it has no signature');
  if (BigInt(signature._s) > LARGEST_S) return invalid('chains do not accept the form of its signature (EIP-2)');
  if (transaction.serialized !== raw) return invalid('its bytes are not in canonical form');
  if ((accessList ?? []).length > 0) return invalid('it has an access list (EIP-2930)');
  return to === null ? invalid('it creates a contract') : transaction;
};

const numberOf = (chainId: bigint): number =>
  chainId <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(chainId) : invalid('its chain id is too large');

const signerOf = (transaction: Transaction): string => {
  try {
    return transaction.from ?? invalid('it has no signature');
  } catch (cause) {
    return invalid('its signer cannot be recovered', cause);
  }
};

const fieldsOf = (transaction: Transaction): EvmFields => ({
  from: signerOf(transaction),
  to: transaction.to ?? invalid('it creates a contract'),
  data: transaction.data,
  value: transaction.value,
  chainId: numberOf(transaction.chainId),
  gasLimit: transaction.gasLimit,
  maxPriorityFeePerGas: transaction.maxPriorityFeePerGas ?? 0n,
  maxFeePerGas: transaction.maxFeePerGas ?? 0n,
  nonce: transaction.nonce,
});

/** The chain and nonce of signed bytes, without their signer. Throws `invalid_input` like `readSigned`. */
export const chainAndNonceOf = (hex: string): Pick<EvmFields, 'chainId' | 'nonce'> => {
  const { chainId, nonce } = parse(hex);
  return { chainId: numberOf(chainId), nonce };
};

/** Calldata can be long; its beginning is enough for a message. */
const brief = (value: unknown): string => {
  const text = String(value);
  return text.length <= 140 ? text : `${text.slice(0, 140)}…`;
};

const differences = (fields: EvmFields, expected: UnsignedEvm): readonly FieldError[] =>
  (Object.keys(fields) as (keyof EvmFields)[])
    .filter((field) => fields[field] !== expected[field])
    .map((field) => ({ field, message: `is ${brief(fields[field])} and must be ${brief(expected[field])}` }));

/**
 * Decodes a signed transaction and recovers its signer; with `expected`, compares every field with it.
 * Throws `invalid_input` for other bytes, `refused_by_review` with the fields that differ.
 */
export const readSigned = (hex: string, expected?: UnsignedEvm) => {
  const transaction = parse(hex);
  const fields = fieldsOf(transaction);
  const errors = expected === undefined ? [] : differences(fields, expected);
  if (errors.length > 0) {
    const list = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
    throw new Failure('refused_by_review', `the signed transaction differs from the payment's: ${list}`, {
      errors,
      namesErrors: true,
    });
  }
  const hash = transaction.hash ?? invalid('it has no hash');
  return { signed_transaction: transaction.serialized, hash, from: fields.from, fields };
};

/**
 * A call that the operator allows in advance: one function of one contract on one chain. It passes a review if a simulation
 * shows that it takes exactly the requested amount.
 */
export type Pin = {
  /** The chain's name. */
  readonly chain: string;
  readonly address: string;
  /** The first four bytes of the calldata: 0x and 8 hex digits. Optional beside an ABI. */
  readonly selector?: string | undefined;
  /** The function as Solidity writes it: `function pay(bytes32 order, address token, uint256 amount)`. */
  readonly abi?: string | undefined;
};

/** A checked pin. `read` returns a call as text; `undefined` for bytes of another call. */
export type UsablePin = {
  readonly chain: string;
  readonly address: string;
  readonly selector: string;
} & (
  | { readonly abi?: never; readonly read?: never }
  | { readonly abi: string; readonly read: (data: string) => string | undefined }
);

const usablePin = async ({ chain, address, selector, abi }: Pin): Promise<UsablePin> => {
  if (abi === undefined) {
    if (selector !== undefined) return { chain, address, selector };
    throw new Failure('bad_settings', `the pin of ${address} on ${chain} has neither a selector nor an abi`);
  }
  // ABI decoding is the larger part of ethers, so it is loaded only for a pin with an ABI.
  const { readerOf } = await import('./pin-abi.ts');
  const reader = readerOf(abi);
  if (selector === undefined || isSameText(selector, reader.selector)) return { chain, address, abi, ...reader };
  const message = `the selector is ${selector}, but that of its abi is ${reader.selector}`;
  throw new Failure('bad_settings', `the pin of ${address} on ${chain}: ${message}`);
};

/** Checks pins. Throws `bad_settings` for an invalid ABI, or a selector of another function. */
export const usablePins = (pins: readonly Pin[]): Promise<readonly UsablePin[]> => Promise.all(pins.map(usablePin));

/** The pins that match a transaction. */
export const pinsOf = (pins: readonly UsablePin[], { chainName, to, data }: UnsignedEvm): readonly UsablePin[] =>
  data.length < 10
    ? []
    : pins.filter(
        ({ chain, address, selector }) =>
          isSameText(chain, chainName) && isSameText(address, to) && isSameText(selector, data.slice(0, 10)),
      );
