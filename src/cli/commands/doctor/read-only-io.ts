import { Failure } from '../../../core/failure.ts';
import type { Io } from '../../../io/io.ts';

const refuse = async (): Promise<never> => {
  throw new Failure('internal', 'the doctor changes nothing');
};

const leave = async (): Promise<void> => undefined;

/**
 * The same world, to be looked at only. What mends by the way (modes, indexes, claims of the dead) is left as it is;
 * what would make, send off or start something is a fault.
 */
export const readOnlyIo = (io: Io): Io => ({
  ...io,
  files: {
    ...io.files,
    makePrivate: leave,
    makePrivateFolder: leave,
    replacePrivate: leave,
    appendDurably: leave,
    truncate: leave,
    empty: leave,
    remove: leave,
    removeFolder: refuse,
    createPrivate: refuse,
    createNew: refuse,
  },
  settings: { write: refuse },
  keyring: { ...io.keyring, store: refuse, clear: refuse },
  processes: { ...io.processes, startSelf: refuse, terminate: () => false },
  // What is read may have something to say of itself; the findings say it.
  stderr: { ...io.stderr, write: leave },
});
