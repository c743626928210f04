import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import { isAccessible } from '../core/accessible.ts';
import { isUnicodeLocale } from '../core/ascii.ts';
import { isSwitchedOn } from '../core/switched-on.ts';
import { promptByLines } from './ask-lines.ts';
import { systemBrowser } from './browser.ts';
import { clockFrom } from './clock.ts';
import { takeEnvironment } from './environment.ts';
import { systemFiles } from './files.ts';
import { systemHttp } from './http.ts';
import type { Io } from './io.ts';
import { keyringOn } from './keyring.ts';
import { placesFrom } from './places.ts';
import { systemProcesses } from './processes.ts';
import { promptOn } from './prompt.ts';
import { remotePrompt } from './remote-prompt.ts';
import { systemSettings } from './settings-file.ts';
import { spinFor } from './spin.ts';
import { inputFrom, outputTo } from './streams.ts';
import { timedPrompt } from './timed-prompt.ts';

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

/** The one real Io: a process, `program` being the file that started it, and its machine. */
export const systemIo = (program: string, host: NodeJS.Process = process): Io => {
  const { stdin, stderr, stdout } = host;
  const env = takeEnvironment(host.env);
  const args = host.argv.slice(2);
  const { interrupted, forceQuit } = interruption(host);
  const isQuiet = isSwitchedOn(env['CI']) || isSwitchedOn(env['BURSAR_NO_INPUT']) || args.includes('--no-input');
  // What was read to its end has no answers in it.
  const canAsk = () => stdin.isTTY === true && stderr.isTTY === true && !isQuiet && stdin.readable;
  const isAscii = !isUnicodeLocale(env);
  const errors = outputTo(stderr, isAscii);
  // A dumb terminal cannot move its cursor, and what inquirer draws needs Unicode.
  const asksByLine = isAccessible(env) || isAscii || env['TERM'] === 'dumb';
  const clock = clockFrom(Date.now, () => performance.now());
  return {
    args,
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
    spin: spinFor(stderr, errors.write, env, args.includes('--quiet')),
  };
};

/**
 * Ends a process at once. Every write was awaited, so nothing that was said is lost, and a socket that is
 * still closing is not waited for.
 */
export const endProcess = (host: NodeJS.Process, code: number): void => host.exit(code);
