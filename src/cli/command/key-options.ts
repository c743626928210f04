import type { KeyChain } from '../../contract/chains.ts';
import { variable } from '../../core/next.ts';
import { isPasswordGiven } from '../../keystore/password.ts';
import type { CommandContext } from './command.ts';
import { boolArg, type Option, type ParsedArgs, sourceOption, stringArg } from './options.ts';

/** The option that names a key. */
export const KEY = { flag: '--key', environment: 'key', value: 'NAME', completes: 'keys' } as const;

/** The option for the key that signs on a family of chains. */
export const keyOption = (family: KeyChain): Option => ({
  ...KEY,
  completes: `${family}-keys`,
  heading: 'Signing and sending',
  usual: "BURSAR_KEY, the profile's, or the only one of its chain",
  description: 'Key that signs',
  question: 'Key that signs',
  order: -60,
  follows: ['--transaction-type'],
  ask: async () => (await import('../prompt/ask-key.ts')).askKey(family),
});

/** Sources of the password of a key. Without one of them a terminal asks. */
export const PASSWORD_OPTIONS: readonly Option[] = [
  sourceOption('--password-file', 'File that holds the password of the key', {
    value: 'FILE',
    environment: 'password',
    isKept: true,
  }),
  sourceOption('--password-stdin', 'Read the password of the key from standard input'),
  sourceOption('--password-keyring', "Take the password from the system's keyring, where you stored it", {
    isKept: true,
  }),
];

/** The sources of a password in a command line. */
export const passwordSources = (given: ParsedArgs) => ({
  passwordFile: stringArg(given, 'password-file'),
  passwordStdin: boolArg(given, 'password-stdin'),
  passwordKeyring: boolArg(given, 'password-keyring'),
});

/** The same, for a password that is needed. Where it is asked for, the equivalent command has a file. */
export const impliedPasswordSources = ({ io, impliedOptions }: CommandContext, given: ParsedArgs) => {
  const sources = passwordSources(given);
  if (!isPasswordGiven(io, sources)) impliedOptions.set('--password-file', variable('PASSWORD_FILE'));
  return sources;
};
