import { homedir, hostname } from 'node:os';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Failure, interrupted, messageOf } from '../core/failure.ts';
import { once } from '../core/once.ts';
import { isAccessible, isSwitchedOn } from '../core/screen.ts';
import { isUnicodeLocale } from '../core/text.ts';
import type { PageAddress } from '../core/web-address.ts';
import { PRIVATE_FILE, systemFiles } from './files/files.ts';
import { interruption } from './interruption.ts';
import type { Browser, Clock, Derive, Io, Keyring, Places, SettingsFiles } from './io.ts';
import { systemProcesses } from './processes.ts';
import { remotePrompt, timedPrompt } from './prompt/prompt.ts';
import { dropInput, inputFrom, outputTo, spinFor } from './streams.ts';

/** A clock from two sources, both in milliseconds: the time since 1970, and since any fixed point. */
export const clockFrom = (now: () => number, monotonic: () => number): Clock => ({ now, monotonic, sleep });

const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(milliseconds, undefined, { signal }).catch(() => {
    throw interrupted();
  });

/** The keyring of this system, loaded on use. */
const systemKeyring = (...[platform, io]: Parameters<typeof import('./keyring/keyring.ts').keyringOn>): Keyring => {
  const load = once(async () => (await import('./keyring/keyring.ts')).keyringOn(platform, io));
  return {
    assertAvailable: async () => (await load()).assertAvailable(),
    lookup: async (...entry) => (await load()).lookup(...entry),
    store: async (...entry) => (await load()).store(...entry),
    clear: async (...entry) => (await load()).clear(...entry),
  };
};

/** The folders of bursar. BURSAR_HOME contains all; otherwise they follow the XDG specification, which ignores relative paths. */
export const placesFrom = (env: Io['env'], home = homedir()): Places => {
  const own = env['BURSAR_HOME'];
  if (own) {
    return { config: own, state: join(own, 'state'), cache: join(own, 'cache'), sandbox: join(own, 'sandbox') };
  }
  const base = (name: string, fallback: string): string => {
    const given = env[name];
    return join(given?.startsWith('/') ? given : join(home, fallback), 'bursar');
  };
  const state = base('XDG_STATE_HOME', '.local/state');
  return {
    config: base('XDG_CONFIG_HOME', '.config'),
    state,
    cache: base('XDG_CACHE_HOME', '.cache'),
    sandbox: join(state, 'sandbox'),
  };
};

/** The working folder. A deleted folder has no path; PWD is the last known one. */
const workingFolder = (host: NodeJS.Process): string => {
  try {
    return host.cwd();
  } catch {
    const { PWD = '' } = host.env;
    return isAbsolute(PWD) ? PWD : '/';
  }
};

/** Variables that contain a secret itself, and not the name of its file. */
const SECRETS = ['BURSAR_API_KEY', 'BURSAR_KEY_PASSWORD'];

/**
 * Copies the environment of a process, and removes the secrets from the process. Child processes would get them, and so
 * would Node's diagnostic reports. The path of the home becomes absolute, because a background process has another folder.
 */
const takeEnvironment = (host: NodeJS.ProcessEnv, cwd: string): Io['env'] => {
  const home = host['BURSAR_HOME'];
  const env = { ...host, ...(home && { BURSAR_HOME: resolve(cwd, home) }) };
  for (const name of SECRETS) delete host[name];
  return env;
};

/** The options of the command line that decide what stderr shows. */
type Conversation = { readonly isQuiet: boolean; readonly mayAsk: boolean };

