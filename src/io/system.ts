import { homedir, hostname } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isUnicodeLocale } from '../core/ascii.ts';
import { isAccessible, isSwitchedOn } from '../core/environment.ts';
import { rowsBelow, separateRemote } from '../core/remote-text.ts';
import type { PageAddress } from '../core/web-address.ts';
import { promptByLines } from './ask-lines.ts';
import type { Prompt } from './asked.ts';
import { clockFrom } from './clock.ts';
import { systemFiles } from './files.ts';
import { systemHttp } from './http.ts';
import type { Browser, Clock, Derive, Io, Output, Places } from './io.ts';
import { keyringOn } from './keyring.ts';
import { systemProcesses } from './processes.ts';
import { promptOn } from './prompt.ts';
import { systemSettings } from './settings-file.ts';
import { spinFor } from './spin.ts';
import { inputFrom, outputTo } from './streams.ts';

/**
 * Aborts on Ctrl-C, on a request to end and when the terminal goes away; at the second one nothing is waited for, but what
 * may have moved money is said. A third one ends at once.
 */
const interruption = (host: NodeJS.Process): Pick<Io, 'interrupted' | 'forceQuit'> => {
  const [first, second] = [new AbortController(), new AbortController()];
  for (const [name, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    host.on(name, () => {
      const next = [first, second].find(({ signal }) => !signal.aborted);
      return next ? next.abort() : host.exit(exit);
    });
  }
  return { interrupted: first.signal, forceQuit: second.signal };
};

/** Where the process stands. A folder that was deleted has a path no more: it is the one that the shell knows. */
const workingFolder = (host: NodeJS.Process): string => {
  try {
    return host.cwd();
  } catch {
    const { PWD = '' } = host.env;
    return isAbsolute(PWD) ? PWD : '/';
  }
};

/** What the command line of the process says about its conversation. */
type Conversation = { readonly isQuiet: boolean; readonly mayAsk: boolean };

/** The one real Io: a process, `program` being the file that started it, and its machine. */
export const systemIo = (
  program: string,
  host: NodeJS.Process = process,
  { isQuiet, mayAsk }: Conversation = { isQuiet: false, mayAsk: true },
): Io => {
  const { stdin, stderr, stdout } = host;
  const env = takeEnvironment(host.env);
  const { interrupted, forceQuit } = interruption(host);
  const asksNobody = !mayAsk || isSwitchedOn(env['CI']) || isSwitchedOn(env['BURSAR_NO_INPUT']);
  // What was read to its end has no answers in it.
  const canAsk = () => stdin.isTTY === true && stderr.isTTY === true && !asksNobody && stdin.readable;
  const isAscii = !isUnicodeLocale(env);
  const errors = outputTo(stderr, isAscii);
  // A dumb terminal cannot move its cursor, and what inquirer draws needs Unicode.
  const asksByLine = isAccessible(env) || isAscii || env['TERM'] === 'dumb';
  const clock = clockFrom(Date.now, () => performance.now());
  return {
    isQuiet: isQuiet || isSwitchedOn(env['BURSAR_QUIET']),
    env,
    cwd: workingFolder(host),
    machine: { node: process.version, system: process.platform, processor: process.arch },
    stdin: inputFrom(stdin),
    // What goes into a file or a pipe is data, and stays as it is.
    stdout: outputTo(stdout, isAscii && stdout.isTTY === true),
    stderr: errors,
    clock,
    // Most commands need no randomness: its module is loaded by the first that does.
    random: { bytes: (count) => process.getBuiltinModule('node:crypto').randomBytes(count), fraction: Math.random },
    derive: systemDerive,
    files: systemFiles,
    settings: systemSettings,
    places: placesFrom(env),
    http: systemHttp(interrupted, env, errors.write),
    prompt: timedPrompt(
      remotePrompt(
        asksByLine
          ? promptByLines(stdin, errors, { isPossible: canAsk, interrupted })
          : promptOn({ input: stdin, output: stderr }, canAsk),
        errors,
        !isAscii,
      ),
      clock,
    ),
    browser: systemBrowser(env),
    processes: systemProcesses(
      { pid: process.pid, host: hostname(), node: process.execPath, program, env },
      process.kill.bind(process),
    ),
    keyring: keyringOn(process.platform, { env, interrupted }),
    interrupted,
    forceQuit,
    spin: spinFor(stderr, errors.write, env, isQuiet),
  };
};

/** Derives by Node's own OpenSSL. */
export const systemDerive: Derive = (derivation) =>
  new Promise((resolve, reject) => {
    const { scrypt, pbkdf2 } = process.getBuiltinModule('node:crypto');
    const { password, salt, bytes } = derivation;
    const done = (error: Error | null, key: Uint8Array) => (error ? reject(error) : resolve(key));
    if (derivation.kdf === 'pbkdf2') pbkdf2(password, salt, derivation.rounds, bytes, derivation.digest, done);
    else {
      const { n, r, p } = derivation;
      // OpenSSL counts its buffers too, so 128 * N * r alone is a little too small.
      const maxmem = 128 * r * (n + p + 2) + 1024 * 1024;
      scrypt(password, salt, bytes, { N: n, r, p, maxmem }, done);
    }
  });

/**
 * Ends a process at once. Every write was awaited, so nothing that was said is lost, and a socket that is
 * still closing is not waited for.
 */
export const endProcess = (host: NodeJS.Process, code: number): void => host.exit(code);

/** Variables that hold a secret, and not the name of a file that does. */
const SECRETS = ['BURSAR_API_KEY', 'BURSAR_KEY_PASSWORD'];

/**
 * The environment that a process was started with. The secrets in it are taken out of the process itself: otherwise a
 * diagnostic report of Node (`--report-on-signal`, `--report-uncaught-exception`) holds them, and every program that
 * is started from here gets them.
 */
const takeEnvironment = (host: NodeJS.ProcessEnv): Io['env'] => {
  const env = { ...host };
  for (const name of SECRETS) delete host[name];
  return env;
};

type Asking = Omit<Prompt, 'waited'>;

/** The same questions; what a server says in one of them stands above it, on rows of its own. */
const remotePrompt = (prompt: Asking, stderr: Output, unicode: boolean): Asking => {
  const shown = async (question: string): Promise<string> => {
    const parted = separateRemote(question, stderr.columns);
    const rows = rowsBelow(parted, stderr.columns, '  ', unicode);
    if (rows.length > 0) await stderr.write(`${rows.join('\n')}\n`);
    return parted.sentence;
  };
  return {
    get isPossible() {
      return prompt.isPossible;
    },
    confirm: async (question, isUsual) => prompt.confirm(await shown(question), isUsual),
    text: async (question, more) => prompt.text(await shown(question), more),
    password: async (question, more) => prompt.password(await shown(question), more),
    select: async (question, choices, other) => prompt.select(await shown(question), choices, other),
  };
};

/**
 * The folders that bursar owns. BURSAR_HOME puts all in one; otherwise the XDG base directories apply,
 * where a relative path does not count, as their specification says.
 */
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

/** The same questions, that count how long they wait for their answers. */
export const timedPrompt = (prompt: Omit<Prompt, 'waited'>, clock: Clock): Prompt => {
  let total = 0;
  const timed =
    <A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const from = clock.monotonic();
      try {
        return await ask(...args);
      } finally {
        total += clock.monotonic() - from;
      }
    };
  return {
    get isPossible() {
      return prompt.isPossible;
    },
    confirm: timed(prompt.confirm),
    text: timed(prompt.text),
    password: timed(prompt.password),
    select: async (question, choices, other) => timed(() => prompt.select(question, choices, other))(),
    waited: () => total,
  };
};

/** BROWSER is a list of commands with colons between them, of which the first is taken; `%s` stands for the address. */
const usual = ({ BROWSER }: Io['env']): readonly string[] =>
  (process.platform === 'win32' ? [BROWSER] : (BROWSER ?? '').split(':'))
    .map((command) => (command ?? '').split(' ').filter(Boolean))
    .find(([program]) => program !== undefined) ?? [];

const start = async (page: PageAddress, [name, ...words]: readonly string[]): Promise<void> => {
  const { default: open, openApp } = await import('open');
  if (name === undefined) await open(page);
  else if (words.some((word) => word.includes('%s'))) {
    await openApp(name, { arguments: words.map((word) => word.replaceAll('%s', page)) });
  } else await open(page, { app: { name, arguments: words } });
};

/** The browser of the user, or the one that BROWSER names. */
const systemBrowser = (env: Io['env']): Browser => ({
  open: async (page) => {
    try {
      await start(page, usual(env));
      return true;
    } catch {
      // Without a browser the address is still there to be copied.
      return false;
    }
  },
});
