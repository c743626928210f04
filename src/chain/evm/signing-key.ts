import { SigningKey } from 'ethers/crypto';
import { computeAddress } from 'ethers/transaction';
import { Failure } from '../../core/failure.ts';
import { loadSecondVerifier } from './second-verifier.ts';

/** The order of secp256k1 (SEC 2, section 2.4.1): a private key is at least 1 and below it. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Half of the order: EIP-2 forbids signatures with a larger `s`. */
export const LARGEST_S = CURVE_ORDER / 2n;

/**
 * The signing key of 32 bytes. Throws `invalid_input` for another length or a number outside the curve; the message never
 * contains the key.
 */
export const signingKeyOf = (privateKey: Uint8Array): SigningKey => {
  const hex = `0x${Buffer.from(privateKey).toString('hex')}`;
  const isKey = privateKey.length === 32 && BigInt(hex) > 0n && BigInt(hex) < CURVE_ORDER;
  if (!isKey) throw new Failure('invalid_input', 'this is not an EVM private key: it must be 32 bytes in range');
  return new SigningKey(hex);
};

/** The checksummed address of a private key of 32 bytes. Throws `invalid_input` like `signingKeyOf`. */
export const evmAddressOf = (privateKey: Uint8Array): string => computeAddress(signingKeyOf(privateKey));

/**
 * Prepares the first signature of a process with a public test key: builds the library's curve table, compiles its code, and
 * loads the second verifier. Call it while the process waits for something else.
 */
export const warmUpSigning = (): void => {
  const [key, digest] = [new SigningKey(`0x${'01'.padStart(64, '0')}`), `0x${'02'.repeat(32)}`];
  for (let round = 0; round < 3; round += 1) {
    SigningKey.computePublicKey(key.privateKey);
    key.sign(digest);
  }
  // A signature that needs it reports what fails here.
  loadSecondVerifier().catch(() => undefined);
};
