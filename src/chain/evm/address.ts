import { getAddress } from 'ethers/address';
import { Failure } from '../../core/failure.ts';

/** The zero address. It has no key; tokens move from it when they are minted, and to it when they are burnt. */
export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/**
 * An EVM address in the checksummed form of EIP-55. Accepts the checksummed form, or all lower case.
 * Throws `invalid_input` for anything else, also for a wrong checksum.
 */
export const normaliseEvmAddress = (text: unknown): string => {
  if (typeof text !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw new Failure('invalid_input', 'must be an EVM address: 0x and 40 hex digits');
  }
  const address = getAddress(text.toLowerCase());
  if (text !== address && text !== text.toLowerCase()) {
    throw new Failure('invalid_input', `has a wrong checksum: a character of ${text} was mistyped (EIP-55)`);
  }
  return address;
};
