import { hashMessage } from 'ethers/hash';
import { recoverAddress } from 'ethers/transaction';
import { Failure } from '../../core/failure.ts';
import { normaliseEvmAddress } from '../evm/address.ts';
import { evmAddressOf, signingKeyOf } from '../evm/signing-key.ts';

/** r, s and v in hex. v is 27 or 28, or 0 or 1 from hardware wallets; compact forms (EIP-2098) are not accepted. */
const SIGNATURE = /^(?:0x)?[0-9a-f]{128}(?:00|01|1b|1c)$/i;

/** The digest of EIP-191, version 0x45, over the UTF-8 bytes; text that looks like hex stays text. */
const digestOf = (text: string): string => {
  if (!/\p{Cs}/u.test(text)) return hashMessage(text);
  throw new Failure('invalid_input', 'the message contains half of a character, so it has no UTF-8 bytes');
};

const signerOf = (digest: string, signature: string): string | undefined => {
  if (!SIGNATURE.test(signature)) return undefined;
  try {
    return recoverAddress(digest, `0x${signature.replace(/^0x/i, '')}`);
  } catch {
    return undefined;
  }
};

/**
 * Whether `signature` (65 bytes in hex) is the personal-message signature of a text by the key of an address. A signature with
 * s in the upper half of the curve (EIP-2) is not valid. Throws `invalid_input` for an invalid address.
 */
export const isEvmSignature = (text: string, signature: string, address: string): boolean =>
  signerOf(digestOf(text), signature) === normaliseEvmAddress(address);

/**
 * Signs a text as a personal message (EIP-191, RFC 6979: the same bytes each time): 0x and 65 bytes in hex.
 * Throws `invalid_input` for an invalid key.
 */
export const signEvmMessage = (text: string, privateKey: Uint8Array): string => {
  const digest = digestOf(text);
  const signature = signingKeyOf(privateKey).sign(digest).serialized;
  if (signerOf(digest, signature) !== evmAddressOf(privateKey)) {
    throw new Failure('internal', 'the new signature does not belong to this key');
  }
  return signature;
};
