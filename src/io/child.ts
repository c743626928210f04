import { type ChildProcess, spawn } from 'node:child_process';
import type { Environment } from '../core/screen.ts';
import { PASSED_VARIABLES } from './processes.ts';

/** A program of this machine that ends with its parent, because its standard input closes then. */
export type Child = {
  readonly pid: number;
  /** The first line of its standard output; `undefined` if it ended without one. */
  readonly firstLine: Promise<string | undefined>;
  /** The beginning of its standard output, when it has ended. */
  readonly output: Promise<string>;
  /** The end of its standard error so far. */
  readonly errors: () => string;
  /** Closes its standard input, and resolves when it has ended. After `killAfterMs` it is killed. */
  readonly end: (killAfterMs: number) => Promise<void>;
};

const MAX_ERRORS = 4_000;
const MAX_OUTPUT = 64_000;

/** Neither the child nor its pipes keep this process running: the child ends with it. */
const letGo = (child: ChildProcess): void => {
  child.unref();
  for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as { unref?: () => void } | null)?.unref?.();
};

const readOutput = (child: ChildProcess): Pick<Child, 'firstLine' | 'output'> => {
  let text = '';
  const output = new Promise<string>((resolve) => {
    child.once('error', () => resolve(text));
    child.once('close', () => resolve(text));
  });
  const firstLine = new Promise<string | undefined>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(0, MAX_OUTPUT);
      const at = text.indexOf('\n');
      if (at >= 0) resolve(text.slice(0, at));
    });
    void output.then(() => resolve(undefined));
  });
  return { firstLine, output };
};

/**
 * Starts a JavaScript file with this Node. The child gets a few variables of this process, and `env`. It gets no handle
 * of this process but three pipes.
 */
export const startChild = (file: string, args: readonly string[], env: Environment): Child => {
  const passed = Object.entries(process.env).filter(([name]) => PASSED_VARIABLES.test(name));
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C at a terminal reaches the parent, whose end closes the input.
    detached: true,
    windowsHide: true,
    env: { ...Object.fromEntries(passed), ...env },
  });
  let errors = '';
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-MAX_ERRORS);
  });
  child.stdin?.on('error', () => undefined);
  const read = readOutput(child);
  letGo(child);
  return {
    pid: child.pid ?? 0,
    ...read,
    errors: () => errors,
    end: async (killAfterMs) => {
      child.stdin?.end();
      // This process keeps running until the child has ended.
      child.ref();
      const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      await ended;
      clearTimeout(timer);
    },
  };
};
