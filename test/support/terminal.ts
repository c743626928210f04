import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { shellQuote } from '../../src/core/next.ts';
import { PROGRAM } from './bursar.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/**
 * Whether tmux is installed. Without it this prints how to install it, and the caller skips its tests. In CI it throws instead,
 * because CI skips no test.
 */
export const hasTerminal = (): boolean => {
  if (hasTmux) return true;
  if (process.env['CI'])
    throw new Error('CI needs tmux for the tests of prompts: install it with apt-get install tmux');
  process.stderr.write(
    'Skipped: the tests of prompts on a terminal need tmux (apt-get install tmux, brew install tmux).\n',
  );
  return false;
};

/** A terminal with a shell in it. */
export type Terminal = {
  /** Types a command line and Enter. `bursar` is the built program. A line with `clear;` clears the screen before it is typed. */
  readonly run: (line: string) => void;
  /** Sends keys by their tmux names, such as `Enter` or `C-c`, or text. */
  readonly keys: (...keys: readonly string[]) => void;
  /** Resolves when the terminal has the typed keys. tmux writes them between the first and the second answer. */
  readonly typed: () => Promise<void>;
  readonly screen: () => Promise<string>;
  /** The rows of the screen. A line that the terminal wraps has several. */
  readonly rows: () => Promise<readonly string[]>;
  /** The screen, with the lines that scrolled out above it. */
  readonly scrolled: () => Promise<string>;
  /** Whether the cursor is shown. */
  readonly hasCursor: () => Promise<boolean>;
  /** Writes all further bytes for the terminal to a file. */
  readonly record: (file: string) => void;
  /** Waits until the screen shows a text, which may be wrapped. Throws with the screen after the time. */
  readonly until: (text: string | RegExp, seconds?: number) => Promise<string>;
};

/** How long `until` collects parts of the output before it reads the screen again. */
const COLLECT_MS = 10;

/** How often the screen is read without a notice of a change. */
const POLL_MS = 500;

/** How long a screen must be unchanged to count as complete. */
const SETTLE_MS = 50;

/** How often a screen is read until it is unchanged. One with a spinner changes all the time. */
const MAX_SETTLE_READS = 10;

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Size = { readonly columns: number; readonly rows: number };

type Waiting = { readonly answer: (text: string) => void; readonly refuse: (error: Error) => void };

/**
 * Starts one client of tmux in control mode (tmux(1)). It reads commands as lines, and writes their answers and notices of
 * changes. A new tmux process for each read would be slow, because each fork copies the large process of the tests.
 */
const startTmux = (args: readonly string[]) => {
  const env = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };
  const client = spawn('tmux', ['-C', ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: Waiting[] = [];
  const watchers = new Set<() => void>();
  // A command needs a session, so commands wait until the client is attached.
  let attached = (): void => undefined;
  const isAttached = new Promise<void>((resolve) => {
    attached = resolve;
  });
  let block: { readonly id: string; readonly lines: string[] } | undefined;
  createInterface({ input: client.stdout, crlfDelay: 0 }).on('line', (line) => {
    const [word = '', time = '', number = '', flags = ''] = line.split(' ');
    const id = `${time} ${number}`;
    if (block === undefined && word === '%begin') block = { id, lines: [] };
    else if (block?.id === id && (word === '%end' || word === '%error')) {
      const text = block.lines.map((row) => `${row}\n`).join('');
      block = undefined;
      // The first block is the answer to the command line, which no caller waits for.
      const caller = flags === '1' ? waiting.shift() : undefined;
      if (word === '%end') caller?.answer(text);
      else caller?.refuse(new Error(`tmux: ${text}`));
    } else if (block) block.lines.push(line);
    else if (word === '%session-changed') attached();
    else if (word === '%output') for (const changed of watchers) changed();
  });
  const ended = once(client, 'close').then(() => {
    for (const { refuse } of waiting.splice(0)) refuse(new Error('tmux has ended'));
    attached();
  });
  return {
    tmux: async (...words: readonly string[]): Promise<string> => {
      await isAttached;
      if (client.exitCode !== null) throw new Error('tmux has ended');
      return new Promise((answer, refuse) => {
        waiting.push({ answer, refuse });
        client.stdin.write(`${words.map(shellQuote).join(' ')}\n`);
      });
    },
    /** Resolves when the screen changes, or after `atMostMs`. */
    changed: (atMostMs: number): Promise<void> =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          watchers.delete(done);
          resolve();
        };
        const timer = setTimeout(done, atMostMs);
        watchers.add(done);
      }),
    end: async () => {
      await isAttached;
      client.stdin.end('kill-server\n');
      await ended;
    },
  };
};

