import { dirname, join } from 'node:path';
import { Failure } from '../../core/failure.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import type { FileFacts } from '../../io/files/disk.ts';
import type { Io } from '../../io/io.ts';

/** The settings of a project, for every user who works in its folder. */
export type Project = {
  readonly path: string;
  readonly profile?: string | undefined;
  readonly base_url?: string | undefined;
  readonly public_client_id?: string | undefined;
  readonly webhook_url?: string | undefined;
};

const NAME = 'bursar.json';
const LARGEST_PROJECT_FILE = 1024 * 1024;
const OPEN_TO_ALL = 0o002;

/** Whether every user can write to a folder, such as /tmp. A project file there is not trusted. */
const isOfOthers = async (io: Io, folder: string): Promise<boolean> =>
  (((await io.files.targetFacts(folder))?.mode ?? 0) & OPEN_TO_ALL) !== 0;

const NEVER = /key|secret|token|password|mnemonic|credential/i;

/** Refuses a secret in a project file, which is shared and committed. No message repeats the value. */
const assertNoSecret = (path: string, bytes: Uint8Array): void => {
  let value: unknown;
  try {
    value = parseJson(new TextDecoder().decode(bytes));
  } catch {
    return;
  }
  const secret = isJsonObject(value) ? Object.keys(value).find((name) => NEVER.test(name)) : undefined;
  if (secret === undefined) return;
  throw new Failure('bad_settings', `${path} contains "${secret}", but a project file must not contain a key`, {
    hint: 'The file is shared with the project. Remove the key and store it with bursar login. If the key was shared, replace it.',
    next: nextStep('login'),
  });
};

const read = async (path: string, bytes: Uint8Array): Promise<Project> => {
  assertNoSecret(path, bytes);
  const [{ projectFile }, { settingsFrom }] = await Promise.all([import('./schema.ts'), import('./settings-text.ts')]);
  return { path, ...settingsFrom(path, bytes, projectFile) };
};

/** Reads only a regular file: a named pipe blocks until a writer opens it, and a device has no end. */
const bytesOf = async (io: Io, path: string, facts: FileFacts): Promise<Uint8Array | undefined> => {
  if (facts.isFile) return io.files.readUserFile(path, LARGEST_PROJECT_FILE);
  const kind = facts.isFolder ? 'a folder' : 'not a regular file';
  throw new Failure('bad_settings', `${path} is ${kind}, but project settings are read from a file of that name`, {
    hint: `Rename ${path}, or work in another folder.`,
    next: nextStep('file.aside', path),
  });
};

/** Reads the nearest project file, from the working folder upwards. Throws `bad_settings` for an invalid file. */
export const readProject = async (io: Io, say: (line: string) => Promise<void>): Promise<Project | undefined> => {
  // A deleted working folder belongs to no project.
  if ((await io.files.targetFacts(io.cwd)) === undefined) return undefined;
  for (let folder = io.cwd; ; folder = dirname(folder)) {
    const path = join(folder, NAME);
    const facts = await io.files.targetFacts(path);
    if (facts && (await isOfOthers(io, folder))) {
      await say(`warning: ${path} is ignored: every user can write to its folder`);
    } else if (facts) {
      const bytes = await bytesOf(io, path, facts);
      if (bytes) return read(path, bytes);
    }
    if (folder === dirname(folder)) return undefined;
  }
};
