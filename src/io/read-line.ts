import { Failure, interrupted } from '../core/failure.ts';

/** The lines that a person types. What is typed ahead waits for the next question, unless it is dropped. */
export type Lines = {
  /** The next one, unseen where it is secret. Throws `interrupted` on Ctrl-C and at the end of input. */
  readonly next: (isSecret: boolean) => Promise<string>;
  /** Drops what is typed ahead. */
  readonly drop: () => Promise<void>;
};

/** What waits in the terminal is there at once; this is far less than anybody needs to read a question. */
const DROPPING_MS = 20;

/** Drops what was typed before a question could be read: it is no answer to it. */
export const dropTyped = (input: NodeJS.ReadStream): Promise<void> =>
  new Promise((resolve) => {
    const onData = () => undefined;
    input.on('data', onData).resume();
    setTimeout(() => {
      input.off('data', onData).pause();
      resolve();
    }, DROPPING_MS);
  });

/** Ctrl-C and Ctrl-D come as characters where a terminal is raw. */
const [CTRL_C, CTRL_D] = ['\u0003', '\u0004'];

const ENDS: readonly string[] = [CTRL_C, CTRL_D, '\r', '\n'];

/** Nobody answered a question. Said, unlike an interrupt: who pressed Ctrl-C knows why it ended. */
export const inputEnded = (): Failure => new Failure('interrupted', 'the input ended before this was answered');

/** What is left of a line after the keys that take characters away. */
const withoutErased = (line: string): string => {
  const kept: string[] = [];
  for (const char of line) {
    if (char === '\u007f' || char === '\b') kept.pop();
    else if (char === '\u0015') kept.length = 0;
    else kept.push(char);
  }
  return kept.join('');
};

/** The next bytes that are typed. Nothing is taken from the terminal while nobody asks. */
const nextBytes = (input: NodeJS.ReadStream, signal: AbortSignal): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      input.off('data', onData).off('end', onEnd).off('close', onEnd).pause();
      signal.removeEventListener('abort', onAbort);
    };
    const onData = (bytes: Uint8Array) => {
      stop();
      resolve(bytes);
    };
    const onEnd = () => {
      stop();
      reject(inputEnded());
    };
    const onAbort = () => {
      stop();
      reject(interrupted());
    };
    if (signal.aborted) return reject(interrupted());
    if (!input.readable) return reject(inputEnded());
    signal.addEventListener('abort', onAbort, { once: true });
    input.on('data', onData).on('end', onEnd).on('close', onEnd).resume();
  });

/** Where the first line of a text ends; -1 where it does not. */
const endOf = (text: string): number => {
  const found = ENDS.map((end) => text.indexOf(end)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
};

/** Reads lines of a terminal one at a time. */
export const linesOf = (input: NodeJS.ReadStream, signal: AbortSignal): Lines => {
  const decoder = new TextDecoder();
  let ahead = '';
  const take = async (): Promise<string> => {
    for (;;) {
      const at = endOf(ahead);
      if (at < 0) {
        ahead += decoder.decode(await nextBytes(input, signal), { stream: true });
        continue;
      }
      const [line, end] = [ahead.slice(0, at), ahead[at]];
      ahead = ahead.slice(at + (ahead.startsWith('\r\n', at) ? 2 : 1));
      if (end === CTRL_C) throw interrupted();
      if (end === CTRL_D && line === '') throw inputEnded();
      if (end !== CTRL_D) return line;
      ahead = line + ahead;
    }
  };
  const takeUnseen = async (): Promise<string> => {
    input.setRawMode(true);
    try {
      return withoutErased(await take());
    } finally {
      input.setRawMode(false);
    }
  };
  return {
    next: (isSecret) => (isSecret ? takeUnseen() : take()),
    drop: async () => {
      await dropTyped(input);
      ahead = '';
    },
  };
};
