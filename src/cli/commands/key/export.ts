import { resolve } from 'node:path';
import type { KeyChain } from '../../../contract/chains.ts';
import { Failure } from '../../../core/failure.ts';
import { printKeypair, printPrivateKey } from '../../../keystore/import.ts';
import { openKeystore, type StoredKey } from '../../../keystore/keystore.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { PASSWORD_OPTIONS, withKey } from '../../operations/signing-key.ts';
import { confirmByName, NAME } from './shared.ts';

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

const write = async (cli: CommandContext, path: string, text: string): Promise<void> => {
  if (await cli.io.files.createNew(path, text)) return;
  throw new Failure('file_exists', `${path} exists and is not overwritten`, { hint: 'Choose another file name.' });
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
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
  const path = resolve(cli.io.cwd, out);
  await write(cli, path, text);
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
      validate: async () => (await import('../../prompt/judges.ts')).validateNewFile,
    },
    ...PASSWORD_OPTIONS,
  ],
  examples: [
    'key export treasury --format v3 --out treasury.json',
    'key export vault --format solana-keypair --out id.json',
  ],
  run,
};
