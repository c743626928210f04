import type { KeyChain } from '../../../contract/chains.ts';
import { Failure } from '../../../core/failure.ts';
import { addKey } from '../../../keystore/change.ts';
import { printKeypair, printPrivateKey } from '../../../keystore/import.ts';
import { type Keystore, openKeystore, type StoredKey } from '../../../keystore/keystore.ts';
import { confirmAddress } from '../../../keystore/unlock.ts';
import { createGiven } from '../../command/body.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { PASSWORD_OPTIONS } from '../../command/key-options.ts';
import { type Option, type ParsedArgs, required, sourceOption, stringArg } from '../../command/options.ts';
import { withKey } from '../../operations/signing-key.ts';
import { readImport } from './import-source.ts';
import { answerOf, CHAIN_OPTION, confirmByName, NAME, NEW_KEY, nameAndChain } from './shared.ts';

const OPTIONS: readonly Option[] = [
  {
    flag: '--file',
    value: 'FILE',
    description: 'EVM: a v3 file from geth, cast or ethers. Solana: a file from solana-keygen or bursar',
  },
  sourceOption('--source-password-file', 'File with the password of --file', {
    value: 'FILE',
    usual: 'the same password',
  }),
  sourceOption('--private-key-stdin', 'Read a private key from standard input: hex, or base58 for Solana'),
  sourceOption('--mnemonic-stdin', 'Read a mnemonic of 12 to 24 words from standard input'),
  sourceOption('--passphrase-file', 'File with the passphrase of the mnemonic, if it has one', { value: 'FILE' }),
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
  await cli.printNote(`note: the same key is already stored as ${copies.map((key) => key.name).join(', ')}`);
};

const importNamed = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
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
    "key import savings --chain solana --mnemonic-stdin --path m/44\\'/501\\'/0\\' --password-file ./password < words",
  ],
  run: importNamed,
};

/** The formats of each key family. `bursar` is a copy of the keystore file; for EVM keys that file is `v3`. */
const FORMATS: Readonly<Record<KeyChain, readonly string[]>> = {
  evm: ['v3', 'bursar', 'private-key'],
  solana: ['bursar', 'solana-keypair', 'private-key'],
};

/** Formats without password protection. */
const IN_THE_CLEAR: readonly string[] = ['private-key', 'solana-keypair'];

const assertFormat = ({ chain, name }: StoredKey, format: string): void => {
  if (FORMATS[chain].includes(format)) return;
  throw new Failure('invalid_input', `--format: the ${chain} key ${name} cannot be written as ${format}`, {
    hint: `Formats for ${chain} keys: ${FORMATS[chain].join(', ')}.`,
  });
};

/** Every format needs the password: only a user who can sign with a key may export it. */
const exportedText = (cli: CommandContext, given: ParsedArgs, stored: StoredKey, format: string): Promise<string> =>
  withKey(cli, given, { name: stored.name, signsNothing: true }, async ({ chain, privateKey }) => {
    if (format === 'private-key') return printPrivateKey(chain, privateKey);
    return format === 'solana-keypair' ? printKeypair(privateKey) : stored.text;
  });

/** `private-key` is the only format that is not JSON. */
const print = (cli: CommandContext, format: string, text: string): Promise<void> =>
  cli.globals.json && format === 'private-key'
    ? cli.printResult({ private_key: text.trim() })
    : cli.io.stdout.write(text);

const exportNamed = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const input = required({
    NAME: stringArg(given, 'name'),
    '--format': stringArg(given, 'format'),
    '--out': stringArg(given, 'out'),
  });
  const { '--format': format, '--out': out } = input;
  const stored = await openKeystore(cli.io).find(input.NAME);
  assertFormat(stored, format);
  if (IN_THE_CLEAR.includes(format)) {
    await confirmByName(cli, stored.name, 'Anyone who reads the private key can spend its money.', 'export');
  }
  const text = await exportedText(cli, given, stored, format);
  if (out === '-') return print(cli, format, text);
  const path = await createGiven(cli.io, out, text);
  await cli.printCommitted({ name: stored.name, format, path });
};

/** `key export`. */
export const exportKey: Command = {
  words: ['key', 'export'],
  summary: 'Export a key as an encrypted file or unencrypted',
  about: ['Every format needs the password of the key. Mnemonics are not stored, so they cannot be exported.'],
  arguments: [NAME],
  options: [
    {
      flag: '--format',
      value: 'FORMAT',
      choices: [...new Set(Object.values(FORMATS).flat())],
      isRequired: true,
      description: 'v3 and bursar are encrypted; private-key and solana-keypair are not',
      question: 'Format',
      suggest: async () => (await import('../../prompt/suggestions.ts')).suggestExportFormats(FORMATS, IN_THE_CLEAR),
    },
    {
      flag: '--out',
      value: 'FILE',
      isRequired: true,
      description: 'File to create with mode 0600; - for stdout',
      question: 'File to create',
      validate: async () => (await import('../../prompt/validators.ts')).validateNewFile,
    },
    ...PASSWORD_OPTIONS,
  ],
  examples: [
    'key export treasury --format v3 --out treasury.json',
    'key export savings --format solana-keypair --out id.json',
  ],
  run: exportNamed,
};
