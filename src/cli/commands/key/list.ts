import { openKeystore } from '../../../keystore/keystore.ts';
import type { Command } from '../../command/command.ts';

/** `key list`. */
export const list: Command = {
  words: ['key', 'list'],
  summary: 'List the keys',
  examples: ['key list', 'key list --json --fields name,address'],
  run: async (cli) => {
    const keys = await openKeystore(cli.io).list();
    for (const key of keys) if (key.status === 'damaged') await cli.printNote(`warning: ${key.name}: ${key.problem}`);
    const usable = keys.flatMap((key) =>
      key.status === 'usable' ? [{ name: key.name, chain: key.chain, address: key.address ?? null }] : [],
    );
    await cli.printResult(usable, usable, {
      entry: () => ({ names: ['name', 'chain', 'address'], isOpen: false }),
      none: 'No keys yet. To create one: bursar key new NAME --chain evm',
    });
  },
};
