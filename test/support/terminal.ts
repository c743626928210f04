import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
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
  readonly screen: () => string;
  /** The rows of the screen as they are drawn: a line that the terminal itself breaks is several. */
  readonly rows: () => readonly string[];
  /** The screen and what went out of it above. */
  readonly scrolled: () => string;
  /** Whether the cursor is shown. */
  readonly hasCursor: () => boolean;
  /** Writes every byte that the terminal gets to a file from now on. */
  readonly record: (file: string) => void;
  /** Waits until the screen shows a text, over whichever lines. Throws with the screen when it does not. */
  readonly until: (text: string | RegExp, seconds?: number) => Promise<string>;
};

/** Each look is a process of tmux, beside the programs that are waited for. */
const LOOK_EVERY_MS = 100;

const SETTLES_IN_MS = 50;

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Size = { readonly columns: number; readonly rows: number };

/** Opens a terminal of some size; end it after the tests. CI is unset in it: a person sits there. */
export const startTerminal = (
  home: string,
  size: Size = { columns: 80, rows: 24 },
  more: Readonly<Record<string, string>> = {},
): Terminal & { readonly end: () => void } => {
  const socket = `bursar-${randomUUID()}`;
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-L', socket, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' },
    });
  const geometry = ['-x', String(size.columns), '-y', String(size.rows)];
  // The shell reads the file of ENV when it starts, so nothing is typed before the test types.
  const startUp = join(tmpdir(), `${socket}.sh`);
  writeFileSync(startUp, `unset ENV\nbursar() { "${process.execPath}" "${PROGRAM}" "$@"; }\n`);
  const env = { ENV: startUp, BURSAR_HOME: home, HOME: home, PS1: '$ ', LANG: 'C.UTF-8', CI: '', ...more };
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  tmux('-f', '/dev/null', 'new-session', '-d', ...geometry, 'env', ...assignments, 'sh');
  const screen = () => tmux('capture-pane', '-p', '-J');
  /** What is written together does not come at once: the screen a moment later, where it still shows that. */
  const settled = async (seen: string, shows: (shown: string) => boolean): Promise<string> => {
    await pause(SETTLES_IN_MS);
    const later = screen();
    return shows(later) ? later : seen;
  };
  const keys = (...all: readonly string[]) => void tmux('send-keys', ...all);
  return {
    end: () => {
      spawnSync('tmux', ['-L', socket, 'kill-server']);
      rmSync(startUp, { force: true });
    },
    run: (line) => {
      // The shell clears when it comes to it; who waits for a question must not take the one before for it.
      if (/\bclear;/.test(line)) keys('-R');
      keys('-l', line);
      keys('Enter');
    },
    keys,
    screen,
    rows: () => tmux('capture-pane', '-p').split('\n'),
    scrolled: () => tmux('capture-pane', '-p', '-J', '-S', '-'),
    hasCursor: () => tmux('display-message', '-p', '#{cursor_flag}').trim() === '1',
    record: (file) => void tmux('pipe-pane', `cat >> '${file}'`),
    until: async (text, seconds = 30) => {
      const shows = (shown: string) =>
        typeof text === 'string' ? inOneLine(shown).includes(inOneLine(text)) : text.test(shown);
      for (let waited = 0; waited < seconds * 1000; waited += LOOK_EVERY_MS) {
        const shown = screen();
        if (shows(shown)) return settled(shown, shows);
        await pause(LOOK_EVERY_MS);
      }
      throw new Error(`the screen never showed ${text}:\n${screen()}`);
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
