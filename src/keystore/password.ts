import { resolve } from 'node:path';
import { Failure, isFailure } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { isOpenToOthers, type Secret, secret } from '../core/secret.ts';
import type { Io, Places } from '../io/io.ts';
import { whyNotAsked } from '../io/prompt/prompt.ts';
import { notice, reply } from './notice.ts';

const MAX_BYTES = 64 * 1024;

/** Decodes a password from bytes and drops one line end, which editors add. Throws `unreadable_file`. */
const passwordIn = (bytes: Uint8Array, from: string): Secret => {
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
  const named = `the password file ${path}`;
  const refuse = (problem: string, details = {}) => new Failure('unreadable_file', `${named} ${problem}`, details);
  if (!facts) throw refuse('does not exist');
  if (!facts.isFile) throw refuse('is not a plain file', { hint: 'To pipe a password in, use --password-stdin.' });
  if (isOpenToOthers(facts)) {
    throw refuse('can be read by other users', { next: nextStep('file.private', '600', path) });
  }
  if (facts.size > MAX_BYTES) throw refuse('is larger than 64 KB, so it is not a password');
  const bytes = await io.files.readUserFile(path, MAX_BYTES);
  if (!bytes) throw refuse('does not exist');
  return passwordIn(bytes, named);
};

/** Reads the password from a pipe. Throws `invalid_input` at a terminal, which would show the typed password. */
const passwordFromStdin = async (io: Io, option = '--password-stdin'): Promise<Secret> => {
  if (io.stdin.isTerminal) {
    throw new Failure('invalid_input', `${option} reads a pipe, and standard input is a terminal`, {
      hint: `Omit ${option} to type the password at a hidden prompt.`,
    });
  }
  return passwordIn(await io.stdin.readAll(MAX_BYTES), 'standard input');
};

/** The sources of a password on the command line. */
export type PasswordSources = {
  readonly passwordFile?: string | undefined;
  readonly passwordStdin?: boolean | undefined;
  /** The entry of the key in the system keyring. */
  readonly passwordKeyring?: boolean | undefined;
};

const ATTEMPTS = 3;

const ask = (io: Io, question: string): Promise<string> =>
  io.prompt.password(question, {
    problemIn: async (answer) => (answer === '' ? 'Required. Ctrl-C to quit.' : undefined),
  });

/** A shorter password is warned about: who copies the key file can try millions of them. */
const SHORT = 12;

const warnIfShort = async (io: Io, password: string, print: typeof notice): Promise<void> => {
  if (password.length < SHORT) await print(io, `warning: a password of less than ${SHORT} characters can be guessed.`);
};

/** Returns a new password that was not typed, with the same warning. */
const checkedNew = async (io: Io, password: Secret): Promise<Secret> => {
  await warnIfShort(io, password.reveal(), notice);
  return password;
};

/** Asks twice. After a mismatch the user can start over, because the first answer may be the mistyped one. */
const choose = async (io: Io, question = 'Choose a password for the key:'): Promise<Secret> => {
  for (;;) {
    const first = await ask(io, question);
    await warnIfShort(io, first, reply);
    let hasDiffered = false;
    const problemIn = async (answer: string): Promise<string | undefined> => {
      if (answer === first || (answer === '' && hasDiffered)) return undefined;
      hasDiffered = true;
      return "Passwords don't match. Press Enter to start over.";
    };
    if ((await io.prompt.password('The same password again:', { problemIn })) === first) return secret(first);
  }
};

/** The name of this program in the system keyring. */
const SERVICE = 'bursar';

/** The password file of the option, or of the environment unless another option gives the password. */
const passwordFileOf = ({ env }: Io, { passwordFile, passwordStdin, passwordKeyring }: PasswordSources) =>
  passwordFile ?? (passwordStdin || passwordKeyring ? undefined : env['BURSAR_KEY_PASSWORD_FILE'] || undefined);

/** The homes whose user was warned of the variable with the password: a command may unlock many keys. */
const warned = new WeakSet<Places>();

/** The password from an option, the keyring or the environment; `undefined` if the user must be asked. */
const givenPassword = async (io: Io, sources: PasswordSources, name: string): Promise<Secret | undefined> => {
  const { passwordFile, passwordStdin, passwordKeyring } = sources;
  if ([passwordFile !== undefined, passwordStdin, passwordKeyring].filter(Boolean).length > 1) {
    throw new Failure('invalid_input', 'give one of --password-file, --password-stdin and --password-keyring');
  }
  const file = passwordFileOf(io, sources);
  if (file !== undefined) return passwordFromFile(io, file);
  if (passwordStdin) return passwordFromStdin(io);
  if (passwordKeyring) return passwordIn(await io.keyring.lookup(SERVICE, name), 'the keyring');
  const given = io.env['BURSAR_KEY_PASSWORD'];
  if (given) {
    if (!warned.has(io.places))
      await notice(io, 'warning: other processes of this user can read BURSAR_KEY_PASSWORD; a file is safer.');
    warned.add(io.places);
    return secret(given);
  }
  if (io.prompt.isPossible) return undefined;
  throw new Failure('confirmation_needed', `the password of the key is missing, and ${whyNotAsked(io)}`, {
    hint: 'Give it by --password-file FILE, by --password-stdin, or in a file named by BURSAR_KEY_PASSWORD_FILE.',
  });
};

