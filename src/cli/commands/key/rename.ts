import { renameKey } from '../../../keystore/change.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import type { Command } from '../../command/command.ts';
import { stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import { answerOf, NAME, NEW_KEY } from './shared.ts';

/** `key rename`. */
export const rename: Command = {
  words: ['key', 'rename'],
  summary: 'Give a key another name',
  about: ['The file stays as it is, byte for byte. A name that is taken is refused.'],
  arguments: [NAME, { ...NEW_KEY, name: 'NEW_NAME', description: 'Its new name', question: 'New name of the key' }],
  examples: ['key rename treasury treasury-2026'],
  run: async (cli, given) => {
    const { NAME: name, NEW_NAME: to } = required({
      NAME: stringArg(given, 'name'),
      NEW_NAME: stringArg(given, 'new_name'),
    });
    await cli.printCommitted(answerOf(await renameKey(cli.io, openKeystore(cli.io), name, to)));
  },
};