/** Opens a terminal. Call `end` after the tests. CI is empty in its environment, as for a user. */
export const startTerminal = (
  home: string,
  size: Size = { columns: 80, rows: 24 },
  more: Readonly<Record<string, string>> = {},
): Terminal & { readonly end: () => Promise<void> } => {
  const name = `bursar-${randomUUID()}`;
  const geometry = ['-x', String(size.columns), '-y', String(size.rows)];
  // The shell reads the file of ENV when it starts, so its function is not typed on the screen.
  const startUp = join(tmpdir(), `${name}.sh`);
  writeFileSync(startUp, `unset ENV\nbursar() { "${process.execPath}" "${PROGRAM}" "$@"; }\n`);
  const env = { ENV: startUp, BURSAR_HOME: home, HOME: home, PS1: '$ ', LANG: 'C.UTF-8', CI: '', ...more };
  const assignments = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  const session = ['new-session', ...geometry, 'env', ...assignments, 'sh'];
  const client = startTmux(['-L', name, '-f', '/dev/null', ...session]);
  /** Waits for the prompt of the shell. Text that is typed before it appears twice. */
  const untilPrompt = async (): Promise<void> => {
    while ((await client.tmux('capture-pane', '-p')).trim() === '') await client.changed(POLL_MS);
  };
  const prompted = env.PS1 === '' ? Promise.resolve() : untilPrompt();
  const tmux = (...words: readonly string[]): Promise<string> => prompted.then(() => client.tmux(...words));
  const screen = () => tmux('capture-pane', '-p', '-J');
  /** The last screen that shows the text, when the rest of the output has appeared. */
  const settled = async (seen: string, matches: (text: string) => boolean): Promise<string> => {
    let last = seen;
    for (let reads = 0; reads < MAX_SETTLE_READS; reads += 1) {
      await pause(SETTLE_MS);
      const later = await screen();
      if (later === last || !matches(later)) break;
      last = later;
    }
    return last;
  };
  const keys = (...all: readonly string[]) => void tmux('send-keys', ...all);
  return {
    end: async () => {
      await client.end();
      rmSync(startUp, { force: true });
    },
    run: (line) => {
      // The shell clears later. Until then a test could find the question of the command before.
      if (/\bclear;/.test(line)) keys('-R');
      keys('-l', line);
      keys('Enter');
    },
    keys,
    typed: async () => {
      await screen();
      await screen();
    },
    screen,
    rows: async () => (await tmux('capture-pane', '-p')).split('\n'),
    scrolled: () => tmux('capture-pane', '-p', '-J', '-S', '-'),
    hasCursor: async () => (await tmux('display-message', '-p', '#{cursor_flag}')).trim() === '1',
    record: (file) => void tmux('pipe-pane', `cat >> '${file}'`),
    until: async (text, seconds = 30) => {
      const matches = (current: string) =>
        typeof text === 'string' ? inOneLine(current).includes(inOneLine(text)) : text.test(current);
      const deadline = Date.now() + seconds * 1000;
      while (Date.now() < deadline) {
        const change = client.changed(Math.min(POLL_MS, deadline - Date.now()));
        const current = await screen();
        if (matches(current)) return settled(current, matches);
        await change;
        await pause(COLLECT_MS);
      }
      throw new Error(`the screen did not show ${text}:\n${await screen()}`);
    },
  };
};

/** Opens a terminal until the end of the test. */
export const openTerminal = (...args: Parameters<typeof startTerminal>): Terminal => {
  const terminal = startTerminal(...args);
  onTestFinished(terminal.end);
  return terminal;
};

/** Waits for a question, then types an answer and Enter. */
export const answer = async (
  { until, keys }: Pick<Terminal, 'until' | 'keys'>,
  question: string | RegExp,
  text: string,
): Promise<void> => {
  await until(question);
  keys('-l', text);
  keys('Enter');
};
