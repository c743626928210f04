import { isEvmSignature, signEvmMessage } from '../../../chain/message/evm.ts';
import { Failure, isFailure, withDetails } from '../../../core/failure.ts';
import { escapeLines } from '../../../core/text.ts';
import type { Io } from '../../../io/io.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import type { UnlockedKey } from '../../../keystore/unlock.ts';
import { isNamed, readNamed } from '../../command/body.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { PASSWORD_OPTIONS } from '../../command/key-options.ts';
import { type Option, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { withKey } from '../../operations/signing-key.ts';
import { NAME } from './shared.ts';

/** The text that a signature is made of or checked against. */
const messageOption = (question: string): Option => ({
  question,
  flag: '--message',
  value: 'TEXT',
  isRequired: true,
  readsStdin: true,
  description: 'The text itself, or @FILE; every byte counts',
});

/** Help on --message: files and pipes are read to the last byte. */
const MESSAGE_ABOUT =
  'With @FILE or -, every byte is part of the text, a final line end too. echo and most editors add one; printf %s does not.';

/** A value for `required`, which takes an empty text for a missing one. */
const givenMessage = (given: ParsedArgs): string | undefined =>
  stringArg(given, 'message') === undefined ? undefined : 'given';

/** An empty file or pipe is an error of an earlier step; an empty option is a choice. */
const assertNotEmpty = (text: string, source: string): string => {
  if (text !== '') return text;
  throw new Failure('unreadable_file', `--message ${source}: it is empty`, { hint: "For an empty text: --message ''" });
};

const readFrom = async (io: Io, source: string): Promise<string> => {
  try {
    return await readNamed(io, source, { isExact: true });
  } catch (error) {
    if (!isFailure(error, 'unreadable_file') || source === '-') throw error;
    throw withDetails(error, { hint: 'To give a text that starts with @, use stdin: --message -' });
  }
};

/** The text of --message. Throws `unreadable_file`. */
const readMessage = async ({ io }: CommandContext, given: ParsedArgs): Promise<string> => {
  const text = stringArg(given, 'message') ?? '';
  return isNamed(text) ? assertNotEmpty(await readFrom(io, text), text) : text;
};

/** Loads tweetnacl too, which only a Solana key needs. */
const loadSolana = () => import('../../../chain/message/solana.ts');

const signatureOf = async ({ chain, privateKey }: UnlockedKey, message: string): Promise<string> => {
  if (chain === 'evm') return signEvmMessage(message, privateKey);
  const { signSolanaMessage } = await loadSolana();
  return signSolanaMessage(message, privateKey);
};

const show = async (cli: CommandContext, message: string): Promise<void> => {
  await cli.printNote('signing this message:');
  for (const line of escapeLines(message).split('\n')) await cli.printNote(`  ${line}`);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { NAME: name } = required({ NAME: stringArg(given, 'name'), '--message': givenMessage(given) });
  const text = await readMessage(cli, given);
  const { chain } = await openKeystore(cli.io).locate(name);
  // A refusal must not cost the user a password prompt.
  if (chain === 'solana') (await loadSolana()).assertSignableText(text);
  // At a terminal the user sees the text before the password prompt; a script sees it only if the key unlocks.
  const showsBeforeUnlock = cli.io.prompt.isPossible;
  if (showsBeforeUnlock) await show(cli, text);
  await withKey(cli, given, { name }, async (key) => {
    if (!showsBeforeUnlock) await show(cli, text);
    await cli.printResult({ signature: await signatureOf(key, text), address: key.address });
  });
};

/** `key sign-message`. */
export const signMessage: Command = {
  words: ['key', 'sign-message'],
  summary: 'Sign a text with a key',
  about: [
    'EVM keys sign a personal message (EIP-191). Text that looks like hex is signed as text.',
    'Solana keys sign the raw bytes. A text that is a valid transaction, or has invisible characters, is refused.',
    MESSAGE_ABOUT,
  ],
  arguments: [NAME],
  options: [messageOption('Text to sign, as it is, or @FILE'), ...PASSWORD_OPTIONS],
  examples: [
    'key sign-message treasury --message "I own this wallet" --json',
    'key sign-message treasury --message @statement.txt',
  ],
  run,
};

const isValid = async (address: string, message: string, signature: string): Promise<boolean> => {
  if (address.startsWith('0x')) return isEvmSignature(message, signature, address);
  const { isSolanaSignature } = await import('../../../chain/message/solana.ts');
  return isSolanaSignature(message, signature, address);
};

const verify = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const input = required({
    '--address': stringArg(given, 'address'),
    '--message': givenMessage(given),
    '--signature': stringArg(given, 'signature'),
  });
  const { '--address': address, '--signature': signature } = input;
  const valid = await isValid(address, await readMessage(cli, given), signature.trim());
  await cli.printResult({ valid, address });
  if (valid) return;
  throw new Failure('bad_signature', `this is not the signature of ${address} for this message`, { isPrinted: true });
};

/** `key verify-message`. */
export const verifyMessage: Command = {
  words: ['key', 'verify-message'],
  summary: 'Check that an address signed a text',
  about: ['Needs no key. Exits with 0 if the signature is valid, with 10 if not.', MESSAGE_ABOUT],
  options: [
    {
      flag: '--address',
      value: 'ADDRESS',
      isRequired: true,
      description: 'Address of the signer, EVM or Solana',
      question: 'Address of the signer',
    },
    messageOption('Text that was signed, as it is, or @FILE'),
    {
      flag: '--signature',
      value: 'SIGNATURE',
      isRequired: true,
      description: 'Output of key sign-message: hex, or base58 for Solana',
      question: 'Signature: hex, or base58 for Solana',
    },
  ],
  fails: ['bad_signature'],
  examples: [
    'key verify-message --address 0x… --message "I own this wallet" --signature 0x…',
    'key verify-message --address 0x… --message "I own this wallet" --signature 0x… --json',
  ],
  run: verify,
};
