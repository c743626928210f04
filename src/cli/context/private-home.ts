import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { isWritableByOthers } from '../../core/secret.ts';
import type { Io } from '../../io/io.ts';

/**
 * Throws `bad_settings` if other users can write to bursar's folders, where they could place keys, settings and policies.
 * Windows has no file modes.
 */
export const assertPrivateHome = async ({ files, machine, places: { config, state } }: Io): Promise<void> => {
  if (machine.system === 'win32') return;
  for (const folder of new Set([config, state])) {
    const facts = await files.targetFacts(folder);
    if (facts === undefined || !isWritableByOthers(facts)) continue;
    const mode = (facts.mode & 0o777).toString(8).padStart(4, '0');
    throw new Failure('bad_settings', `other users can write to ${folder} (mode ${mode})`, {
      hint: 'The folder contains keys and settings. Nothing was read or sent.',
      next: nextStep('file.private', '700', folder),
    });
  }
};
