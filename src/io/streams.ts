import { toAscii } from '../core/ascii.ts';
import { Failure, hasCode } from '../core/failure.ts';
import { withoutMarks } from '../core/remote-text.ts';
import type { Input, Output } from './io.ts';

const MAX_INPUT = 4 * 1024 * 1024;

/** Standard input of this process. A pipe holds one thing: what was read is not there a second time. */
export const inputFrom = (stream: NodeJS.ReadStream): Input => {
  let wasRead = false;
  return {
    isTerminal: stream.isTTY === true,
    readAll: async (mostBytes = MAX_INPUT) => {
      if (wasRead && stream.isTTY !== true) {
        throw new Failure('invalid_input', 'standard input was read already: give one of the two by a file');
      }
      wasRead = true;
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of stream) {
        chunks.push(Buffer.from(chunk as Buffer));
        size += (chunk as Buffer).length;
        if (size > mostBytes) throw new Failure('invalid_input', `standard input is larger than ${mostBytes} bytes`);
      }
      return Buffer.concat(chunks);
    },
  };
};

/** A reader that went away (`| head -1`) is no fault: what is left to say is dropped. */
const isClosedPipe = (error: unknown): boolean =>
  hasCode(error, 'EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END');

const whyUnwritten = (error: Error): string => (hasCode(error, 'ENOSPC') ? 'no space left' : error.message);

/** A full disk, a device that fails: what was to be said is not wrong, and nowhere to be read. */
const unwritten = (error: Error): Failure =>
  new Failure('unwritable_output', `standard output cannot be written: ${whyUnwritten(error)}`, {
    hint: 'Look at where it goes, and ask again.',
    cause: error,
  });

/** Standard output or error of this process, in ASCII alone where that is wished. */
export const outputTo = (stream: NodeJS.WriteStream, isAscii = false): Output => {
  let isClosed = false;
  stream.on('error', (error) => {
    isClosed ||= isClosedPipe(error);
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
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(isAscii ? toAscii(withoutMarks(text, '\\n')) : withoutMarks(text, '\\n'), (error) => {
          isClosed ||= error ? isClosedPipe(error) : false;
          return error && !isClosedPipe(error) ? reject(unwritten(error)) : resolve();
        });
      }),
  };
};
