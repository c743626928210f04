import { close, constants, createReadStream, fstat, open, type Stats } from 'node:fs';
import { isatty, ReadStream as TerminalStream } from 'node:tty';
import { promisify } from 'node:util';
import { Failure } from '../core/failure.ts';

const tooLarge = (path: string, mostBytes: number): Failure =>
  new Failure('unreadable_file', `${path}: larger than ${mostBytes} bytes`);

/**
 * A pipe or a terminal is read without a thread that waits: such a thread would hold up the end of the process for as
 * long as nobody writes. The descriptor is the stream's own from here on.
 */
const partsOf = async (fd: number, stats: Stats): Promise<AsyncIterable<Uint8Array>> => {
  if (stats.isFIFO()) {
    const { Socket } = await import('node:net');
    return new Socket({ fd, readable: true, writable: false });
  }
  return isatty(fd) ? new TerminalStream(fd) : createReadStream('', { fd });
};

/** Opening never waits: a named pipe without a writer would. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads what a user named: a file, a pipe, a process substitution, a device. Ends at `mostBytes`, and waits for a
 * writer without being in the way of an interrupt. Throws `unreadable_file` for what is larger.
 */
export const readGiven = async (path: string, mostBytes: number): Promise<Uint8Array> => {
  const fd = await promisify(open)(path, WITHOUT_WAITING);
  const stats = await promisify(fstat)(fd);
  if (stats.isFile() && stats.size > mostBytes) {
    await promisify(close)(fd);
    throw tooLarge(path, mostBytes);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop closes the file.
  for await (const part of await partsOf(fd, stats)) {
    chunks.push(part);
    size += part.length;
    if (size > mostBytes) throw tooLarge(path, mostBytes);
  }
  return Buffer.concat(chunks);
};
