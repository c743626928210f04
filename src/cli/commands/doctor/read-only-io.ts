import { Failure } from '../../../core/failure.ts';
import type { Io } from '../../../io/io.ts';

const refuse = async (): Promise<never> => {
  throw new Failure('internal', 'bursar doctor must not change anything');
};

const ignore = async (): Promise<void> => undefined;

/**
 * An `Io` that changes nothing. Repairs that other rooms make while they read (modes, indexes, stale claims) are ignored.
 * Creating files, storing secrets and starting processes are faults.
 */
export const readOnlyIo = (io: Io): Io => ({
  ...io,
  files: {
    ...io.files,
    makePrivate: ignore,
    makePrivateFolder: ignore,
    replacePrivate: ignore,
    appendDurably: ignore,
    truncate: ignore,
    empty: ignore,
    remove: ignore,
    removeFolder: refuse,
    createPrivate: refuse,
    createNew: refuse,
  },
  settings: { write: refuse },
  keyring: { ...io.keyring, store: refuse, clear: refuse },
  processes: { ...io.processes, startSelf: refuse, terminate: () => false },
  // Warnings of other rooms would repeat the findings.
  stderr: { ...io.stderr, write: ignore },
});
