import { Failure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import type { DecryptedKey } from './decrypted-key.ts';
import { notice } from './notice.ts';

/**
 * `file` is the decrypted file, if any. `isConfirmed` is `--yes`. `isStored`: the file is in the keystore, so `key passwd`
 * can fix its weaknesses. `isRewritten`: the current command does so.
 */
export type AddressConfirmation = {
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
  for (const warning of key.warnings) await notice(io, `Warning, ${warned(warning)}`);
  const isFixable = isStored && key.warnings.length > 0;
  if (isFixable) await notice(io, isRewritten ? 'The new file fixes this.' : `To fix this: bursar key passwd ${name}`);
  if (!key.needsConfirmation || isConfirmed) return;
  if (!io.prompt.isPossible) {
    throw new Failure(
      'confirmation_needed',
      `the file of key ${name} has no address; the key in it has ${key.address}`,
      {
        hint: 'If this is the address you expect, add --yes.',
        data: { address: key.address },
      },
    );
  }
  if (await io.prompt.confirm(`The key file has no address. Is ${key.address} the address you expect?`)) return;
  throw new Failure('refused_by_review', `the key ${name} was not used: ${key.address} is not the expected address`);
};
