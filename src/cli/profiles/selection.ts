import { dirname, join } from 'node:path';
import type { Kind } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import type { FileFacts } from '../../io/files/disk.ts';
import type { Io } from '../../io/io.ts';
import { kindOfProfile, type Profile, type ProfileSettings, UNNAMED } from './profile.ts';

/** The settings of a project, for every user who works in its folder. */
export type Project = Pick<Profile, 'base_url' | 'public_client_id' | 'webhook_url'> & {
  readonly path: string;
  readonly profile?: string | undefined;
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
  const [{ projectFile }, { settingsFrom }] = await Promise.all([import('./schema.ts'), import('./edit.ts')]);
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
export const readProject = async (io: Io, printNote: (line: string) => Promise<void>): Promise<Project | undefined> => {
  // A deleted working folder belongs to no project.
  if ((await io.files.targetFacts(io.cwd)) === undefined) return undefined;
  for (let folder = io.cwd; ; folder = dirname(folder)) {
    const path = join(folder, NAME);
    const facts = await io.files.targetFacts(path);
    if (facts && (await isOfOthers(io, folder))) {
      await printNote(`warning: ${path} is ignored: every user can write to its folder`);
    } else if (facts) {
      const bytes = await bytesOf(io, path, facts);
      if (bytes) return read(path, bytes);
    }
    if (folder === dirname(folder)) return undefined;
  }
};

/** A profile that is not selected but whose limits apply. */
export type ProfileLimits = { readonly name: string; readonly baseUrl: string } & Pick<
  Profile,
  'policy' | 'type_amount_above'
>;

/** A value and its source: an option, a variable, a file or a profile. */
export type SourcedValue<T> = { readonly value: T; readonly from: string };

type Common = {
  /** The settings of the profile, overlaid by those of the project file. */
  readonly settings: ProfileSettings;
  readonly project: Project | undefined;
  readonly stored: Profile;
  /** Further profiles whose limits apply. */
  readonly furtherLimits?: readonly ProfileLimits[];
  /** The further profiles for bytes that are signed without a service: the user's default profile always applies. */
  readonly offlineLimits?: readonly ProfileLimits[];
  /** Only a project file names the address, so that it gets no key of the user. */
  readonly isUnconfirmed?: boolean;
  /** Another profile of the same service, whose journal is another. */
  readonly otherJournal?: string;
};

/** The service of a command, before anything is started, read or requested for it. */
export type Selection = Common &
  (
    | { readonly as: 'sandbox'; readonly profile: SourcedValue<string>; readonly key: 'own' | 'environment' }
    | {
        readonly as: 'named';
        readonly profile: SourcedValue<string>;
        readonly baseUrl: SourcedValue<string>;
        readonly key: 'environment' | 'stored' | 'none';
      }
    /** An address that has no profile. */
    | { readonly as: 'unnamed'; readonly baseUrl: SourcedValue<string>; readonly key: 'environment' | 'none' }
    /** No service. Commands that need none still work. */
    | { readonly as: 'nothing'; readonly why: 'not requested' | 'no address' }
  );

/** The limits of the further profiles that apply. `isOffline`: for bytes that are signed without a service. */
export const limitsBeside = (selection: Selection, isOffline = false): readonly ProfileLimits[] =>
  (isOffline ? selection.offlineLimits : undefined) ?? selection.furtherLimits ?? [];

/** The profile name of a selected service, as in results and questions. */
export const nameOf = (selection: Selection): string => ('profile' in selection ? selection.profile.value : UNNAMED);

/** The profile and the kind for a question about money. A profile of another kind is replaced by the kind. */
export const serviceOf = (selection: Selection, kind: Kind): { readonly profile: string; readonly kind: Kind } => ({
  profile: selection.as === 'named' || kindOf(selection) === kind ? nameOf(selection) : kind,
  kind,
});

/** Whether the selected service is for real money (`live`) or the sandbox. */
export const kindOf = (selection: Selection): Kind => kindOfProfile(nameOf(selection));
