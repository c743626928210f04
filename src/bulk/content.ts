import { createHash } from 'node:crypto';
import { Failure, interrupted } from '../core/failure.ts';
import type { FileFacts } from '../io/files/disk.ts';
import type { Io } from '../io/io.ts';

/** A regular file, open for several reads of the same content. */
export type Content = {
  /** The facts of the file when it was opened. */
  readonly facts: FileFacts;
  /**
   * The content from its start. The bytes of a chunk are overwritten by the next one. Throws `unreadable_file` if the file
   * has changed since it was opened.
   */
  readonly chunks: () => AsyncGenerator<Uint8Array>;
  readonly close: () => Promise<void>;
};

/** The parts of `Io` that read a file. */
export type ReadIo = Pick<Io, 'files' | 'interrupted'>;

const CHUNK = 64 * 1024;

const assertRegular = (path: string, { isFile, isFolder }: FileFacts): void => {
  if (isFile) return;
  throw new Failure('invalid_input', `${path} is ${isFolder ? 'a folder' : 'not a regular file'}`, {
    hint: isFolder
      ? 'Name a file with the rows in it.'
      : 'The file is read twice, so a pipe or a device cannot be used. Write its content to a file first.',
  });
};

const missing = (path: string): Failure => new Failure('unreadable_file', `${path}: no such file`);

/** The failure of a file that another program changed. */
export const changedFile = (path: string): Failure =>
  new Failure('unreadable_file', `${path} has changed since it was opened`, {
    hint: 'Wait until no program writes to the file, then run the command again.',
  });

/** Opens a regular file. Throws `invalid_input` for a folder, pipe, socket or device, and `unreadable_file`. */
export const openContent = async (io: ReadIo, path: string): Promise<Content> => {
  const found = await io.files.targetFacts(path);
  if (found === undefined) throw missing(path);
  assertRegular(path, found);
  const file = await io.files.openToRead(path);
  if (file === undefined) throw missing(path);
  const facts = await file.facts();
  const { size, modifiedAt } = facts;

  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    const buffer = Buffer.alloc(CHUNK);
    for (let at = 0; at < size; ) {
      if (io.interrupted.aborted) throw interrupted();
      const length = await file.read(buffer, at);
      const now = await file.facts();
      if (length === 0 || now.size !== size || now.modifiedAt !== modifiedAt) throw changedFile(path);
      at += length;
      yield buffer.subarray(0, length);
    }
  };

  try {
    assertRegular(path, facts);
  } catch (error) {
    await file.close();
    throw error;
  }
  return { facts, chunks, close: file.close };
};

/** The SHA-256 of a content, in hex. */
export const sha256Of = async (content: Content): Promise<string> => {
  const sum = createHash('sha256');
  for await (const chunk of content.chunks()) sum.update(chunk);
  return sum.digest('hex');
};
