import { Failure } from '../../../core/failure.ts';
import type { Secret } from '../../../core/secret.ts';
import { addKey } from '../../../keystore/add.ts';
import { confirmAddress } from '../../../keystore/confirm-address.ts';
import { type ImportSource, openImport } from '../../../keystore/import.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { passwordFor, passwordFromFile } from '../../../keystore/password.ts';
import { readGiven } from '../../body.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { type Given, isOn, type Option, textOf } from '../../options.ts';
import { required } from '../../required.ts';
import { PASSWORD_OPTIONS, passwordSources } from '../../signing-key.ts';
import { assertEvm, CHAIN_OPTION, NAME } from './shared.ts';

const OPTIONS: readonly Option[] = [
  { flag: '--file', value: 'FILE', says: 'A Web3 Secret Storage v3 file, of geth, cast or ethers' },
  { flag: '--source-password-file', value: 'FILE', says: 'Password of that file (default: the same password)' },
  { flag: '--private-key-stdin', says: 'Read a private key in hex from standard input' },
  { flag: '--mnemonic-stdin', says: 'Read a mnemonic of 12 to 24 words from standard input' },
  { flag: '--path', value: 'PATH', says: "Derivation path of the mnemonic (default m/44'/60'/0'/0/0)" },
];

/** What is imported, and the password that will protect it here. */
type Import = { readonly source: ImportSource; readonly password: Secret };

/** A secret is piped in; on a terminal it is asked for, unseen. Standard input cannot hold a password as well. */
const secretText = async (cli: Cli, given: Given, question: string): Promise<string> => {
  if (isOn(given, 'password-stdin')) {
    throw new Failure('invalid_input', 'standard input holds the key already: give the password by --password-file');
  }
  if (cli.io.stdin.isTerminal && cli.io.prompt.isPossible) return cli.io.prompt.password(question);
  return readGiven(cli.io, '-');
};

const choosePassword = (cli: Cli, given: Given) => passwordFor(cli.io, passwordSources(given), 'choose');

/** With a password of its own the file's is read first, and the key gets the one that is given or chosen. */
const fromFile = async (cli: Cli, given: Given, file: string): Promise<Import> => {
  const text = await readGiven(cli.io, file);
  const other = textOf(given, 'source-password-file');
  if (other === undefined) {
    const password = await passwordFor(cli.io, passwordSources(given), 'open');
    return { source: { kind: 'v3', text, password, from: file }, password };
  }
  const source = { kind: 'v3', text, password: await passwordFromFile(cli.io, other), from: file } as const;
  return { source, password: await choosePassword(cli, given) };
};

const fromPrivateKey = async (cli: Cli, given: Given): Promise<Import> => {
  const text = await secretText(cli, given, 'Private key:');
  return { source: { kind: 'private-key', text }, password: await choosePassword(cli, given) };
};

const fromMnemonic = async (cli: Cli, given: Given): Promise<Import> => {
  const text = await secretText(cli, given, 'Mnemonic:');
  const source = { kind: 'mnemonic', text, path: textOf(given, 'path') } as const;
  return { source, password: await choosePassword(cli, given) };
};

const importFrom = (cli: Cli, given: Given): Promise<Import> => {
  const file = textOf(given, 'file');
  const wanted = [
    ...(file === undefined ? [] : [() => fromFile(cli, given, file)]),
    ...(isOn(given, 'private-key-stdin') ? [() => fromPrivateKey(cli, given)] : []),
    ...(isOn(given, 'mnemonic-stdin') ? [() => fromMnemonic(cli, given)] : []),
  ];
  const [one, other] = wanted;
  if (one && !other) return one();
  throw new Failure('invalid_input', 'give one of --file, --private-key-stdin and --mnemonic-stdin');
};

const run = async (cli: Cli, given: Given): Promise<void> => {
  const { io } = cli;
  const { NAME: name, '--chain': chain } = required({ NAME: textOf(given, 'name'), '--chain': textOf(given, 'chain') });
  assertEvm(chain);
  const keystore = openKeystore(io);
  await keystore.assertFree(name);
  const { source, password } = await importFrom(cli, given);
  const key = await io.spin('Reading the key', openImport(source));
  try {
    await confirmAddress(io, name, key, cli.globals.yes);
    const stored = await addKey(io, keystore, { name, privateKey: key.privateKey, password });
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
