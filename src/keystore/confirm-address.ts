import { Failure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import { notice } from './notice.ts';
import type { OpenedKey } from './opened-key.ts';

/**
 * `file` is the file that was opened, where there is one. `isConfirmed` is the user's `--yes`; `isStored` says that the file is one of ours, which can be mended; `isRewritten`
 * that this is just what happens.
 */
export type Confirming = {
  readonly file?: string | undefined;
  readonly isConfirmed?: boolean | undefined;
  readonly isStored?: boolean;
  readonly isRewritten?: boolean | undefined;
};

/**
 * Says what there is to say of an opened key, and asks about an address that its file does not name: a damaged iv
 * would yield another key and no error. Throws `confirmation_needed` when nobody can be asked, and
 * `refused_by_review` when the answer is no.
 */
export const confirmAddress = async (
  io: Io,
  name: string,
  key: Pick<OpenedKey, 'address' | 'warnings' | 'needsConfirmation'>,
  { file, isConfirmed = false, isStored = false, isRewritten = false }: Confirming = {},
): Promise<void> => {
  const warned = (warning: string) => (isStored ? `key ${name}: ${warning} (${file})` : `file ${file}: ${warning}`);
  for (const warning of key.warnings) await notice(io, `Warning, ${warned(warning)}`);
  const canBeMended = isStored && key.warnings.length > 0;
  if (canBeMended)
    await notice(io, isRewritten ? 'The new file mends that.' : `To mend that: bursar key passwd ${name}`);
  if (!key.needsConfirmation || isConfirmed) return;
  if (!io.prompt.isPossible) {
    throw new Failure('confirmation_needed', `the file of key ${name} names no address; it opens as ${key.address}`, {
      hint: 'If that is the address you expect, say so with --yes.',
      data: { address: key.address },
    });
  }
  if (await io.prompt.confirm(`The key file names no address. Is ${key.address} the one you expect?`)) return;
  throw new Failure('refused_by_review', `the key ${name} was not used: ${key.address} is not the address expected`);
};