/**
 * A new password for the key `name`, never empty. It comes from the first of: `--password-file`, `--password-stdin`,
 * `--password-keyring`, BURSAR_KEY_PASSWORD_FILE, BURSAR_KEY_PASSWORD (with a warning), or two prompts. Throws
 * `confirmation_needed` if there is no source and no terminal.
 */
export const choosePassword = async (io: Io, sources: PasswordSources, name: string): Promise<Secret> => {
  const given = await givenPassword(io, sources, name);
  return given ? checkedNew(io, given) : choose(io);
};

/** The passwords of keys that the running command created. The user is not asked for them again. */
const created = new WeakMap<Places, Map<string, Secret>>();

/** Remembers the password of a key until the command ends. */
export const rememberPassword = ({ places }: Io, name: string, password: Secret): void => {
  created.set(places, new Map(created.get(places)).set(name, password));
};

/** Throws as `passwordFromFile` for a password file that cannot be used. Nothing else is read. */
export const assertPasswordFile = async (io: Io, sources: PasswordSources): Promise<void> => {
  const file = passwordFileOf(io, sources);
  if (file !== undefined) await passwordFromFile(io, file);
};

/** Whether an option or the environment gives the password of a key. */
export const isPasswordGiven = ({ env }: Io, sources: PasswordSources): boolean => {
  const { passwordFile, passwordStdin, passwordKeyring } = sources;
  const { BURSAR_KEY_PASSWORD_FILE: file, BURSAR_KEY_PASSWORD: given } = env;
  return Boolean(passwordFile !== undefined || passwordStdin || passwordKeyring || file || given);
};

/** Whether the password of the key `name` will be asked for. */
export const isPasswordAsked = (io: Io, sources: PasswordSources, name: string): boolean =>
  !isPasswordGiven(io, sources) && !created.get(io.places)?.has(name) && io.prompt.isPossible;

/**
 * Runs `open` with the password of the key `name`, from the sources of `choosePassword`. At a prompt the user has three
 * attempts, then the last `wrong_password` is thrown. Other sources have one attempt.
 */
export const withPassword = async <T>(
  io: Io,
  sources: PasswordSources,
  name: string,
  open: (password: Secret) => Promise<T>,
): Promise<T> => {
  const given = created.get(io.places)?.get(name) ?? (await givenPassword(io, sources, name));
  if (given) return open(given);
  for (let left = ATTEMPTS - 1; ; left -= 1) {
    const password = secret(await ask(io, `Password of the key ${name}:`));
    try {
      return await open(password);
    } catch (error) {
      if (left === 0 || !isFailure(error, 'wrong_password')) throw error;
      await reply(io, `The password is wrong. ${left === 1 ? 'One more try.' : `${left} more tries.`}`);
    }
  }
};

/** The sources of the new password on the command line, for a change of the password. */
export type NewPasswordSources = {
  readonly newPasswordFile?: string | undefined;
  readonly newPasswordStdin?: boolean | undefined;
};

/**
 * The new password for a key: from `--new-password-file`, `--new-password-stdin`, or two prompts. The environment is not
 * used, because it has the old password. Throws `confirmation_needed` if there is no source and no terminal.
 */
export const newPasswordFor = async (io: Io, sources: NewPasswordSources): Promise<Secret> => {
  if (sources.newPasswordFile !== undefined && sources.newPasswordStdin) {
    throw new Failure('invalid_input', 'give --new-password-file or --new-password-stdin, not both');
  }
  if (sources.newPasswordFile !== undefined) return checkedNew(io, await passwordFromFile(io, sources.newPasswordFile));
  if (sources.newPasswordStdin) return checkedNew(io, await passwordFromStdin(io, '--new-password-stdin'));
  if (io.prompt.isPossible) return choose(io, 'Choose a new password for the key:');
  const message = `the new password of the key is missing, and ${whyNotAsked(io)}`;
  const hint = 'Give it by --new-password-file FILE or by --new-password-stdin.';
  throw new Failure('confirmation_needed', message, { hint });
};

/** The bytes of a password in the files that bursar writes: normalised (NFKC), in UTF-8. The caller wipes them. */
export const passwordBytes = (password: Secret): Buffer => Buffer.from(password.reveal().normalize('NFKC'));

/**
 * The Unicode forms to try for a password, usually one. ethers normalises it (NFKC), cast uses it as typed, and
 * operating systems enter letters in different forms.
 */
export const formsOf = (password: Secret): ReadonlySet<string> => {
  const typed = password.reveal();
  return new Set([typed.normalize('NFKC'), typed, typed.normalize('NFC'), typed.normalize('NFD')]);
};

/** Warns about a new password that NFKC changes: cast and geth use the typed bytes, so they would not unlock the file. */
export const warnOfNormalised = async (io: Io, password: Secret): Promise<void> => {
  const typed = password.reveal();
  if (typed === typed.normalize('NFKC')) return;
  const warning = 'warning: this password has characters with several Unicode forms';
  await notice(io, `${warning}. The key file uses the NFKC form.`);
  const accepted = 'This program and ethers accept the password as you typed it';
  await notice(io, `${accepted}. cast, geth and others may not; plain ASCII works everywhere.`);
};
