import { Failure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import { confirmAddress } from './confirm-address.ts';
import type { Keystore } from './keystore.ts';
import { type PasswordSources, passwordFor } from './password.ts';
import { decryptV3 } from './v3/decrypt.ts';

/** An EVM key ready to sign. `wipe` overwrites the private key: call it in a `finally`. */
export type UnlockedKey = {
  readonly chain: 'evm';
  readonly name: string;
  /** With the capitals of EIP-55. */
  readonly address: string;
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  readonly wipe: () => void;
};

/** `yes` stands for the answer to the question about an address that the file does not name. */
export type UnlockSources = PasswordSources & { readonly yes?: boolean | undefined };

/**
 * Opens a key of the keystore, by name or address, with a password from `sources`. A spinner turns meanwhile.
 * Throws `key_not_found`, `damaged_key_file`, `wrong_password`, and as `passwordFor` and `confirmAddress`.
 */
export const unlock = async (
  io: Io,
  keystore: Keystore,
  nameOrAddress: string,
  sources: UnlockSources,
): Promise<UnlockedKey> => {
  const { name, chain, path, text } = await keystore.find(nameOrAddress);
  if (chain !== 'evm') throw new Failure('invalid_input', `the key ${name} is of ${chain}, not of an EVM chain`);
  const password = await passwordFor(io, sources, 'open');
  const key = await io.spin(`Unlocking ${name}`, decryptV3(text, password, path));
  const wipe = () => {
    key.privateKey.fill(0);
  };
  try {
    await confirmAddress(io, name, key, sources.yes);
  } catch (error) {
    wipe();
    throw error;
  }
  return { chain, name, address: key.address, privateKey: key.privateKey, wipe };
};
