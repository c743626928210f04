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

const isThere = spawnSync('tmux', ['-V']).status === 0;

/**
 * Whether this machine has a terminal to test on. Without tmux these tests say so and are left out; in CI
 * that is a failure, because there nothing may be left out.
 */
export const hasTerminal = (): boolean => {
  if (isThere) return true;
  if (process.env['CI'])
    throw new Error('CI needs tmux for the tests of prompts: install it with apt-get install tmux');
  process.stderr.write(
    'Left out: tests of prompts on a terminal need tmux (apt-get install tmux, brew install tmux).\n',
  );
  return false;
};

/** A terminal with a shell in it. */
export type Terminal = {
  /** Types a command line and a newline. `bursar` is the built program. With `clear` in it, what stood there is gone at once. */
  readonly run: (line: string) => void;
  /** Sends keys by their tmux names: `Enter`, `C-c`, or text. */
  readonly keys: (...keys: readonly string[]) => void;
  /** Resolves when the terminal has what was typed: the second answer comes after a round in which tmux wrote it. */
  readonly typed: () => Promise<void>;
  readonly screen: () => Promise<string>;
  /** The rows of the screen as they are drawn: a line that the terminal itself breaks is several. */
  readonly rows: () => Promise<readonly string[]>;
  /** The screen and what went out of it above. */
  readonly scrolled: () => Promise<string>;
  /** Whether the cursor is shown. */
  readonly hasCursor: () => Promise<boolean>;
  /** Writes every byte that the terminal gets to a file from now on. */
  readonly record: (file: string) => void;
  /** Waits until the screen shows a text, over whichever lines. Throws with the screen when it does not. */
  readonly until: (text: string | RegExp, seconds?: number) => Promise<string>;
};

/** Output comes in parts; a look at each of them would be wasted. */
const GATHERED_IN_MS = 10;

/** Without news of a change too. */
const LOOK_AGAIN_IN_MS = 500;

const SETTLES_IN_MS = 50;

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Size = { readonly columns: number; readonly rows: number };

type Waiting = { readonly answer: (text: string) => void; readonly refuse: (error: Error) => void };

/**
 * One client of tmux in control mode (tmux(1)): commands go in by lines, their answers and the news come out. A process for
 * each look would cost more than most programs that are looked at, for the tests' own process is large and is copied for each.
 */
const startTmux = (args: readonly string[]) => {
  const env = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };
  const client = spawn('tmux', ['-C', ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: Waiting[] = [];
  const watchers = new Set<() => void>();
  // A command that comes before the session has none that it could be about.
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
      const text = block.lines.map((each) => `${each}\n`).join('');
      block = undefined;
      // The first block is of the command line, which nobody waits for.
      const asked = flags === '1' ? waiting.shift() : undefined;
      if (word === '%end') asked?.answer(text);
      else asked?.refuse(new Error(`tmux: ${text}`));
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
    /** Resolves when the screen has changed, or after some time. */
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

/** Opens a terminal of some size; end it after the tests. CI is unset in it: a person sits there. */
export const startTerminal = (
  home: string,
  size: Size = { columns: 80, rows: 24 },
  more: Readonly<Record<string, string>> = {},
): Terminal & { readonly end: () => Promise<void> } => {
  const name = `bursar-${randomUUID()}`;
  const geometry = ['-x', String(size.columns), '-y', String(size.rows)];
  // The shell reads the file of ENV when it starts, so nothing is typed before the test types.
  const startUp = join(tmpdir(), `${name}.sh`);
  writeFileSync(startUp, `unset ENV\nbursar() { "${process.execPath}" "${PROGRAM}" "$@"; }\n`);
  const env = { ENV: startUp, BURSAR_HOME: home, HOME: home, PS1: '$ ', LANG: 'C.UTF-8', CI: '', ...more };
  const assignments = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  const session = ['new-session', ...geometry, 'env', ...assignments, 'sh'];
  const client = startTmux(['-L', name, '-f', '/dev/null', ...session]);
  /** What is typed before the shell prompts is drawn twice. */
  const untilPrompt = async (): Promise<void> => {
    while ((await client.tmux('capture-pane', '-p')).trim() === '') await client.changed(LOOK_AGAIN_IN_MS);
  };
  const prompted = env.PS1 === '' ? Promise.resolve() : untilPrompt();
  const tmux = (...words: readonly string[]): Promise<string> => prompted.then(() => client.tmux(...words));
  const screen = () => tmux('capture-pane', '-p', '-J');
  /** What is written together does not come at once: the screen a moment later, where it still shows that. */
  const settled = async (seen: string, shows: (shown: string) => boolean): Promise<string> => {
    await pause(SETTLES_IN_MS);
    const later = await screen();
    return shows(later) ? later : seen;
  };
  const keys = (...all: readonly string[]) => void tmux('send-keys', ...all);
  return {
    end: async () => {
      await client.end();
      rmSync(startUp, { force: true });
    },
    run: (line) => {
      // The shell clears when it comes to it; who waits for a question must not take the one before for it.
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
      const shows = (shown: string) =>
        typeof text === 'string' ? inOneLine(shown).includes(inOneLine(text)) : text.test(shown);
      const deadline = Date.now() + seconds * 1000;
      while (Date.now() < deadline) {
        const change = client.changed(Math.min(LOOK_AGAIN_IN_MS, deadline - Date.now()));
        const shown = await screen();
        if (shows(shown)) return settled(shown, shows);
        await change;
        await pause(GATHERED_IN_MS);
      }
      throw new Error(`the screen never showed ${text}:\n${await screen()}`);
    },
  };
};

/** Opens a terminal that is gone with the test. */
export const openTerminal = (...given: Parameters<typeof startTerminal>): Terminal => {
  const terminal = startTerminal(...given);
  onTestFinished(terminal.end);
  return terminal;
};

/** Types an answer once its question is there. */
export const answer = async (
  { until, keys }: Pick<Terminal, 'until' | 'keys'>,
  question: string | RegExp,
  text: string,
): Promise<void> => {
  await until(question);
  keys('-l', text);
  keys('Enter');
};
