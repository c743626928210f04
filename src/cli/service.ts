import { checkBaseUrl, type Service } from '../client/service.ts';
import { Failure } from '../core/failure.ts';
import { isOpenToOthers } from '../core/file-mode.ts';
import { type Secret, secret } from '../core/secret.ts';
import { shellQuote } from '../core/shell.ts';
import { isSwitchedOn } from '../core/switched-on.ts';
import type { Io } from '../io/io.ts';
import type { Globals } from './globals.ts';

const SANDBOX = 'sandbox';

/** The profile's name where only the environment says which service is meant. */
const UNNAMED = '(environment)';

const LARGEST_KEY_FILE = 64 * 1024;

/** A key travels in a header: what no header can hold is no key. */
const checkedKey = (source: string, key: string): Secret => {
  if (/^[\x21-\x7e]+$/.test(key)) return secret(key);
  throw new Failure('bad_settings', `${source} holds spaces, line ends or other characters that no API key has`);
};

/** The API key that the environment gives, by value or by file. */
const environmentKey = async (io: Io): Promise<Secret | undefined> => {
  const key = io.env['BURSAR_API_KEY'];
  if (key) return checkedKey('BURSAR_API_KEY', key);
  const path = io.env['BURSAR_API_KEY_FILE'];
  if (!path) return undefined;
  const facts = await io.files.targetFacts(path);
  if (facts && isOpenToOthers(facts)) {
    throw new Failure('bad_settings', `BURSAR_API_KEY_FILE: ${path} can be read by others`, {
      next: `chmod 600 ${shellQuote(path)}`,
    });
  }
  const bytes = await io.files.readGiven(path, LARGEST_KEY_FILE);
  const text = bytes && new TextDecoder().decode(bytes).trim();
  if (!text) throw new Failure('bad_settings', `BURSAR_API_KEY_FILE: ${path} ${bytes ? 'is empty' : 'does not exist'}`);
  return checkedKey(`BURSAR_API_KEY_FILE: ${path}`, text);
};

/** The sandbox has a key of its own; one in the environment, without a base URL beside it, is of another tenant. */
const sandboxService = async (io: Io, key: Secret | undefined): Promise<Service> => {
  const { startSandbox } = await import('../sandbox/launcher.ts');
  const address = await startSandbox(io, {});
  return { profile: SANDBOX, kind: SANDBOX, baseUrl: address.url, apiKey: key ?? secret(address.api_key) };
};

/** A key in the environment belongs to the base URL beside it: an option must not carry it to another host. */
const assertSameService = (io: Io, optionUrl: string | undefined, key: Secret | undefined): void => {
  const own = io.env['BURSAR_BASE_URL'];
  if (!key || !own || !optionUrl || new URL(checkBaseUrl(own)).origin === new URL(checkBaseUrl(optionUrl)).origin)
    return;
  throw new Failure('bad_settings', `the API key in the environment is for ${own}, and --base-url names ${optionUrl}`, {
    next: 'Set BURSAR_BASE_URL and the key of the service you mean.',
  });
};

const nothingChosen = (): Failure =>
  new Failure('no_api_key', 'no service was chosen, and there is no API key', {
    hint: 'Without a person at a terminal the sandbox must be asked for: a pipeline whose secrets are missing must not pass on a toy.',
    next: 'Set BURSAR_BASE_URL and BURSAR_API_KEY, or use --profile sandbox.',
  });

/**
 * Which service a command talks to: the flag, then the environment, then, for a person at a terminal, the
 * sandbox, which is started. Throws `bad_settings` where two of them contradict each other.
 */
export const chooseService = async (
  io: Io,
  globals: Pick<Globals, 'profile' | 'baseUrl'>,
  say: (line: string) => Promise<void>,
): Promise<Service> => {
  const key = await environmentKey(io);
  // A flag outranks the environment: what that says of another service does not count beside it.
  const profile = globals.profile ?? (globals.baseUrl === undefined ? io.env['BURSAR_PROFILE'] : undefined);
  const baseUrl = globals.baseUrl ?? (globals.profile === undefined ? io.env['BURSAR_BASE_URL'] : undefined);
  if (profile && profile !== SANDBOX) {
    throw new Failure('bad_settings', `there is no profile "${profile}"`, {
      hint: 'The built-in profile is "sandbox". Another service is named by BURSAR_BASE_URL and BURSAR_API_KEY.',
    });
  }
  if (profile && baseUrl) {
    throw new Failure('bad_settings', `the profile "${profile}" and the base URL ${baseUrl} contradict each other`, {
      next: 'Give one of them.',
    });
  }
  if (profile) return sandboxService(io, globals.profile ? undefined : key);
  assertSameService(io, globals.baseUrl, key);
  if (baseUrl) return { profile: UNNAMED, kind: 'live', baseUrl: checkBaseUrl(baseUrl), apiKey: key };
  if (key) {
    throw new Failure('bad_settings', 'there is an API key, and no base URL to use it with', {
      next: 'Set BURSAR_BASE_URL, or give --base-url.',
    });
  }
  if (!io.stdin.isTerminal || !io.stderr.isTerminal || isSwitchedOn(io.env['CI'])) throw nothingChosen();
  await say('No service is configured: using the sandbox on this machine, without real money.');
  return sandboxService(io, undefined);
};
