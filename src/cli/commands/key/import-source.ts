import { resolve } from 'node:path';
import type { KeyChain } from '../../../contract/key-chain.ts';
import { Failure } from '../../../core/failure.ts';
import { isOpenToOthers, type Secret, secret } from '../../../core/secret.ts';
import type { AnswerCheck } from '../../../io/prompt/prompt.ts';
import { usualAccounts } from '../../../keystore/hd/derive.ts';
import { checkedWords, seedOfMnemonic } from '../../../keystore/hd/mnemonic.ts';
import { DEFAULT_PATH } from '../../../keystore/hd/path.ts';
import { assertFileOf, type ImportSource, isClearFile, openImport } from '../../../keystore/import.ts';
import { notice } from '../../../keystore/notice.ts';
import type { OpenedKey } from '../../../keystore/opened-key.ts';
import { choosePassword, openByPassword } from '../../../keystore/password.ts';
import { passwordFromFile } from '../../../keystore/password-input.ts';
import { wiping } from '../../../keystore/wiping.ts';
import { readGiven } from '../../command/body.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { problemOf } from '../../command/problem-of.ts';
import type { CommandContext } from '../../context/context.ts';
import { passwordSources } from '../../operations/signing-key.ts';
import { problemInFile, typedPath } from '../../prompt/typed-path.ts';

/** What is imported, open, the password that will protect it here, and the key file. The caller wipes the key. */
export type Import = { readonly key: OpenedKey; readonly password: Secret; readonly file?: string };

type Question = { readonly text: string; readonly problemIn: AnswerCheck };

/** A secret is piped in; on a terminal it is asked for, unseen. Standard input cannot hold a password as well. */
const secretText = async (cli: CommandContext, given: ParsedArgs, { text, problemIn }: Question): Promise<string> => {
  if (boolArg(given, 'password-stdin')) {
    throw new Failure('invalid_input', 'standard input holds the key already: give the password by --password-file');
  }
  if (cli.io.stdin.isTerminal && cli.io.prompt.isPossible) return cli.io.prompt.password(text, { problemIn });
  return readGiven(cli.io, '-');
};

const nameIn = (given: ParsedArgs): string => stringArg(given, 'name') ?? '';

const opened = (cli: CommandContext, chain: KeyChain, source: ImportSource): Promise<OpenedKey> =>
  cli.io.spin('Reading the key', openImport(cli.io.derive, chain, source));

/** What is wrong with the key is said before a password for it is chosen. */
const protectedBy = async (cli: CommandContext, given: ParsedArgs, opening: Promise<OpenedKey>): Promise<Import> => {
  const key = await opening;
  try {
    return { key, password: await choosePassword(cli.io, passwordSources(given), nameIn(given)) };
  } catch (error) {
    key.privateKey.fill(0);
    throw error;
  }
};

const warnOfClearFile = async (cli: CommandContext, file: string): Promise<void> => {
  const facts = file === '-' ? undefined : await cli.io.files.targetFacts(resolve(cli.io.cwd, file));
  if (!facts) return;
  const others = isOpenToOthers(facts) ? ', and others on this machine can read it' : '';
  await notice(cli.io, `Warning: ${file} holds the key in the clear${others}; remove it when the import is done.`);
};

/** With a password of its own the file's is read first, and the key gets the one that is given or chosen. */
const fromFile = async (cli: CommandContext, given: ParsedArgs, chain: KeyChain, file: string): Promise<Import> => {
  const text = await readGiven(cli.io, file);
  if (isClearFile(chain, text)) {
    await warnOfClearFile(cli, file);
    return protectedBy(cli, given, opened(cli, chain, { kind: 'private-key', text }));
  }
  assertFileOf(chain, text, file);
  const other = stringArg(given, 'source-password-file');
  const by = (password: Secret) => opened(cli, chain, { kind: 'key-file', text, password, from: file });
  if (other !== undefined)
    return { ...(await protectedBy(cli, given, passwordFromFile(cli.io, other).then(by))), file };
  return openByPassword(cli.io, passwordSources(given), nameIn(given), async (password) => ({
    key: await by(password),
    password,
    file,
  }));
};

const fromPrivateKey = async (cli: CommandContext, given: ParsedArgs, chain: KeyChain): Promise<Import> => {
  const open = (text: string) => openImport(cli.io.derive, chain, { kind: 'private-key', text });
  const problemIn: AnswerCheck = (text) =>
    problemOf(async () => wiping((await open(text)).privateKey, () => undefined));
  const text = await secretText(cli, given, { text: 'Private key:', problemIn });
  return protectedBy(cli, given, open(text));
};

