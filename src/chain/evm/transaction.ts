import { Transaction } from 'ethers/transaction';

/** The fields of an EIP-1559 transaction. Addresses are checksummed, `data` is lower-case hex, fees are wei. */
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

/** A `crypto_tx` whose every field was checked for its form. `parseCryptoTx` makes it. */
export type UnsignedEvm = EvmFields & { readonly chainName: string };

/** A fresh type-2 transaction of exactly these fields, with nothing carried over from elsewhere (EIP-1559). */
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

/** The hash that a signature of these fields signs (EIP-1559): the same for the same bytes, and for no others. */
export const digestOf = (fields: EvmFields): string => buildTransaction(fields).unsignedHash;
