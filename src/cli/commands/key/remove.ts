import { isFailure } from '../../../core/failure.ts';
import { removeKey } from '../../../keystore/change.ts';
import { type Keystore, openKeystore } from '../../../keystore/keystore.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { confirmByName, NAME } from './shared.ts';

/** Damaged keys can be removed too: their file may block the name for a new key. */
const findRemovable = async (keystore: Keystore, wanted: string) => {
  try {
    const { name, address } = await keystore.find(wanted);
    return { name, address };
  } catch (error) {
    if (isFailure(error, 'damaged_key_file')) return { name: wanted, address: undefined };
    throw error;
  }
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { NAME: wanted } = required({ NAME: stringArg(given, 'name') });
  const keystore = openKeystore(cli.io);
  const { name, address } = await findRemovable(keystore, wanted);
  const danger = `The key ${name}${address ? ` (${address})` : ''} cannot be restored after this.`;
  if (!cli.globals.yes)
    await cli.say(`to make a backup first: bursar key export ${name} --format bursar --out ${name}.json`);
  await confirmByName(cli, name, danger, 'remove');
  await removeKey(cli.io, keystore, name);
  await cli.printCommitted({ name, address: address ?? null, removed: true });
};

/** `key remove`. */
export const remove: Command = {
  words: ['key', 'remove'],
  summary: 'Remove a key permanently',
  about: ['Deletes the key file. Traces of the file that stay on the disk are encrypted with the password.'],
  arguments: [NAME],
  examples: ['key remove old'],
  run,
};
