import { Failure, isFailure } from '../core/failure.ts';
import { type Secret, secret } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import { notice, reply } from './notice.ts';
import { passwordFromFile, passwordFromStdin, passwordIn } from './password-input.ts';

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

/** Asks twice. After a mismatch the user can start over, because the first answer may be the mistyped one. */
const choose = async (io: Io, question = 'Choose a password for the key:'): Promise<Secret> => {
  for (;;) {
    const first = await ask(io, question);
    let hasDiffered = false;
    const problemIn = async (answer: string): Promise<string | undefined> => {
      if (answer === first || (answer === '' && hasDiffered)) return undefined;
      hasDiffered = true;
      return "Passwords don't match. Press Enter to start over.";
    };
    if ((await io.prompt.password('The same password again:', { problemIn })) === first) return secret(first);
  }
};

const assertOneSource = ({ passwordFile, passwordStdin, passwordKeyring }: PasswordSources): void => {
  if ([passwordFile !== undefined, passwordStdin, passwordKeyring].filter(Boolean).length < 2) return;
  throw new Failure('invalid_input', 'give one of --password-file, --password-stdin and --password-keyring');
};

/** The name of this program in the system keyring. */
const SERVICE = 'bursar';

/** The password from an option, the keyring or the environment; `undefined` if the user must be asked. */
const givenPassword = async (io: Io, sources: PasswordSources, name: string): Promise<Secret | undefined> => {
  assertOneSource(sources);
  if (sources.passwordFile !== undefined) return passwordFromFile(io, sources.passwordFile);
  if (sources.passwordStdin) return passwordFromStdin(io);
  if (sources.passwordKeyring) return passwordIn(await io.keyring.lookup(SERVICE, name), 'the keyring');
  const file = io.env['BURSAR_KEY_PASSWORD_FILE'];
  if (file) return passwordFromFile(io, file);
  const given = io.env['BURSAR_KEY_PASSWORD'];
  if (given) {
    await notice(io, 'Warning: other processes of this user can read BURSAR_KEY_PASSWORD; a file is safer.');
    return secret(given);
  }
  if (io.prompt.isPossible) return undefined;
  throw new Failure('confirmation_needed', 'the password of the key is missing, and there is no terminal to ask at', {
    hint: 'Give it by --password-file FILE, by --password-stdin, or in a file named by BURSAR_KEY_PASSWORD_FILE.',
  });
};

/**
 * A new password for the key `name`, never empty. It comes from the first of: `--password-file`, `--password-stdin`,
 * `--password-keyring`, BURSAR_KEY_PASSWORD_FILE, BURSAR_KEY_PASSWORD (with a warning), or two prompts. Throws
 * `confirmation_needed` if there is no source and no terminal.
 */
export const choosePassword = async (io: Io, sources: PasswordSources, name: string): Promise<Secret> =>
  (await givenPassword(io, sources, name)) ?? choose(io);

const triesInWords = (left: number): string => (left === 1 ? 'One more try.' : `${left} more tries.`);

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
  const given = await givenPassword(io, sources, name);
  if (given) return open(given);
  for (let left = ATTEMPTS - 1; ; left -= 1) {
    const password = secret(await ask(io, 'Password of the key:'));
    try {
      return await open(password);
    } catch (error) {
      if (left === 0 || !isFailure(error, 'wrong_password')) throw error;
      await reply(io, `The password is wrong. ${triesInWords(left)}`);
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
  if (sources.newPasswordFile !== undefined) return passwordFromFile(io, sources.newPasswordFile);
  if (sources.newPasswordStdin) return passwordFromStdin(io, '--new-password-stdin');
  if (io.prompt.isPossible) return choose(io, 'Choose a new password for the key:');
  throw new Failure(
    'confirmation_needed',
    'the new password of the key is missing, and there is no terminal to ask at',
    {
      hint: 'Give it by --new-password-file FILE or by --new-password-stdin.',
    },
  );
};
