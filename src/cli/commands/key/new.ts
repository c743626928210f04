import { addKey } from '../../../keystore/change.ts';
import { newKeyOf } from '../../../keystore/import.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { choosePassword } from '../../../keystore/password.ts';
import type { Command } from '../../command/command.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { PASSWORD_OPTIONS, passwordSources } from '../../operations/signing-key.ts';
import { answerOf, CHAIN_OPTION, NEW_KEY, nameAndChain } from './shared.ts';

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { name, chain } = nameAndChain(given);
  const keystore = openKeystore(cli.io);
  await keystore.assertFree(name);
  const password = await choosePassword(cli.io, passwordSources(given), name);
  const privateKey = newKeyOf(chain, cli.io.random);
  try {
    await cli.printCommitted(answerOf(await addKey(cli.io, keystore, { name, chain, privateKey, password })));
  } finally {
    privateKey.fill(0);
  }
};

/** `key new`. */
export const newKey: Command = {
  words: ['key', 'new'],
  summary: 'Create a new key',
  about: [
    'Stores the key encrypted and never overwrites another key.',
    'EVM keys are Web3 Secret Storage version 3 files. docs/solana-key-format.md describes the format of Solana keys.',
  ],
  arguments: [NEW_KEY],
  options: [CHAIN_OPTION, ...PASSWORD_OPTIONS],
  examples: ['key new treasury --chain evm', 'key new vault --chain solana --password-file ./password --json'],
  run,
};
