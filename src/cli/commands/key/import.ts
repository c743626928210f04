import { addKey } from '../../../keystore/add.ts';
import { confirmAddress } from '../../../keystore/confirm-address.ts';
import { type Keystore, openKeystore, type StoredKey } from '../../../keystore/keystore.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import type { Given, Option } from '../../options.ts';
import { PASSWORD_OPTIONS } from '../../signing-key.ts';
import { importSource } from './import-source.ts';
import { answerOf, CHAIN_OPTION, NEW_KEY, nameAndChain } from './shared.ts';

const OPTIONS: readonly Option[] = [
  { flag: '--file', value: 'FILE', says: 'A v3 file of geth, cast or ethers; of Solana, a solana-keygen file or ours' },
  { flag: '--source-password-file', value: 'FILE', says: 'Password of that file (default: the same password)' },
  { flag: '--private-key-stdin', says: "Read a private key: hex, or a Solana wallet's base58" },
  { flag: '--mnemonic-stdin', says: 'Read a mnemonic of 12 to 24 words from standard input' },
  { flag: '--passphrase-file', value: 'FILE', says: 'File that holds the passphrase of the mnemonic, if it has one' },
  {
    flag: '--path',
    value: 'PATH',
    says: "Derivation path of the mnemonic (default m/44'/60'/0'/0/0, or m/44'/501'/0'/0'; \"none\" as solana-keygen)",
  },
];

/** The same key under two names is no mistake for certain, but whoever removes one should know of the other. */
const sayTwins = async (cli: Cli, keystore: Keystore, { name, chain, address }: StoredKey): Promise<void> => {
  const keys = await keystore.list();
  const twins = keys.filter(
    (key) => key.status === 'usable' && key.name !== name && key.chain === chain && key.address === address,
  );
  if (address === undefined || twins.length === 0) return;
  await cli.say(`note: the same key is stored as ${twins.map((key) => key.name).join(', ')} already`);
};

const run = async (cli: Cli, given: Given): Promise<void> => {
  const { io } = cli;
  const { name, chain } = nameAndChain(given);
  const keystore = openKeystore(io);
  await keystore.assertFree(name);
  const { key, password, file } = await importSource(cli, given, chain);
  try {
    await confirmAddress(io, name, key, { file, isConfirmed: cli.globals.yes });
    const stored = await addKey(io, keystore, { name, chain, privateKey: key.privateKey, password });
    await sayTwins(cli, keystore, stored);
    await cli.report(answerOf(stored));
  } finally {
    key.privateKey.fill(0);
  }
};

/** `key import`. */
export const importKey: Leaf = {
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
