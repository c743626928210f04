import { resolve } from 'node:path';
import { Failure } from '../core/failure.ts';
import { isOpenToOthers } from '../core/file-mode.ts';
import { type Secret, secret } from '../core/secret.ts';
import { shellQuote } from '../core/shell.ts';
import type { Io } from '../io/io.ts';
import { notice } from './notice.ts';

/** Where the command line says that a password comes from. */
export type PasswordSources = {
  readonly passwordFile?: string | undefined;
  readonly passwordStdin?: boolean | undefined;
};

const LARGEST = 64 * 1024;
const ATTEMPTS = 3;

/** One line end is the editor's, not the password's. */
const passwordIn = (bytes: Uint8Array, from: string): Secret => {
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
    throw refuse('can be read by others', { next: `chmod 600 ${shellQuote(path)}` });
  }
  const bytes = await io.files.read(path);
  if (!bytes) throw refuse('does not exist');
  return passwordIn(bytes, `the password file ${path}`);
};

const passwordFromStdin = async (io: Io, option = '--password-stdin'): Promise<Secret> => {
  if (io.stdin.isTerminal) {
    throw new Failure('invalid_input', `${option} reads a pipe, and standard input is a terminal`, {
      hint: `Leave ${option} out to be asked.`,
    });
  }
  return passwordIn(await io.stdin.readAll(LARGEST), 'standard input');
};

const ask = async (io: Io, question: string): Promise<string> => {
  const answer = await io.prompt.password(question);
  if (answer === '') throw new Failure('invalid_input', 'the password is empty');
  return answer;
};

const choose = async (io: Io, question = 'Choose a password for the key:'): Promise<Secret> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = await ask(io, question);
    if ((await ask(io, 'The same password again:')) === first) return secret(first);
    await notice(io, 'The two passwords differ.');
  }
  throw new Failure('invalid_input', 'the two passwords differ');
};

/**
 * The password of a key, from the first of: `--password-file`, `--password-stdin`, BURSAR_KEY_PASSWORD_FILE,
 * BURSAR_KEY_PASSWORD (with a warning), a prompt, twice where a password is chosen. Throws at once, with
 * `confirmation_needed`, when there is none of them and nobody can be asked; never returns an empty one.
 */
export const passwordFor = async (io: Io, sources: PasswordSources, purpose: 'open' | 'choose'): Promise<Secret> => {
  if (sources.passwordFile !== undefined && sources.passwordStdin) {
    throw new Failure('invalid_input', 'give --password-file or --password-stdin, not both');
  }
  if (sources.passwordFile !== undefined) return passwordFromFile(io, sources.passwordFile);
  if (sources.passwordStdin) return passwordFromStdin(io);
  const file = io.env['BURSAR_KEY_PASSWORD_FILE'];
  if (file) return passwordFromFile(io, file);
  const given = io.env['BURSAR_KEY_PASSWORD'];
  if (given) {
    await notice(io, 'Warning: other processes of this user can read BURSAR_KEY_PASSWORD; a file is safer.');
    return secret(given);
  }
  if (!io.prompt.isPossible) {
    throw new Failure('confirmation_needed', 'the password of the key is missing, and nobody can be asked for it', {
      hint: 'Give it by --password-file FILE, by --password-stdin, or in a file named by BURSAR_KEY_PASSWORD_FILE.',
    });
  }
  return purpose === 'choose' ? choose(io) : secret(await ask(io, 'Password of the key:'));
};

/** Where the new password of a key comes from, when it is changed. */
export type NewPasswordSources = {
  readonly newPasswordFile?: string | undefined;
  readonly newPasswordStdin?: boolean | undefined;
};

/**
 * The new password of a key whose old one is known: from `--new-password-file`, `--new-password-stdin`, or a prompt,
 * twice. The environment holds the old one. Throws `confirmation_needed` when there is none and nobody can be asked.
 */
export const newPasswordFor = async (io: Io, sources: NewPasswordSources): Promise<Secret> => {
  if (sources.newPasswordFile !== undefined && sources.newPasswordStdin) {
    throw new Failure('invalid_input', 'give --new-password-file or --new-password-stdin, not both');
  }
  if (sources.newPasswordFile !== undefined) return passwordFromFile(io, sources.newPasswordFile);
  if (sources.newPasswordStdin) return passwordFromStdin(io, '--new-password-stdin');
  if (io.prompt.isPossible) return choose(io, 'Choose a new password for the key:');
  throw new Failure('confirmation_needed', 'the new password of the key is missing, and nobody can be asked for it', {
    hint: 'Give it by --new-password-file FILE or by --new-password-stdin.',
  });
};
