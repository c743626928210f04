import { openKeystore } from '../../../keystore/keystore.ts';
import type { Leaf } from '../../command.ts';
import { textOf } from '../../options.ts';
import { required } from '../../required.ts';
import { NAME } from './shared.ts';

/** `key show`. */
export const show: Leaf = {
  words: ['key', 'show'],
  summary: 'Show a key: its chain, address and file, never its secret',
  arguments: [NAME],
  examples: ['key show treasury', 'key show treasury --json --fields address'],
  run: async (cli, given) => {
    const { NAME: wanted } = required({ NAME: textOf(given, 'name') });
    const { name, chain, address, path } = await openKeystore(cli.io).find(wanted);
    await cli.answer({ name, chain, address: address ?? null, path });
  },
};
