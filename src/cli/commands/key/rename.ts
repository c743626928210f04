import { renameKey } from '../../../keystore/change.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import type { Command } from '../../command/command.ts';
import { stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import { answerOf, NAME, NEW_KEY } from './shared.ts';

/** `key rename`. */
export const rename: Command = {
  words: ['key', 'rename'],
  summary: 'Rename a key',
  about: ['Renames the file and keeps its content. A name that is in use is refused.'],
  arguments: [
    NAME,
    { ...NEW_KEY, name: 'NEW_NAME', description: 'New name of the key', question: 'New name of the key' },
  ],
  examples: ['key rename treasury treasury-2026'],
  run: async (cli, given) => {
    const { NAME: name, NEW_NAME: to } = required({
      NAME: stringArg(given, 'name'),
      NEW_NAME: stringArg(given, 'new_name'),
    });
    await cli.printCommitted(answerOf(await renameKey(cli.io, openKeystore(cli.io), name, to)));
  },
};
