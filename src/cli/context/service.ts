import type { Service } from '../../client/service.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { isSwitchedOn } from '../../core/screen.ts';
import { isOpenToOthers, type Secret, secret } from '../../core/secret.ts';
import type { Io, JournalName } from '../../io/io.ts';
import type { Globals } from '../argv/command-line.ts';
import { SANDBOX, UNNAMED } from '../profiles/profile.ts';
import { noService, select, unconfirmedAddress } from '../profiles/select.ts';
import { readProject, type Selection } from '../profiles/selection.ts';
import { readProfiles, readStoredKey } from '../profiles/store.ts';

const LARGEST_KEY_FILE = 64 * 1024;

/** Wraps an API key. Throws `bad_settings`, without the key, for characters that an HTTP header cannot contain. */
export const checkedKey = (source: string, key: string): Secret => {
  if (/^[\x21-\x7e]+$/.test(key)) return secret(key);
  const what = 'spaces, line breaks or other characters that are not valid in an API key';
  throw new Failure('bad_settings', `${source} contains ${what}`);
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

type PrintLine = (line: string) => Promise<void>;

/** Reads the sources of the selection and selects the service. Starts nothing and reads no key. */
export const selectService = async (
  io: Io,
  { profile, baseUrl }: Pick<Globals, 'profile' | 'baseUrl'>,
  printNote: PrintLine,
): Promise<Selection> => {
  const [project, profiles] = await Promise.all([readProject(io, printNote), readProfiles(io)]);
  const isAttended = io.stderr.isTerminal && !isSwitchedOn(io.env['CI']) && io.stdin.isTerminal;
  return select({ flags: { profile, baseUrl }, env: io.env, project, profiles, isAttended });
};

/**
 * The journal that the selected profile names. Throws `bad_settings` if another profile of the same service names another:
 * a project file or an address would choose a journal that does not know the payments of the first.
 */
export const journalOf = ({ stored: { journal }, otherJournal }: Selection): JournalName | undefined => {
  if (otherJournal === undefined)
    return journal === undefined ? undefined : { url: journal, source: 'journal of the profile' };
  throw new Failure('bad_settings', `the profile ${otherJournal} keeps the journal of this service in a database`, {
    hint: 'Use that profile, set journal in this one too, or set BURSAR_JOURNAL. Nothing was sent.',
    next: nextStep('profile.list'),
  });
};

/** Starts the sandbox. It has its own key; a key from the environment selects another tenant. */
const sandboxService = async (io: Io, key: Secret | undefined): Promise<Service> => {
  const { startSandbox } = await import('../../sandbox/launcher.ts');
  const address = await startSandbox(io, {});
  return { profile: SANDBOX, kind: SANDBOX, baseUrl: address.url, apiKey: key ?? secret(address.api_key) };
};

const storedKey = async (io: Io, profile: string, { stored }: Selection): Promise<Secret | undefined> => {
  return stored.api_key && readStoredKey(io, profile, stored.api_key, stored.base_url ?? '');
};

/** Printed if the sandbox is the service only by default. */
export const SANDBOX_BY_DEFAULT = 'No service is configured: using the sandbox on this machine, without real money.';

/** Opens the selected service with its key. Starts the sandbox. Throws `no_api_key` if no service is selected. */
export const openService = async (io: Io, selection: Selection, printNote: PrintLine): Promise<Service> => {
  if ('baseUrl' in selection && selection.isUnconfirmed) throw unconfirmedAddress(selection.baseUrl);
  const usesEnvironment = selection.as !== 'nothing' && selection.key === 'environment';
  const apiKey = usesEnvironment ? await environmentKey(io) : undefined;
  switch (selection.as) {
    case 'nothing':
      throw noService(selection);
    case 'sandbox':
      if (selection.profile.from === 'default') await printNote(SANDBOX_BY_DEFAULT);
      return sandboxService(io, apiKey);
    case 'unnamed':
      return { profile: UNNAMED, kind: 'live', baseUrl: selection.baseUrl.value, apiKey };
    case 'named': {
      const { value: profile } = selection.profile;
      const ownKey = usesEnvironment ? apiKey : await storedKey(io, profile, selection);
      return { profile, kind: 'live', baseUrl: selection.baseUrl.value, apiKey: ownKey };
    }
    default:
      return selection satisfies never;
  }
};
