import { resolve } from 'node:path';
import { Failure } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { isOpenToOthers, type Secret, secret } from '../core/secret.ts';
import type { Io } from '../io/io.ts';

const LARGEST = 64 * 1024;

/**
 * The password in bytes that came from somewhere. One line end is the editor's, not the password's. Throws
 * `unreadable_file` as `passwordFromFile` does.
 */
export const passwordIn = (bytes: Uint8Array, from: string): Secret => {
  const refuse = (problem: string) => new Failure('unreadable_file', `${from} ${problem}`);
  if (bytes.length > LARGEST) throw refuse('is larger than 64 KB, so it is not a password');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    if (text !== '') return secret(text);
  } catch {
    throw refuse('is not text in UTF-8');
  }
  throw refuse('is empty, and a password is not');
};

/**
 * The password in a file. Throws `unreadable_file` when there is none, when others than its owner can read it,
 * when it is empty, larger than 64 KB or no text. A symbolic link counts as what it points to: secrets that are mounted
 * into containers are links.
 */
export const passwordFromFile = async (io: Io, file: string): Promise<Secret> => {
  const path = resolve(io.cwd, file);
  const facts = await io.files.targetFacts(path);
  const refuse = (problem: string, details = {}) =>
    new Failure('unreadable_file', `the password file ${path} ${problem}`, details);
  if (!facts) throw refuse('does not exist');
  if (!facts.isFile) throw refuse('is not a plain file', { hint: 'To pipe a password in, use --password-stdin.' });
  if (isOpenToOthers(facts)) {
    throw refuse('can be read by others', { next: nextStep('file.private', '600', path) });
  }
  if (facts.size > LARGEST) throw refuse('is larger than 64 KB, so it is not a password');
  const bytes = await io.files.readUserFile(path, LARGEST);
  if (!bytes) throw refuse('does not exist');
  return passwordIn(bytes, `the password file ${path}`);
};

/** The password in a pipe, by the option of that name. Throws `invalid_input` at a terminal, where nobody would see it. */
export const passwordFromStdin = async (io: Io, option = '--password-stdin'): Promise<Secret> => {
  if (io.stdin.isTerminal) {
    throw new Failure('invalid_input', `${option} reads a pipe, and standard input is a terminal`, {
      hint: `Leave ${option} out to be asked.`,
    });
  }
  return passwordIn(await io.stdin.readAll(LARGEST), 'standard input');
};
