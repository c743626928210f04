import { resolve } from 'node:path';
import type { KeyChain } from '../../../contract/key-chain.ts';
import { Failure } from '../../../core/failure.ts';
import { printKeypair, printPrivateKey } from '../../../keystore/clear.ts';
import { openKeystore, type StoredKey } from '../../../keystore/keystore.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { PASSWORD_OPTIONS, withKey } from '../../operations/signing-key.ts';
import { confirmByName, NAME } from './shared.ts';

/** `bursar` is the file as it lies in the keystore, which for EVM is `v3`. */
const FORMATS: Readonly<Record<KeyChain, readonly string[]>> = {
  evm: ['v3', 'bursar', 'private-key'],
  solana: ['bursar', 'solana-keypair', 'private-key'],
};

/** Formats that no password protects. */
const IN_THE_CLEAR: readonly string[] = ['private-key', 'solana-keypair'];

const assertFormat = ({ chain, name }: StoredKey, format: string): void => {
  if (FORMATS[chain].includes(format)) return;
  throw new Failure('invalid_input', `--format: a key for ${chain}, which ${name} is, has no ${format}`, {
    hint: `It is one of ${FORMATS[chain].join(', ')}.`,
  });
};

/** Every format asks for the password: whoever exports a key must be able to use it. */
const exported = (cli: CommandContext, given: ParsedArgs, stored: StoredKey, format: string): Promise<string> =>
  withKey(cli, given, { name: stored.name, signsNothing: true }, async ({ chain, privateKey }) => {
    if (format === 'private-key') return printPrivateKey(chain, privateKey);
    return format === 'solana-keypair' ? printKeypair(privateKey) : stored.text;
  });

/** All formats but one are JSON as they are. */
const print = (cli: CommandContext, format: string, text: string): Promise<void> =>
  cli.globals.json && format === 'private-key'
    ? cli.printResult({ private_key: text.trim() })
    : cli.io.stdout.write(text);

const write = async (cli: CommandContext, path: string, text: string): Promise<void> => {
  if (await cli.io.files.createNew(path, text)) return;
  throw new Failure('file_exists', `${path} exists, and nothing is overwritten`, { hint: 'Choose another file.' });
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const wanted = required({
    NAME: stringArg(given, 'name'),
    '--format': stringArg(given, 'format'),
    '--out': stringArg(given, 'out'),
  });
  const { '--format': format, '--out': out } = wanted;
  const stored = await openKeystore(cli.io).find(wanted.NAME);
  assertFormat(stored, format);
  if (IN_THE_CLEAR.includes(format)) {
    await confirmByName(cli, stored.name, 'Whoever reads the private key owns its money.', 'export');
  }
  const text = await exported(cli, given, stored, format);
  if (out === '-') return print(cli, format, text);
  const path = resolve(cli.io.cwd, out);
  await write(cli, path, text);
  await cli.printCommitted({ name: stored.name, format, path });
};

/** `key export`. */
export const exportKey: Command = {
  words: ['key', 'export'],
  summary: 'Write a key out, as an encrypted file or in the clear',
  about: ['The password is asked for in any case. A mnemonic is not kept, so none can be exported.'],
  arguments: [NAME],
  options: [
    {
      flag: '--format',
      value: 'FORMAT',
      choices: [...new Set(Object.values(FORMATS).flat())],
      isRequired: true,
      description: 'v3 and bursar are encrypted; private-key and solana-keypair are in the clear',
      question: 'In which format?',
      suggest: async () => (await import('../../prompt/suggestions.ts')).suggestExportFormats(FORMATS, IN_THE_CLEAR),
    },
    {
      flag: '--out',
      value: 'FILE',
      isRequired: true,
      description: 'File to make, 0600; - for stdout',
      question: 'File to write it to',
      judge: async () => (await import('../../prompt/judges.ts')).judgeNewFile,
    },
    ...PASSWORD_OPTIONS,
  ],
  examples: [
    'key export treasury --format v3 --out treasury.json',
    'key export vault --format solana-keypair --out id.json',
  ],
  run,
};
