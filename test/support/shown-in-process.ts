import { hostname } from 'node:os';
import { clearLine, clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { PassThrough } from 'node:stream';
import { readCommandLine } from '../../src/cli/argv/command-line.ts';
import { run } from '../../src/cli/run.ts';
import { isUnicodeLocale } from '../../src/core/text.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import { systemReceive } from '../../src/io/http/receive.ts';
import type { Derive } from '../../src/io/io.ts';
import { keyringOn } from '../../src/io/keyring/keyring.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import { outputTo, spinFor } from '../../src/io/streams.ts';
import { OWN_COST } from '../../src/keystore/scrypt.ts';
import { type Ended, PROGRAM } from './bursar.ts';
import { ioAt } from './io.ts';

/** A stream that Node takes for a terminal. `text` returns the bytes that were written. */
const screenOf = (columns: number) => {
  const stream = new PassThrough();
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const screen = Object.assign(stream, {
    isTTY: true,
    columns,
    cursorTo: (x: number) => cursorTo(stream, x),
    moveCursor: (x: number, y: number) => moveCursor(stream, x, y),
    clearLine: (side: -1 | 0 | 1) => clearLine(stream, side),
    clearScreenDown: () => clearScreenDown(stream),
  });
  return { stream: screen as unknown as NodeJS.WriteStream, text: () => text };
};

export type Look = {
  readonly columns: number;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Aborts on Ctrl-C. */
  readonly interrupted?: AbortSignal;
};

/** Lowers the scrypt cost of new keys. It is slow, does not change the output, and no run reads these keys again. */
const withLowCost =
  (derive: Derive): Derive =>
  (request) =>
    derive(request.kdf === 'scrypt' && request.n === OWN_COST.n ? { ...request, n: 2 } : request);

/**
 * Runs a command in this process, with stdout and stderr on two terminals whose bytes are returned. It is for tests of the look
 * of every command. Streams and spinners are the real ones. There are no prompts.
 */
export const showInProcess = async (home: string, args: readonly string[], look: Look): Promise<Ended> => {
  const { columns, stdin = '' } = look;
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, BURSAR_HOME: home, LANG: 'C.UTF-8', ...look.env };
  const [out, err] = [screenOf(columns), screenOf(columns)];
  const isAscii = !isUnicodeLocale(env);
  const stderr = outputTo(err.stream, isAscii);
  const { interrupted = new AbortController().signal } = look;
  const { io } = ioAt(home, { env, stdin });
  const self = { pid: process.pid, host: hostname(), node: process.execPath, program: PROGRAM, env };
  const code = await run(
    {
      ...io,
      derive: withLowCost(io.derive),
      isQuiet: args.includes('--quiet'),
      stdout: outputTo(out.stream, isAscii),
      stderr,
      interrupted,
      random: { ...io.random, fraction: Math.random },
      http: systemHttp(interrupted, env),
      receive: systemReceive,
      processes: systemProcesses(self, process.kill.bind(process)),
      keyring: keyringOn(process.platform, { env, interrupted }),
      spin: spinFor(err.stream, stderr.write, env, {
        isQuiet: args.includes('--quiet'),
        holdInput: () => () => undefined,
      }),
    },
    readCommandLine(args),
    '0.0.0',
  );
  await new Promise((resolve) => setImmediate(resolve));
  return { code, stdout: out.text(), stderr: err.text() };
};

/**
 * Whether the program could break a line of 80 columns. It never breaks a long word, such as a signature or a link, nor a line of
 * a text that is signed.
 */
export const couldBreak = (line: string): boolean =>
  !line.startsWith('  | ') &&
  line
    .trim()
    .split(/ +/)
    .every((word) => word.length <= 70);
