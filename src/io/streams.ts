import { Failure, hasCode } from '../core/failure.ts';
import { canRedraw, isSwitchedOn } from '../core/screen.ts';
import { toAscii, withoutMarks } from '../core/text.ts';
import type { Input, Io, Output } from './io.ts';

const MAX_INPUT = 4 * 1024 * 1024;

/** Standard input of this process. A pipe can be read only once. `open` opens it on use, which takes milliseconds. */
export const inputFrom = (open: () => NodeJS.ReadStream): Input => {
  let wasRead = false;
  return {
    get isTerminal() {
      return open().isTTY === true;
    },
    readAll: async (maxBytes = MAX_INPUT) => {
      const stream = open();
      if (wasRead && stream.isTTY !== true) {
        const advice = 'pass one of the two values in a file';
        throw new Failure('invalid_input', `standard input can be read only once; ${advice}`);
      }
      wasRead = true;
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of stream) {
        chunks.push(Buffer.from(chunk as Buffer));
        size += (chunk as Buffer).length;
        if (size > maxBytes) throw new Failure('invalid_input', `standard input is larger than ${maxBytes} bytes`);
      }
      return Buffer.concat(chunks);
    },
  };
};

/** A reader that closed its pipe (`| head -1`) is no error; the rest of the output is dropped. */
const isClosedPipe = (error: unknown): boolean =>
  hasCode(error, 'EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END');

/** Output that a full disk or a broken device rejected. */
const unwritten = (cause: Error): Failure => {
  const reason = hasCode(cause, 'ENOSPC') ? 'no space left' : cause.message;
  const hint = 'Check the disk or device that receives the output, then run the command again.';
  return new Failure('unwritable_output', `standard output cannot be written: ${reason}`, { hint, cause });
};

/** Standard output or standard error of this process. `isAscii` replaces all other characters. */
export const outputTo = (stream: NodeJS.WriteStream, isAscii = false): Output => {
  let isClosed = false;
  stream.on('error', (error) => {
    isClosed ||= isClosedPipe(error);
  });
  const writeRaw = (content: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      stream.write(content, (error) => {
        isClosed ||= error ? isClosedPipe(error) : false;
        return error && !isClosedPipe(error) ? reject(unwritten(error)) : resolve();
      });
    });
  return {
    isClosed: () => isClosed,
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns > 0 ? stream.columns : 80;
    },
    get rows() {
      return stream.rows > 0 ? stream.rows : 24;
    },
    write: (text) => writeRaw(isAscii ? toAscii(withoutMarks(text, '\\n')) : withoutMarks(text, '\\n')),
    writeBytes: writeRaw,
  };
};

/** Keys that send a signal. A raw terminal leaves them to its program. */
const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  '\u0003': 'SIGINT',
  '\u001a': 'SIGTSTP',
  '\u001c': 'SIGQUIT',
};

/** Drops what the user types and shows none of it, until the returned function is called. */
export const dropInput = (input: NodeJS.ReadStream, kill: (signal: NodeJS.Signals) => void): (() => void) => {
  if (!input.isTTY || input.isRaw || !input.readable) return () => undefined;
  let isReleased = false;
  const stop = () => {
    if (isReleased) return;
    isReleased = true;
    input.off('data', onData).pause();
    input.setRawMode(false);
  };
  const onData = (bytes: Uint8Array) => {
    for (const signal of [...bytes].flatMap((byte) => SIGNALS[String.fromCharCode(byte)] ?? [])) {
      // Another program gets the terminal as it was.
      if (signal !== 'SIGINT') stop();
      kill(signal);
    }
  };
  input.setRawMode(true);
  input.on('data', onData).resume();
  return stop;
};

/** `holdInput` drops input while a spinner turns, and returns the function that ends it. */
type SpinnerContext = { readonly isQuiet: boolean; readonly holdInput: () => () => void };

/**
 * How a stream shows running work: a spinner on a terminal, nothing in a pipe or with --quiet. A terminal that cannot
 * redraw gets a line, and so does one of zero columns, where ora hangs.
 */
export const spinFor = (
  stream: NodeJS.WriteStream,
  write: (text: string) => Promise<void>,
  env: Io['env'],
  { isQuiet, holdInput }: SpinnerContext,
): Io['spin'] => {
  if (!stream.isTTY || isQuiet || isSwitchedOn(env['BURSAR_QUIET'])) return async (_, work) => work;
  return canRedraw(env) && stream.columns > 0 ? spinOn(stream, holdInput) : lineForLongWork(write);
};

/** These characters exist on every terminal and in every locale. */
const SPINNER = { interval: 80, frames: ['|', '/', '-', '\\'] };

const RENEW_MS = 250;

/** No colour, because ora ignores NO_COLOR and --no-color. With `discardStdin` it would swallow Ctrl-C. */
const OPTIONS = { spinner: SPINNER, color: false, discardStdin: false, isEnabled: true } as const;

const spinOn =
  (
    stream: NodeJS.WriteStream,
    holdInput: SpinnerContext['holdInput'],
    spinning: { isOn: boolean } = { isOn: false },
  ): Io['spin'] =>
  async (label, work) => {
    // Two spinners would overwrite each other, so work inside other work has none.
    if (spinning.isOn) return work;
    spinning.isOn = true;
    // Work that fails while ora loads is not an unhandled rejection: it is awaited below.
    work.catch(() => undefined);
    const { default: ora } = await import('ora');
    const textNow = () => (typeof label === 'string' ? label : label());
    const release = holdInput();
    const spinner = ora({ text: textNow(), stream, ...OPTIONS }).start();
    const renewal = setInterval(() => {
      spinner.text = textNow();
    }, RENEW_MS);
    try {
      return await work;
    } finally {
      clearInterval(renewal);
      spinner.stop();
      release();
      spinning.isOn = false;
    }
  };

const LONG_MS = 1000;

/** Writes one line for work that takes longer than a moment. */
const lineForLongWork =
  (write: (text: string) => Promise<void>): Io['spin'] =>
  async (label, work) => {
    const timer = setTimeout(() => void write(`${typeof label === 'string' ? label : label()}...\n`), LONG_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  };
