import { wrong } from '../wrong.ts';
import { normaliseEvmAddress, ZERO_ADDRESS } from './address.ts';
import type { EvmFields } from './transaction.ts';
import { readCount, readWhole } from './whole-number.ts';

/** Larger calldata than any node takes into a block's transaction pool. */
const MAX_DATA_BYTES = 128 * 1024;

const readAddress = (value: unknown): string => {
  const address = normaliseEvmAddress(value);
  return address === ZERO_ADDRESS ? wrong('is the zero address: what is sent there is lost') : address;
};

const readData = (value: unknown): string => {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(value)) {
    return wrong('must be 0x and whole bytes in hex');
  }
  return value.length <= 2 + 2 * MAX_DATA_BYTES ? value.toLowerCase() : wrong('is longer than a transaction can be');
};

/** How each field of `transactionRequest` is read. Each throws `invalid_input` with what is wrong with the value. */
export const READERS = {
  from: readAddress,
  to: readAddress,
  data: readData,
  value: readWhole,
  chainId: (value: unknown) => readCount(value) || wrong('names no chain: it could be replayed on any (EIP-155)'),
  gasLimit: readWhole,
  maxPriorityFeePerGas: readWhole,
  maxFeePerGas: readWhole,
  nonce: readCount,
} satisfies { readonly [K in keyof EvmFields]: (value: unknown) => EvmFields[K] };
