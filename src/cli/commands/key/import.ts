import { addKey } from '../../../keystore/change.ts';
import { type Keystore, openKeystore, type StoredKey } from '../../../keystore/keystore.ts';
import { confirmAddress } from '../../../keystore/unlock.ts';
import type { Command } from '../../command/command.ts';
import type { Option, ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { PASSWORD_OPTIONS } from '../../operations/signing-key.ts';
import { readImport } from './import-source.ts';
import { answerOf, CHAIN_OPTION, NEW_KEY, nameAndChain } from './shared.ts';

const OPTIONS: readonly Option[] = [
  {
    flag: '--file',
    value: 'FILE',
    description: 'EVM: a v3 file from geth, cast or ethers. Solana: a file from solana-keygen or bursar',
  },
  {
    flag: '--source-password-file',
    heading: 'Where values come from',
    value: 'FILE',
    usual: 'the same password',
    description: 'File with the password of --file',
  },
  {
    flag: '--private-key-stdin',
    heading: 'Where values come from',
    description: 'Read a private key from standard input: hex, or base58 for Solana',
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
    description: 'File with the passphrase of the mnemonic, if it has one',
  },
  {
    flag: '--path',
    value: 'PATH',
    usual: "m/44'/60'/0'/0/0, or m/44'/501'/0'/0'; \"none\" as solana-keygen",
    description: 'Derivation path of the mnemonic',
  },
];

/** A user who removes this key later should know that a copy has another name. */
const noteOtherNames = async (cli: CommandContext, keystore: Keystore, { name, chain, address }: StoredKey) => {
  const keys = await keystore.list();
  const copies = keys.filter(
    (key) => key.status === 'usable' && key.name !== name && key.chain === chain && key.address === address,
  );
  if (address === undefined || copies.length === 0) return;
  await cli.say(`note: the same key is already stored as ${copies.map((key) => key.name).join(', ')}`);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { io } = cli;
  const { name, chain } = nameAndChain(given);
  const keystore = openKeystore(io);
  await keystore.assertFree(name);
  const { key, password, file } = await readImport(cli, given, chain);
  try {
    await confirmAddress(io, name, key, { file, isConfirmed: cli.globals.yes });
    const stored = await addKey(io, keystore, { name, chain, privateKey: key.privateKey, password });
    await noteOtherNames(cli, keystore, stored);
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
    'Secrets come from files, standard input or a hidden prompt, never from options.',
    'At a terminal you pick one of the usual accounts of a mnemonic by its address.',
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
