import { addKey } from '../../../keystore/add.ts';
import { confirmAddress } from '../../../keystore/confirm-address.ts';
import { type Keystore, openKeystore, type StoredKey } from '../../../keystore/keystore.ts';
import type { Command } from '../../command/command.ts';
import type { Option, ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { PASSWORD_OPTIONS } from '../../operations/signing-key.ts';
import { importSource } from './import-source.ts';
import { answerOf, CHAIN_OPTION, NEW_KEY, nameAndChain } from './shared.ts';

const OPTIONS: readonly Option[] = [
  {
    flag: '--file',
    value: 'FILE',
    description: 'A v3 file of geth, cast or ethers; of Solana, a solana-keygen file or ours',
  },
  {
    flag: '--source-password-file',
    heading: 'Where values come from',
    value: 'FILE',
    usual: 'the same password',
    description: 'Password of that file',
  },
  {
    flag: '--private-key-stdin',
    heading: 'Where values come from',
    description: "Read a private key: hex, or a Solana wallet's base58",
  },
  {
    flag: '--mnemonic-stdin',
    heading: 'Where values come from',
    description: 'Read a mnemonic of 12 to 24 words from standard input',
  },
  {
    flag: '--passphrase-file',
    heading: 'Where values come from',
    value: 'FILE',
    description: 'File that holds the passphrase of the mnemonic, if it has one',
  },
  {
    flag: '--path',
    value: 'PATH',
    usual: "m/44'/60'/0'/0/0, or m/44'/501'/0'/0'; \"none\" as solana-keygen",
    description: 'Derivation path of the mnemonic',
  },
];

/** The same key under two names is no mistake for certain, but whoever removes one should know of the other. */
const sayTwins = async (
  cli: CommandContext,
  keystore: Keystore,
  { name, chain, address }: StoredKey,
): Promise<void> => {
  const keys = await keystore.list();
  const twins = keys.filter(
    (key) => key.status === 'usable' && key.name !== name && key.chain === chain && key.address === address,
  );
  if (address === undefined || twins.length === 0) return;
  await cli.say(`note: the same key is stored as ${twins.map((key) => key.name).join(', ')} already`);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { io } = cli;
  const { name, chain } = nameAndChain(given);
  const keystore = openKeystore(io);
  await keystore.assertFree(name);
  const { key, password, file } = await importSource(cli, given, chain);
  try {
    await confirmAddress(io, name, key, { file, isConfirmed: cli.globals.yes });
    const stored = await addKey(io, keystore, { name, chain, privateKey: key.privateKey, password });
    await sayTwins(cli, keystore, stored);
    await cli.printCommitted(answerOf(stored));
  } finally {
    key.privateKey.fill(0);
  }
};

/** `key import`. */
export const importKey: Command = {
  words: ['key', 'import'],
  summary: 'Import a key from a file, a private key or a mnemonic',
  about: [
    'Secrets are read from files and standard input, never from options; a terminal asks for them.',
    'At a terminal the usual accounts of a mnemonic are listed with their addresses, to pick one.',
  ],
  arguments: [NEW_KEY],
  options: [CHAIN_OPTION, ...OPTIONS, ...PASSWORD_OPTIONS],
  examples: [
    'key import old --chain evm --file UTC--2026-01-01--abc.json',
    'key import ops --chain evm --private-key-stdin --password-file ./password < key.hex',
    "key import vault --chain solana --mnemonic-stdin --path m/44\\'/501\\'/0\\' --password-file ./password < words",
  ],
  run,
};
