import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { isOpenToOthers, type Secret, secret } from '../../core/secret.ts';
import type { Io } from '../../io/io.ts';

const LARGEST_KEY_FILE = 64 * 1024;

/** Wraps an API key. Throws `bad_settings`, without the key, for characters that an HTTP header cannot contain. */
export const checkedKey = (source: string, key: string): Secret => {
  if (/^[\x21-\x7e]+$/.test(key)) return secret(key);
  throw new Failure(
    'bad_settings',
    `${source} contains spaces, line breaks or other characters that are not valid in an API key`,
  );
};

/** Reads an API key from a file. `source` is the option or variable that names the file. Throws `bad_settings`. */
export const keyFromFile = async (io: Io, source: string, path: string): Promise<Secret> => {
  const facts = await io.files.targetFacts(path);
  if (facts?.isFolder) {
    throw new Failure('bad_settings', `${source}: ${path} is a folder, not a file with a key`);
  }
  if (facts && isOpenToOthers(facts)) {
    throw new Failure('bad_settings', `${source}: ${path} can be read by other users`, {
      next: nextStep('file.private', '600', path),
    });
  }
  const bytes = await io.files.readUserFile(path, LARGEST_KEY_FILE);
  const text = bytes && new TextDecoder().decode(bytes).trim();
  if (!text) throw new Failure('bad_settings', `${source}: ${path} ${bytes ? 'is empty' : 'does not exist'}`);
  return checkedKey(`${source}: ${path}`, text);
};

/** The variable of the environment with an API key, if there is one. */
export const keyVariable = (env: Io['env']): 'BURSAR_API_KEY' | 'BURSAR_API_KEY_FILE' | undefined =>
  env['BURSAR_API_KEY'] ? 'BURSAR_API_KEY' : env['BURSAR_API_KEY_FILE'] ? 'BURSAR_API_KEY_FILE' : undefined;

/** The API key of the environment, from a value or a file. */
export const environmentKey = async (io: Io): Promise<Secret | undefined> => {
  const key = io.env['BURSAR_API_KEY'];
  if (key) return checkedKey('BURSAR_API_KEY', key);
  const path = io.env['BURSAR_API_KEY_FILE'];
  return path ? keyFromFile(io, 'BURSAR_API_KEY_FILE', path) : undefined;
};
