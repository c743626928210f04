import { SigningKey } from 'ethers/crypto';
import { getAddress, keccak256 } from './keccak.ts';

/** The address of a private key, with the capitals of EIP-55: 0x and 40 hex digits. */
export const addressOf = (privateKey: Uint8Array): string => {
  const point = SigningKey.computePublicKey(privateKey, false).slice('0x04'.length);
  return getAddress(`0x${keccak256(`0x${point}`).slice(-40)}`);
};