/** The one real Io: this process and its machine. `program` is the file that started the process. */
export const systemIo = (
  program: string,
  host: NodeJS.Process = process,
  { isQuiet, mayAsk }: Conversation = { isQuiet: false, mayAsk: true },
): Io => {
  const { stderr, stdout } = host;
  const cwd = workingFolder(host);
  const env = takeEnvironment(host.env, cwd);
  const { interrupted, forceQuit } = interruption(host);
  const isAskingOff = !mayAsk || isSwitchedOn(env['CI']) || isSwitchedOn(env['BURSAR_NO_INPUT']);
  // An input that was read to its end has no more answers.
  const canAsk = () => stderr.isTTY === true && !isAskingOff && host.stdin.isTTY === true && host.stdin.readable;
  const isAscii = !isUnicodeLocale(env);
  const errors = outputTo(stderr, isAscii);
  // A dumb terminal cannot move its cursor, and inquirer draws with Unicode.
  const asksByLine = isAccessible(env) || isAscii || env['TERM'] === 'dumb';
  // A program in the background would be stopped if it changed the terminal, so only one that has asked does.
  let hasAsked = false;
  let release: () => void = () => undefined;
  const holdInput = () => {
    if (hasAsked && !asksByLine) release = dropInput(host.stdin, (signal) => process.kill(0, signal));
    return () => release();
  };
  const load = () => {
    release();
    hasAsked = true;
    return loadQuestions();
  };
  const loadQuestions = once(async () => {
    if (asksByLine) return (await import('./prompt/line-prompt.ts')).promptByLines(host.stdin, errors, interrupted);
    return (await import('./prompt/drawn-prompt.ts')).promptOn({ input: host.stdin, output: stderr });
  });
  let hasSent = false;
  const loadHttp = once(async () => (await import('./http/http.ts')).systemHttp(interrupted, env, errors.write));
  // `performance` would load a module of its own.
  const clock = clockFrom(Date.now, () => Number(process.hrtime.bigint()) / 1e6);
  return {
    isQuiet: isQuiet || isSwitchedOn(env['BURSAR_QUIET']),
    env,
    cwd,
    machine: { node: process.version, system: process.platform, processor: process.arch },
    stdin: inputFrom(() => host.stdin),
    // Output to a file or a pipe is data, and stays unchanged.
    stdout: outputTo(stdout, isAscii && stdout.isTTY === true),
    stderr: errors,
    clock,
    // Most commands need no randomness, so its module is loaded on use.
    random: { bytes: (count) => process.getBuiltinModule('node:crypto').randomBytes(count), fraction: Math.random },
    derive: systemDerive,
    files: systemFiles,
    settings: systemSettings,
    places: placesFrom(env),
    http: {
      send: async (request) => {
        hasSent ||= request.method !== 'GET';
        return (await loadHttp()).send(request);
      },
    },
    receive: async (receiving) => (await import('./http/receive.ts')).systemReceive(receiving),
    prompt: timedPrompt(remotePrompt({ isPossible: canAsk, load, hasSent: () => hasSent }, errors, !isAscii), clock),
    browser: systemBrowser(env),
    processes: systemProcesses(
      { pid: process.pid, host: hostname(), node: process.execPath, program, env },
      process.kill.bind(process),
    ),
    keyring: systemKeyring(process.platform, { env, interrupted }),
    interrupted,
    forceQuit,
    spin: spinFor(stderr, errors.write, env, { isQuiet, holdInput }),
  };
};

/** Derives keys with Node's OpenSSL. */
export const systemDerive: Derive = (derivation) =>
  new Promise((resolve, reject) => {
    const { scrypt, pbkdf2 } = process.getBuiltinModule('node:crypto');
    const { password, salt, bytes } = derivation;
    const done = (error: Error | null, key: Uint8Array) => (error ? reject(error) : resolve(key));
    if (derivation.kdf === 'pbkdf2') pbkdf2(password, salt, derivation.rounds, bytes, derivation.digest, done);
    else {
      const { n, r, p } = derivation;
      // OpenSSL also counts its buffers, so it needs a little more than 128 * N * r.
      const maxmem = 128 * r * (n + p + 2) + 1024 * 1024;
      scrypt(password, salt, bytes, { N: n, r, p, maxmem }, done);
    }
  });

/** Ends a process at once, without waiting for closing sockets. No output is lost, because every write was awaited. */
export const endProcess = (host: NodeJS.Process, code: number): void => host.exit(code);

/** The first command of BROWSER, which separates commands by colons; `%s` stands for the address. */
const browserCommand = ({ BROWSER }: Io['env']): readonly string[] =>
  (process.platform === 'win32' ? [BROWSER] : (BROWSER ?? '').split(':'))
    .map((command) => (command ?? '').split(' ').filter(Boolean))
    .find(([program]) => program !== undefined) ?? [];

const openPage = async (page: PageAddress, [name, ...words]: readonly string[]): Promise<void> => {
  const { default: open, openApp } = await import('open');
  if (name === undefined) await open(page);
  else if (words.some((word) => word.includes('%s'))) {
    await openApp(name, { arguments: words.map((word) => word.replaceAll('%s', page)) });
  } else await open(page, { app: { name, arguments: words } });
};

/** The browser of BROWSER, or the user's default browser. */
const systemBrowser = (env: Io['env']): Browser => ({
  open: async (page) => {
    try {
      await openPage(page, browserCommand(env));
      return true;
    } catch {
      // The caller shows the address, which the user can copy.
      return false;
    }
  },
});

/** Settings files of this machine, written by conf. They are read without conf, which takes long to load. */
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

/** conf does not write atomically inside a Snap package, for example in the terminal of an editor from Snap. */
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
