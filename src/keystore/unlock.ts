import type { KeyChain } from '../contract/chains.ts';
import { Failure } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { once } from '../core/once.ts';
import type { Io } from '../io/io.ts';
import type { Decrypt, DecryptedKey } from './key.ts';
import { chainOfKeyFile, type Keystore, type LockedKey } from './keystore.ts';
import { notice } from './notice.ts';
import { type PasswordSources, withPassword } from './password.ts';
import { decryptSolana } from './solana.ts';
import { decryptV3 } from './v3.ts';

/** Decrypts a key file of either chain, called `from` in errors. Throws `damaged_key_file` and `wrong_password`. */
export const decryptKey: Decrypt = async (derive, text, password, from = 'the key file') =>
  (chainOfKeyFile(text, from) === 'evm' ? decryptV3 : decryptSolana)(derive, text, password, from);

/**
 * `file` is the decrypted file, if any. `isConfirmed` is `--yes`. `isStored`: the file is in the keystore, so `key passwd`
 * can fix its weaknesses. `isRewritten`: the current command does so.
 */
type AddressConfirmation = {
  readonly file?: string | undefined;
  readonly isConfirmed?: boolean | undefined;
  readonly isStored?: boolean;
  readonly isRewritten?: boolean | undefined;
};

/**
 * Prints the warnings about a key file. If the file has no address, asks the user to confirm it: a damaged iv gives
 * another key without any error. Throws `confirmation_needed` without a terminal, and `refused_by_review` after a no.
 */
export const confirmAddress = async (
  io: Io,
  name: string,
  key: Pick<DecryptedKey, 'address' | 'warnings' | 'needsConfirmation'>,
  { file, isConfirmed = false, isStored = false, isRewritten = false }: AddressConfirmation = {},
): Promise<void> => {
  const warned = (warning: string) => (isStored ? `key ${name}: ${warning} (${file})` : `file ${file}: ${warning}`);
  for (const warning of key.warnings) await notice(io, `warning: ${warned(warning)}`);
  const isFixable = isStored && key.warnings.length > 0;
  if (isFixable) await notice(io, isRewritten ? 'The new file fixes this.' : `To fix this: bursar key passwd ${name}`);
  if (!key.needsConfirmation || isConfirmed) return;
  if (!io.prompt.isPossible) {
    const message = `the file of key ${name} has no address; the key in it has ${key.address}`;
    const hint = 'If this is the address you expect, add --yes.';
    throw new Failure('confirmation_needed', message, { hint, data: { address: key.address } });
  }
  if (await io.prompt.confirm(`The key file has no address. Is ${key.address} the address you expect?`)) return;
  throw new Failure('refused_by_review', `the key ${name} was not used: ${key.address} is not the expected address`);
};

/** An unlocked key of the chain family `chain`. `wipe` overwrites the private key: call it in a `finally`. */
export type UnlockedKey<C extends KeyChain = KeyChain> = Pick<DecryptedKey, 'address' | 'privateKey'> & {
  readonly chain: C;
  readonly name: string;
  readonly wipe: () => void;
};

/**
 * `yes` confirms an address that is not in the key file. `isRewritten`: the command is about to replace the file.
 * `meanwhile` runs while another thread derives the key.
 */
export type UnlockSources = PasswordSources & {
  readonly yes?: boolean | undefined;
  readonly isRewritten?: boolean;
  readonly meanwhile?: (() => Promise<unknown>) | undefined;
};

const CHAIN_NAMES: Readonly<Record<KeyChain, string>> = { evm: 'an EVM chain', solana: 'Solana' };

/** Throws `invalid_input` for a key of the other chain family. */
export const assertKeyOf = (chain: KeyChain, key: LockedKey): void => {
  if (key.chain === chain) return;
  const message = `the key ${key.name} is for ${CHAIN_NAMES[key.chain]}; this command needs a key for`;
  throw new Failure('invalid_input', `${message} ${CHAIN_NAMES[chain]}`, { next: nextStep('key.list') });
};

/**
 * Unlocks a key with a password from `sources`, and shows a spinner. Throws `damaged_key_file`, `wrong_password`, and as
 * `withPassword` and `confirmAddress`.
 */
export const unlockStored = async (io: Io, stored: LockedKey, sources: UnlockSources): Promise<UnlockedKey> => {
  const { name, path, text } = stored;
  const meanwhile = once(async () => sources.meanwhile?.());
  const [{ chain, privateKey, address, ...facts }] = await withPassword(io, sources, name, (password) =>
    Promise.all([io.spin(`Unlocking ${name}`, decryptKey(io.derive, text, password, path)), meanwhile()]),
  );
  const wipe = () => {
    privateKey.fill(0);
  };
  try {
    const confirmation = { file: path, isConfirmed: sources.yes, isStored: true, isRewritten: sources.isRewritten };
    await confirmAddress(io, name, { address, ...facts }, confirmation);
  } catch (error) {
    wipe();
    throw error;
  }
  return { chain, name, address, privateKey, wipe };
};

/**
 * Unlocks a key by name or address. If `chain` is given, a key of the other family throws `invalid_input` before the
 * password is asked for. Throws `key_not_found`, and as `unlockStored`.
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
