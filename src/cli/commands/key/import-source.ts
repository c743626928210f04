import { resolve } from 'node:path';
import type { KeyChain } from '../../../contract/chains.ts';
import { Failure } from '../../../core/failure.ts';
import { isOpenToOthers, type Secret, secret, wiping } from '../../../core/secret.ts';
import type { AnswerCheck } from '../../../io/prompt/prompt.ts';
import { checkedWords, DEFAULT_PATH, seedOfMnemonic, usualAccounts } from '../../../keystore/hd.ts';
import { assertFileOf, type ImportSource, isClearFile, readImportSource } from '../../../keystore/import.ts';
import type { DecryptedKey } from '../../../keystore/key.ts';
import { notice } from '../../../keystore/notice.ts';
import { choosePassword, passwordFromFile, withPassword } from '../../../keystore/password.ts';
import { readGiven } from '../../command/body.ts';
import type { CommandContext } from '../../command/command.ts';
import { impliedPasswordSources, passwordSources } from '../../command/key-options.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { problemOf } from '../../context/failures.ts';
import { problemInFile, typedPath } from '../../prompt/validators.ts';

/** The unencrypted key to import, its new password, and the key file, if any. The caller wipes the key. */
export type ImportedKey = { readonly key: DecryptedKey; readonly password: Secret; readonly file?: string };

type Question = { readonly text: string; readonly problemIn: AnswerCheck };

/** Reads a secret from a hidden prompt at a terminal, otherwise from standard input. */
const secretText = async (cli: CommandContext, given: ParsedArgs, { text, problemIn }: Question): Promise<string> => {
  if (boolArg(given, 'password-stdin')) {
    throw new Failure('invalid_input', 'standard input is used for the key: give the password by --password-file');
  }
  if (cli.io.stdin.isTerminal && cli.io.prompt.isPossible) return cli.io.prompt.password(text, { problemIn });
  return readGiven(cli.io, '-');
};

const nameIn = (given: ParsedArgs): string => stringArg(given, 'name') ?? '';

const readKey = (cli: CommandContext, chain: KeyChain, source: ImportSource): Promise<DecryptedKey> =>
  cli.io.spin('Reading the key', readImportSource(cli.io.derive, chain, source));

/** Adds the new password. An invalid key fails first, before the user chooses a password. */
const withNewPassword = async (cli: CommandContext, given: ParsedArgs, reading: Promise<DecryptedKey>) => {
  const key = await reading;
  try {
    return { key, password: await choosePassword(cli.io, impliedPasswordSources(cli, given), nameIn(given)) };
  } catch (error) {
    key.privateKey.fill(0);
    throw error;
  }
};

const warnOfUnencryptedFile = async (cli: CommandContext, file: string): Promise<void> => {
  const facts = file === '-' ? undefined : await cli.io.files.targetFacts(resolve(cli.io.cwd, file));
  if (!facts) return;
  const others = isOpenToOthers(facts) ? ', and others on this machine can read it' : '';
  await notice(cli.io, `warning: ${file} contains the unencrypted key${others}; delete it after the import.`);
};

/** Without --source-password-file, one password decrypts the file and protects the imported key. */
const fromFile = async (cli: CommandContext, given: ParsedArgs, chain: KeyChain, file: string) => {
  const text = await readGiven(cli.io, file);
  if (isClearFile(chain, text)) {
    await warnOfUnencryptedFile(cli, file);
    return withNewPassword(cli, given, readKey(cli, chain, { kind: 'private-key', text }));
  }
  assertFileOf(chain, text, file);
  const sourcePasswordFile = stringArg(given, 'source-password-file');
  const readWith = (password: Secret) => readKey(cli, chain, { kind: 'key-file', text, password, from: file });
  if (sourcePasswordFile !== undefined) {
    const reading = passwordFromFile(cli.io, sourcePasswordFile).then(readWith);
    return { ...(await withNewPassword(cli, given, reading)), file };
  }
  return withPassword(cli.io, passwordSources(given), nameIn(given), async (password) => ({
    key: await readWith(password),
    password,
    file,
  }));
};

const fromPrivateKey = async (cli: CommandContext, given: ParsedArgs, chain: KeyChain): Promise<ImportedKey> => {
  const open = (text: string) => readImportSource(cli.io.derive, chain, { kind: 'private-key', text });
  const problemIn: AnswerCheck = (text) =>
    problemOf(async () => wiping((await open(text)).privateKey, () => undefined));
  const text = await secretText(cli, given, { text: 'Private key:', problemIn });
  return withNewPassword(cli, given, open(text));
};

