import { Failure } from '../../../core/failure.ts';
import type { Secret } from '../../../core/secret.ts';
import { changePassword } from '../../../keystore/change.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { newPasswordFor } from '../../../keystore/password.ts';
import { unlockStored } from '../../../keystore/unlock.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { PASSWORD_OPTIONS, passwordSources } from '../../operations/signing-key.ts';
import { answerOf, NAME } from './shared.ts';

/** Reads the new password at once, but asks for it only after the old one was right. */
const newPasswordReader = async (cli: CommandContext, given: ParsedArgs): Promise<() => Promise<Secret>> => {
  const sources = {
    newPasswordFile: stringArg(given, 'new-password-file'),
    newPasswordStdin: boolArg(given, 'new-password-stdin'),
  };
  if (sources.newPasswordStdin && boolArg(given, 'password-stdin')) {
    throw new Failure('invalid_input', 'standard input can give one password: give the other one by a file');
  }
  const isAsked = sources.newPasswordFile === undefined && !sources.newPasswordStdin && cli.io.prompt.isPossible;
  if (isAsked) return () => newPasswordFor(cli.io, sources);
  const password = await newPasswordFor(cli.io, sources);
  return async () => password;
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { NAME: name } = required({ NAME: stringArg(given, 'name') });
  const keystore = openKeystore(cli.io);
  const stored = await keystore.find(name);
  const readPassword = await newPasswordReader(cli, given);
  const sources = { ...passwordSources(given), yes: cli.globals.yes, isRewritten: true };
  const key = await unlockStored(cli.io, stored, sources);
  try {
    await changePassword(cli.io, keystore, { stored, key, password: await readPassword() });
  } finally {
    key.wipe();
  }
  await cli.printCommitted(answerOf(await keystore.read(stored.name)));
};

/** `key passwd`. */
export const passwd: Command = {
  words: ['key', 'passwd'],
  summary: 'Change the password of a key',
  about: [
    'Encrypts the key again with the current scrypt cost and writes its address into the file.',
    'The new file is tested before it replaces the old one. Earlier copies keep the old password.',
  ],
  arguments: [NAME],
  options: [
    ...PASSWORD_OPTIONS,
    {
      flag: '--new-password-file',
      heading: 'Where values come from',
      value: 'FILE',
      description: 'File with the new password',
    },
    {
      flag: '--new-password-stdin',
      heading: 'Where values come from',
      description: 'Read the new password from standard input',
    },
  ],
  examples: ['key passwd treasury', 'key passwd treasury --password-file ./old --new-password-file ./new'],
  run,
};
