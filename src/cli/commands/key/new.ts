import { addKey } from '../../../keystore/add.ts';
import { newPrivateKey } from '../../../keystore/evm-key.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { passwordFor } from '../../../keystore/password.ts';
import type { Leaf } from '../../command.ts';
import { textOf } from '../../options.ts';
import { required } from '../../required.ts';
import { PASSWORD_OPTIONS, passwordSources } from '../../signing-key.ts';
import { assertEvm, CHAIN_OPTION, NAME } from './shared.ts';

export const newKey: Leaf = {
  words: ['key', 'new'],
  summary: 'Make a new key',
  about: ['The key is stored encrypted, as Web3 Secret Storage version 3, and never overwrites another.'],
  arguments: [NAME],
  options: [CHAIN_OPTION, ...PASSWORD_OPTIONS],
  examples: ['key new treasury --chain evm', 'key new ci --chain evm --password-file ./password --json'],
  run: async (cli, given) => {
    const { NAME: name, '--chain': chain } = required({
      NAME: textOf(given, 'name'),
      '--chain': textOf(given, 'chain'),
    });
    assertEvm(chain);
    const keystore = openKeystore(cli.io);
    await keystore.assertFree(name);
    const password = await passwordFor(cli.io, passwordSources(given), 'choose');
    const privateKey = newPrivateKey(cli.io.random);
    try {
      const stored = await addKey(cli.io, keystore, { name, privateKey, password });
      await cli.answer({ name: stored.name, chain: stored.chain, address: stored.address, path: stored.path });
    } finally {
      privateKey.fill(0);
    }
  },
};
