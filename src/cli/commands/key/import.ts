import { Failure } from '../../../core/failure.ts';
import { addKey } from '../../../keystore/add.ts';
import { confirmAddress } from '../../../keystore/confirm-address.ts';
import { type ImportSource, openImport } from '../../../keystore/import.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { passwordFor, passwordFromFile } from '../../../keystore/password.ts';
import { readGiven } from '../../body.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { type Given, isOn, type Option, textOf } from '../../options.ts';
import { PASSWORD_OPTIONS, passwordSources, requireAll } from '../pay/shared.ts';
import { assertEvm, CHAIN_OPTION, NAME } from './shared.ts';

const OPTIONS: readonly Option[] = [
  { flag: '--file', value: 'FILE', says: 'A Web3 Secret Storage v3 file, of geth, cast or ethers' },
  { flag: '--source-password-file', value: 'FILE', says: 'Password of that file (default: the same password)' },
  { flag: '--private-key-stdin', says: 'Read a private key in hex from standard input' },
  { flag: '--mnemonic-stdin', says: 'Read a mnemonic of 12 to 24 words from standard input' },
  { flag: '--path', value: 'PATH', says: "Derivation path of the mnemonic (default m/44'/60'/0'/0/0)" },
];

type Kind = ImportSource['kind'];

const kindFrom = (given: Given): Kind => {
  const kinds: readonly (Kind | false)[] = [
    textOf(given, 'file') !== undefined && 'v3',
    isOn(given, 'private-key-stdin') && 'private-key',
    isOn(given, 'mnemonic-stdin') && 'mnemonic',
  ];
  const [kind, other] = kinds.filter((one) => one !== false);
  if (kind === undefined || other !== undefined) {
    throw new Failure('invalid_input', 'give one of --file, --private-key-stdin and --mnemonic-stdin');
  }
  if (kind !== 'v3' && isOn(given, 'password-stdin')) {
    throw new Failure('invalid_input', 'standard input holds the key already: give the password by --password-file');
  }
  return kind;
};

/** A secret is piped in; on a terminal it is asked for, unseen. */
const secretText = async (cli: Cli, question: string): Promise<string> => {
  if (cli.io.stdin.isTerminal && cli.io.prompt.isPossible) return cli.io.prompt.password(question);
  return readGiven(cli.io, '-');
};

const run = async (cli: Cli, given: Given): Promise<void> => {
  const { io } = cli;
  const name = textOf(given, 'name');
  requireAll({ NAME: name, '--chain': textOf(given, 'chain') });
  assertEvm(textOf(given, 'chain'));
  const kind = kindFrom(given);
  const keystore = openKeystore(io);
  await keystore.assertFree(name ?? '');
  const text = kind === 'v3' ? '' : await secretText(cli, kind === 'mnemonic' ? 'Mnemonic:' : 'Private key:');
  const file = textOf(given, 'file') ?? '';
  const fileText = kind === 'v3' ? await readGiven(io, file) : '';
  const sourcePassword = textOf(given, 'source-password-file');
  const ownPassword = await passwordFor(
    io,
    passwordSources(given),
    kind === 'v3' && !sourcePassword ? 'open' : 'choose',
  );
  const password = sourcePassword ? await passwordFromFile(io, sourcePassword) : ownPassword;
  const sources: Record<Kind, ImportSource> = {
    v3: { kind: 'v3', text: fileText, password, from: file },
    'private-key': { kind: 'private-key', text },
    mnemonic: { kind: 'mnemonic', text, path: textOf(given, 'path') },
  };
  const key = await io.spin('Reading the key', openImport(sources[kind]));
  try {
    await confirmAddress(io, name ?? '', key, cli.globals.yes);
    const stored = await addKey(io, keystore, { name: name ?? '', privateKey: key.privateKey, password: ownPassword });
    await cli.answer({ name: stored.name, chain: stored.chain, address: stored.address, path: stored.path });
  } finally {
    key.privateKey.fill(0);
  }
};

export const importKey: Leaf = {
  words: ['key', 'import'],
  summary: 'Import a key from a file, a private key or a mnemonic',
  about: ['Secrets are read from files and standard input, never from options.'],
  arguments: [NAME],
  options: [CHAIN_OPTION, ...OPTIONS, ...PASSWORD_OPTIONS],
  examples: [
    'key import old --chain evm --file UTC--2026-01-01--abc.json',
    'key import ops --chain evm --private-key-stdin --password-file ./password < key.hex',
  ],
  run,
};
