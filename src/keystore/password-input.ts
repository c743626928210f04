import { resolve } from 'node:path';
import { Failure } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { isOpenToOthers, type Secret, secret } from '../core/secret.ts';
import type { Io } from '../io/io.ts';

const MAX_BYTES = 64 * 1024;

/** Decodes a password from bytes and drops one line end, which editors add. Throws `unreadable_file`. */
export const passwordIn = (bytes: Uint8Array, from: string): Secret => {
  const refuse = (problem: string) => new Failure('unreadable_file', `${from} ${problem}`);
  if (bytes.length > MAX_BYTES) throw refuse('is larger than 64 KB and not a password');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    if (text !== '') return secret(text);
  } catch {
    throw refuse('is not text in UTF-8');
  }
  throw refuse('is empty');
};

/**
 * Reads the password from a file. Throws `unreadable_file` if the file is missing, readable by other users, empty, larger
 * than 64 KB or not text. Symbolic links are followed, because mounted container secrets are links.
 */
export const passwordFromFile = async (io: Io, file: string): Promise<Secret> => {
  const path = resolve(io.cwd, file);
  const facts = await io.files.targetFacts(path);
  const refuse = (problem: string, details = {}) =>
    new Failure('unreadable_file', `the password file ${path} ${problem}`, details);
  if (!facts) throw refuse('does not exist');
  if (!facts.isFile) throw refuse('is not a plain file', { hint: 'To pipe a password in, use --password-stdin.' });
  if (isOpenToOthers(facts)) {
    throw refuse('can be read by other users', { next: nextStep('file.private', '600', path) });
  }
  if (facts.size > MAX_BYTES) throw refuse('is larger than 64 KB, so it is not a password');
  const bytes = await io.files.readUserFile(path, MAX_BYTES);
  if (!bytes) throw refuse('does not exist');
  return passwordIn(bytes, `the password file ${path}`);
};

/** Reads the password from a pipe. Throws `invalid_input` at a terminal, which would show the typed password. */
export const passwordFromStdin = async (io: Io, option = '--password-stdin'): Promise<Secret> => {
  if (io.stdin.isTerminal) {
    throw new Failure('invalid_input', `${option} reads a pipe, and standard input is a terminal`, {
      hint: `Omit ${option} to type the password at a hidden prompt.`,
    });
  }
  return passwordIn(await io.stdin.readAll(MAX_BYTES), 'standard input');
};
