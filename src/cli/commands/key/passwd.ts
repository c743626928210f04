import { Failure } from '../../../core/failure.ts';
import type { Secret } from '../../../core/secret.ts';
import { changePassword } from '../../../keystore/change-password.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { newPasswordFor } from '../../../keystore/password.ts';
import { unlockStored } from '../../../keystore/unlock.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { PASSWORD_OPTIONS, passwordSources } from '../../operations/signing-key.ts';
import { answerOf, NAME } from './shared.ts';

/** A person is asked for the new password once the old one was right; a script that gives none fails at once. */
const newPassword = async (cli: CommandContext, given: ParsedArgs): Promise<() => Promise<Secret>> => {
  const sources = {
    newPasswordFile: stringArg(given, 'new-password-file'),
    newPasswordStdin: boolArg(given, 'new-password-stdin'),
  };
  if (sources.newPasswordStdin && boolArg(given, 'password-stdin')) {
    throw new Failure('invalid_input', 'standard input holds one password: give the other one by a file');
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
  const choose = await newPassword(cli, given);
  const sources = { ...passwordSources(given), yes: cli.globals.yes, isRewritten: true };
  const key = await unlockStored(cli.io, stored, sources);
  try {
    await changePassword(cli.io, keystore, { stored, key, password: await choose() });
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
    'The key is encrypted anew, with the cost of today and its address in the file, and opened once more before the new file takes the place of the old one. Copies that were made before keep the old password.',
  ],
  arguments: [NAME],
  options: [
    ...PASSWORD_OPTIONS,
    {
      flag: '--new-password-file',
      heading: 'Where values come from',
      value: 'FILE',
      description: 'File that holds the new password',
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
