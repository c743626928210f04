import { Failure } from '../core/failure.ts';
import { type Secret, secret } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import { notice, reply } from './notice.ts';
import { passwordFromFile, passwordFromStdin, passwordIn } from './password-input.ts';

/** Where the command line says that a password comes from. */
export type PasswordSources = {
  readonly passwordFile?: string | undefined;
  readonly passwordStdin?: boolean | undefined;
  /** The keyring of the system, by the name of the key. */
  readonly passwordKeyring?: boolean | undefined;
};

const ATTEMPTS = 3;

const ask = async (io: Io, question: string): Promise<string> => {
  const answer = await io.prompt.password(question);
  if (answer === '') throw new Failure('invalid_input', 'the password is empty');
  return answer;
};

const choose = async (io: Io, question = 'Choose a password for the key:'): Promise<Secret> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = await ask(io, question);
    if ((await ask(io, 'The same password again:')) === first) return secret(first);
    await reply(io, 'The two passwords differ.');
  }
  throw new Failure('invalid_input', 'the two passwords differ');
};

const assertOneSource = ({ passwordFile, passwordStdin, passwordKeyring }: PasswordSources): void => {
  if ([passwordFile !== undefined, passwordStdin, passwordKeyring].filter(Boolean).length < 2) return;
  throw new Failure('invalid_input', 'give one of --password-file, --password-stdin and --password-keyring');
};

/** Names the program in a keyring that others use too. */
const SERVICE = 'bursar';

/** What a password is for: to open a key, or to protect a new one; `name` is the key's. */
export type PasswordPurpose = { readonly to: 'open' | 'choose'; readonly name: string };

/**
 * The password of a key, from the first of: `--password-file`, `--password-stdin`, `--password-keyring`,
 * BURSAR_KEY_PASSWORD_FILE, BURSAR_KEY_PASSWORD (with a warning), a prompt, twice where a password is chosen. Throws
 * at once, with `confirmation_needed`, when there is none of them and nobody can be asked; never returns an empty one.
 */
export const passwordFor = async (io: Io, sources: PasswordSources, purpose: PasswordPurpose): Promise<Secret> => {
  assertOneSource(sources);
  if (sources.passwordFile !== undefined) return passwordFromFile(io, sources.passwordFile);
  if (sources.passwordStdin) return passwordFromStdin(io);
  if (sources.passwordKeyring) return passwordIn(await io.keyring.lookup(SERVICE, purpose.name), 'the keyring');
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
  return purpose.to === 'choose' ? choose(io) : secret(await ask(io, 'Password of the key:'));
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
