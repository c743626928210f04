import type { KeyChain } from '../contract/key-chain.ts';
import { Failure } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { once } from '../core/once.ts';
import type { Io } from '../io/io.ts';
import { confirmAddress } from './confirm-address.ts';
import { decryptKey } from './decrypt-key.ts';
import type { Keystore, LockedKey } from './keystore.ts';
import { openByPassword, type PasswordSources } from './password.ts';

type Unlocked<C extends KeyChain> = {
  readonly chain: C;
  readonly name: string;
  /** As its chain writes it: with the capitals of EIP-55, or in base58. */
  readonly address: string;
  /** 32 bytes: a number of secp256k1 for `evm`, the seed of an ed25519 pair for `solana`. */
  readonly privateKey: Uint8Array;
  readonly wipe: () => void;
};

/** A key ready to sign, of the chain that `chain` tells. `wipe` overwrites the private key: call it in a `finally`. */
export type UnlockedKey<C extends KeyChain = KeyChain> = { readonly [K in C]: Unlocked<K> }[C];

/**
 * `yes` stands for the answer to the question about an address that the file does not name; `isRewritten` says that
 * the file is about to be written anew. `meanwhile` is done while the key is being derived on a thread of its own.
 */
export type UnlockSources = PasswordSources & {
  readonly yes?: boolean | undefined;
  readonly isRewritten?: boolean;
  readonly meanwhile?: (() => Promise<unknown>) | undefined;
};

const CHAIN_WORDS: Readonly<Record<KeyChain, string>> = { evm: 'an EVM chain', solana: 'Solana' };

/** Throws `invalid_input` when a key is not of the family that is needed. */
const assertKeyOf = (chain: KeyChain, key: LockedKey): void => {
  if (key.chain === chain) return;
  throw new Failure(
    'invalid_input',
    `the key ${key.name} is for ${CHAIN_WORDS[key.chain]}; this needs one for ${CHAIN_WORDS[chain]}`,
    {
      next: nextStep('key.list'),
    },
  );
};

/**
 * Opens a key that was read, with a password from `sources`. A spinner turns meanwhile. Throws `damaged_key_file`,
 * `wrong_password`, and as `openByPassword` and `confirmAddress`.
 */
export const unlockStored = async (io: Io, stored: LockedKey, sources: UnlockSources): Promise<UnlockedKey> => {
  const { name, path, text } = stored;
  const meanwhile = once(async () => sources.meanwhile?.());
  const [{ chain, privateKey, address, ...facts }] = await openByPassword(io, sources, name, (password) =>
    Promise.all([io.spin(`Unlocking ${name}`, decryptKey(io.derive, text, password, path)), meanwhile()]),
  );
  const wipe = () => {
    privateKey.fill(0);
  };
  try {
    await confirmAddress(
      io,
      name,
      { address, ...facts },
      { file: path, isConfirmed: sources.yes, isStored: true, isRewritten: sources.isRewritten },
    );
  } catch (error) {
    wipe();
    throw error;
  }
  return { chain, name, address, privateKey, wipe };
};

/**
 * Opens a key of the keystore, by name or address; of one family where that is given, or throws `invalid_input`
 * before it asks for a password. Throws `key_not_found`, and as `unlockStored`.
 */
export const unlock = async <C extends KeyChain = KeyChain>(
  io: Io,
  keystore: Keystore,
  nameOrAddress: string,
  sources: UnlockSources,
  chain?: C,
): Promise<UnlockedKey<C>> => {
  const stored = await keystore.locate(nameOrAddress);
  if (chain !== undefined) assertKeyOf(chain, stored);
  return (await unlockStored(io, stored, sources)) as UnlockedKey<C>;
};
