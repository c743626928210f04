import { resolve } from 'node:path';
import { Failure } from '../../../core/failure.ts';
import { isOpenToOthers } from '../../../core/file-mode.ts';
import { type Secret, secret } from '../../../core/secret.ts';
import { assertFileOf, type ImportSource, isClearFile } from '../../../keystore/import.ts';
import { notice } from '../../../keystore/notice.ts';
import type { KeyChain } from '../../../keystore/opened-key.ts';
import { passwordFor } from '../../../keystore/password.ts';
import { passwordFromFile } from '../../../keystore/password-input.ts';
import { readGiven } from '../../body.ts';
import type { Cli } from '../../cli.ts';
import { type Given, isOn, textOf } from '../../options.ts';
import { passwordSources } from '../../signing-key.ts';
import { choosePath } from './account.ts';

/** What is imported, and the password that will protect it here. */
export type Import = { readonly source: ImportSource; readonly password: Secret };

/** A secret is piped in; on a terminal it is asked for, unseen. Standard input cannot hold a password as well. */
const secretText = async (cli: Cli, given: Given, question: string): Promise<string> => {
  if (isOn(given, 'password-stdin')) {
    throw new Failure('invalid_input', 'standard input holds the key already: give the password by --password-file');
  }
  if (cli.io.stdin.isTerminal && cli.io.prompt.isPossible) return cli.io.prompt.password(question);
  return readGiven(cli.io, '-');
};

const passwordTo = (to: 'open' | 'choose', cli: Cli, given: Given): Promise<Secret> =>
  passwordFor(cli.io, passwordSources(given), { to, name: textOf(given, 'name') ?? '' });

const choosePassword = (cli: Cli, given: Given) => passwordTo('choose', cli, given);

const warnOfClearFile = async (cli: Cli, file: string): Promise<void> => {
  const facts = file === '-' ? undefined : await cli.io.files.targetFacts(resolve(cli.io.cwd, file));
  if (!facts) return;
  const others = isOpenToOthers(facts) ? ', and others on this machine can read it' : '';
  await notice(cli.io, `Warning: ${file} holds the key in the clear${others}; remove it when the import is done.`);
};

/** With a password of its own the file's is read first, and the key gets the one that is given or chosen. */
const fromFile = async (cli: Cli, given: Given, chain: KeyChain, file: string): Promise<Import> => {
  const text = await readGiven(cli.io, file);
  if (isClearFile(chain, text)) {
    await warnOfClearFile(cli, file);
    return { source: { kind: 'private-key', text }, password: await choosePassword(cli, given) };
  }
  assertFileOf(chain, text, file);
  const other = textOf(given, 'source-password-file');
  if (other === undefined) {
    const password = await passwordTo('open', cli, given);
    return { source: { kind: 'key-file', text, password, from: file }, password };
  }
  const source = { kind: 'key-file', text, password: await passwordFromFile(cli.io, other), from: file } as const;
  return { source, password: await choosePassword(cli, given) };
};

const fromPrivateKey = async (cli: Cli, given: Given): Promise<Import> => {
  const text = await secretText(cli, given, 'Private key:');
  return { source: { kind: 'private-key', text }, password: await choosePassword(cli, given) };
};

/** An empty answer is no passphrase, which is what most mnemonics have. */
const passphraseFor = async (cli: Cli, given: Given): Promise<Secret | undefined> => {
  const file = textOf(given, 'passphrase-file');
  if (file !== undefined) return passwordFromFile(cli.io, file);
  if (!cli.io.prompt.isPossible) return undefined;
  return secret(await cli.io.prompt.password('Passphrase of the mnemonic, empty if it has none:'));
};

const fromMnemonic = async (cli: Cli, given: Given, chain: KeyChain): Promise<Import> => {
  const text = await secretText(cli, given, 'Mnemonic:');
  const passphrase = await passphraseFor(cli, given);
  const path = textOf(given, 'path') ?? (await choosePath(cli, chain, { text, passphrase }));
  return { source: { kind: 'mnemonic', text, passphrase, path }, password: await choosePassword(cli, given) };
};

/** Options that belong to one source and would be lost in silence with another. */
const assertFitting = (given: Given): void => {
  const isMnemonic = isOn(given, 'mnemonic-stdin');
  const lost = [
    ...['path', 'passphrase-file'].filter((name) => !isMnemonic && textOf(given, name) !== undefined),
    ...['source-password-file'].filter((name) => given['file'] === undefined && textOf(given, name) !== undefined),
  ];
  const [first] = lost;
  if (first === undefined) return;
  const fits = first === 'source-password-file' ? '--file' : '--mnemonic-stdin';
  throw new Failure('invalid_input', `--${first} goes with ${fits}`);
};

/** What is imported where the command line does not say it: a person picks, a script is told. */
const askForSource = async (cli: Cli, given: Given): Promise<Given> => {
  const isSaid = ['file', 'private-key-stdin', 'mnemonic-stdin'].some((name) => given[name] !== undefined);
  if (isSaid || !cli.io.prompt.isPossible || !cli.io.stdin.isTerminal) return given;
  const source = await cli.io.prompt.select('What holds the key?', [
    { name: 'a mnemonic of 12 to 24 words', value: 'mnemonic-stdin' },
    { name: 'a private key as text', value: 'private-key-stdin' },
    { name: 'a file', value: 'file' },
  ]);
  if (source !== 'file') return { ...given, [source]: true };
  return { ...given, file: (await cli.io.prompt.text('Path of the file:')).trim() };
};

/** Reads what the command line says is imported. Throws `invalid_input` unless that is exactly one thing. */
export const importSource = async (cli: Cli, said: Given, chain: KeyChain): Promise<Import> => {
  const given = await askForSource(cli, said);
  const file = textOf(given, 'file');
  const [one, other] = [
    ...(file === undefined ? [] : [() => fromFile(cli, given, chain, file)]),
    ...(isOn(given, 'private-key-stdin') ? [() => fromPrivateKey(cli, given)] : []),
    ...(isOn(given, 'mnemonic-stdin') ? [() => fromMnemonic(cli, given, chain)] : []),
  ];
  if (one && !other) {
    assertFitting(given);
    return one();
  }
  throw new Failure('invalid_input', 'give one of --file, --private-key-stdin and --mnemonic-stdin');
};