/** The passphrase of the mnemonic; an empty answer means that it has none. */
const passphraseFor = async (cli: CommandContext, given: ParsedArgs): Promise<Secret | undefined> => {
  const file = stringArg(given, 'passphrase-file');
  if (file !== undefined) return passwordFromFile(cli.io, file);
  if (!cli.io.prompt.isPossible) return undefined;
  return secret(await cli.io.prompt.password('Passphrase of the mnemonic (empty: none):'));
};

const fromMnemonic = async (cli: CommandContext, given: ParsedArgs, chain: KeyChain): Promise<ImportedKey> => {
  const text = await secretText(cli, given, {
    text: 'Mnemonic:',
    problemIn: (words) => problemOf(() => checkedWords(words)),
  });
  const passphrase = await passphraseFor(cli, given);
  const path = stringArg(given, 'path') ?? (await choosePath(cli, chain, { text, passphrase }));
  return withNewPassword(cli, given, readKey(cli, chain, { kind: 'mnemonic', text, passphrase, path }));
};

/** Refuses options of another source: they would have no effect. */
const assertOptionsFitSource = (given: ParsedArgs): void => {
  const isMnemonic = boolArg(given, 'mnemonic-stdin');
  const unused = [
    ...['path', 'passphrase-file'].filter((name) => !isMnemonic && stringArg(given, name) !== undefined),
    ...['source-password-file'].filter((name) => given['file'] === undefined && stringArg(given, name) !== undefined),
  ];
  const [first] = unused;
  if (first === undefined) return;
  const source = first === 'source-password-file' ? '--file' : '--mnemonic-stdin';
  throw new Failure('invalid_input', `--${first} needs ${source}`);
};

/** Adds the source that the user chooses, if the command line names none. */
const askForSource = async (cli: CommandContext, given: ParsedArgs): Promise<ParsedArgs> => {
  const isGiven = ['file', 'private-key-stdin', 'mnemonic-stdin'].some((name) => given[name] !== undefined);
  if (isGiven || !cli.io.prompt.isPossible || !cli.io.stdin.isTerminal) return given;
  const source = await cli.io.prompt.select('Import the key from:', [
    { name: 'a mnemonic of 12 to 24 words', value: 'mnemonic-stdin' },
    { name: 'a private key as text', value: 'private-key-stdin' },
    { name: 'a file', value: 'file' },
  ]);
  if (source !== 'file') return { ...given, [source]: true };
  const problemIn = (path: string) => problemInFile(cli.io, typedPath(cli.io, path));
  return { ...given, file: typedPath(cli.io, await cli.io.prompt.text('Path of the file:', { problemIn })) };
};

/** Reads the key to import. Throws `invalid_input` unless the command line names exactly one source. */
export const readImport = async (cli: CommandContext, typed: ParsedArgs, chain: KeyChain): Promise<ImportedKey> => {
  const given = await askForSource(cli, typed);
  const file = stringArg(given, 'file');
  const [one, other] = [
    ...(file === undefined ? [] : [() => fromFile(cli, given, chain, file)]),
    ...(boolArg(given, 'private-key-stdin') ? [() => fromPrivateKey(cli, given, chain)] : []),
    ...(boolArg(given, 'mnemonic-stdin') ? [() => fromMnemonic(cli, given, chain)] : []),
  ];
  if (one && !other) {
    assertOptionsFitSource(given);
    return one();
  }
  throw new Failure('invalid_input', 'give one of --file, --private-key-stdin and --mnemonic-stdin');
};

type Mnemonic = { readonly text: string; readonly passphrase: Secret | undefined };

/**
 * The derivation path of the account. At a terminal the user picks one of the usual accounts by its address. Without a
 * terminal it is the default path, and stderr names it.
 */
const choosePath = async (cli: CommandContext, chain: KeyChain, { text, passphrase }: Mnemonic): Promise<string> => {
  if (!cli.io.prompt.isPossible) {
    const path = DEFAULT_PATH[chain];
    await checkedWords(text);
    await cli.printNote(`using the account at ${path}; --path selects another`);
    return path;
  }
  const seed = await seedOfMnemonic(cli.io.derive, text, passphrase?.reveal());
  const deriving = wiping(seed, () => usualAccounts(chain, seed));
  const accounts = await cli.io.spin('Deriving', deriving);
  const widest = Math.max(...accounts.map(({ path }) => path.length));
  const choices = accounts.map(({ path, label, address }) => ({
    name: `${address}  ${path.padEnd(widest)}  ${label}`,
    value: path,
  }));
  return cli.io.prompt.select('Account to import (--path selects any other):', choices);
};
