import { basename, dirname, extname } from 'node:path';
import { Failure, messageOf } from '../core/failure.ts';
import { PRIVATE_FILE, systemFiles } from './files.ts';
import type { SettingsFiles } from './io.ts';

/** conf writes half files where a process of a Snap package runs, as a terminal of such an editor is. */
const withoutSnap = <T>(work: () => T): T => {
  const { env } = process;
  const { SNAP } = env;
  delete env['SNAP'];
  try {
    return work();
  } finally {
    if (SNAP !== undefined) env['SNAP'] = SNAP;
  }
};

/** Settings of this machine, written by conf. It reads too, but costs a start-up what a whole command may take. */
export const systemSettings: SettingsFiles = {
  write: async (path, settings) => {
    try {
      await systemFiles.makePrivateFolder(dirname(path));
      const { default: Conf } = await import('conf');
      withoutSnap(() => {
        const file = new Conf<Record<string, unknown>>({
          cwd: dirname(path),
          configName: basename(path, extname(path)),
          fileExtension: extname(path),
          configFileMode: PRIVATE_FILE,
          accessPropertiesByDotNotation: false,
          serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
        });
        file.store = { ...settings };
      });
    } catch (error) {
      throw new Failure('unwritable_file', `${path} cannot be written: ${messageOf(error)}`, { cause: error });
    }
  },
};