/** An empty answer is no passphrase, which is what most mnemonics have. */
const passphraseFor = async (cli: CommandContext, given: ParsedArgs): Promise<Secret | undefined> => {
  const file = stringArg(given, 'passphrase-file');
  if (file !== undefined) return passwordFromFile(cli.io, file);
  if (!cli.io.prompt.isPossible) return undefined;
  return secret(await cli.io.prompt.password('Passphrase of the mnemonic, empty if it has none:'));
};

const fromMnemonic = async (cli: CommandContext, given: ParsedArgs, chain: KeyChain): Promise<Import> => {
  const text = await secretText(cli, given, {
    text: 'Mnemonic:',
    problemIn: (words) => problemOf(() => checkedWords(words)),
  });
  const passphrase = await passphraseFor(cli, given);
  const path = stringArg(given, 'path') ?? (await choosePath(cli, chain, { text, passphrase }));
  return protectedBy(cli, given, opened(cli, chain, { kind: 'mnemonic', text, passphrase, path }));
};

/** Options that belong to one source and would be lost in silence with another. */
const assertFitting = (given: ParsedArgs): void => {
  const isMnemonic = boolArg(given, 'mnemonic-stdin');
  const lost = [
    ...['path', 'passphrase-file'].filter((name) => !isMnemonic && stringArg(given, name) !== undefined),
    ...['source-password-file'].filter((name) => given['file'] === undefined && stringArg(given, name) !== undefined),
  ];
  const [first] = lost;
  if (first === undefined) return;
  const fits = first === 'source-password-file' ? '--file' : '--mnemonic-stdin';
  throw new Failure('invalid_input', `--${first} goes with ${fits}`);
};

/** What is imported where the command line does not say it: a person picks, a script is told. */
const askForSource = async (cli: CommandContext, given: ParsedArgs): Promise<ParsedArgs> => {
  const isSaid = ['file', 'private-key-stdin', 'mnemonic-stdin'].some((name) => given[name] !== undefined);
  if (isSaid || !cli.io.prompt.isPossible || !cli.io.stdin.isTerminal) return given;
  const source = await cli.io.prompt.select('What holds the key?', [
    { name: 'a mnemonic of 12 to 24 words', value: 'mnemonic-stdin' },
    { name: 'a private key as text', value: 'private-key-stdin' },
    { name: 'a file', value: 'file' },
  ]);
  if (source !== 'file') return { ...given, [source]: true };
  const problemIn = (path: string) => problemInFile(cli.io, typedPath(cli.io, path));
  return { ...given, file: typedPath(cli.io, await cli.io.prompt.text('Path of the file:', { problemIn })) };
};

/** Reads what the command line says is imported. Throws `invalid_input` unless that is exactly one thing. */
export const importSource = async (cli: CommandContext, said: ParsedArgs, chain: KeyChain): Promise<Import> => {
  const given = await askForSource(cli, said);
  const file = stringArg(given, 'file');
  const [one, other] = [
    ...(file === undefined ? [] : [() => fromFile(cli, given, chain, file)]),
    ...(boolArg(given, 'private-key-stdin') ? [() => fromPrivateKey(cli, given, chain)] : []),
    ...(boolArg(given, 'mnemonic-stdin') ? [() => fromMnemonic(cli, given, chain)] : []),
  ];
  if (one && !other) {
    assertFitting(given);
    return one();
  }
  throw new Failure('invalid_input', 'give one of --file, --private-key-stdin and --mnemonic-stdin');
};

type Mnemonic = { readonly text: string; readonly passphrase: Secret | undefined };

/**
 * The path of the account that is meant. A person picks it by its address among the usual ones; a script that names
 * none gets the commonest, and stderr says so.
 */
const choosePath = async (cli: CommandContext, chain: KeyChain, { text, passphrase }: Mnemonic): Promise<string> => {
  if (!cli.io.prompt.isPossible) {
    const path = DEFAULT_PATH[chain];
    await checkedWords(text);
    await cli.say(`took the account at ${path}; --path names another`);
    return path;
  }
  const seed = await seedOfMnemonic(cli.io.derive, text, passphrase?.reveal());
  const accounts = await cli.io.spin(
    'Deriving',
    wiping(seed, () => usualAccounts(chain, seed)),
  );
  const widest = Math.max(...accounts.map(({ path }) => path.length));
  const choices = accounts.map(({ path, label, address }) => ({
    name: `${address}  ${path.padEnd(widest)}  ${label}`,
    value: path,
  }));
  return cli.io.prompt.select('Which account? --path takes any other', choices);
};
