import { signEvmMessage } from '../../../chain/message/evm.ts';
import { assertSignableText } from '../../../chain/message/solana-text.ts';
import { escapeLines } from '../../../core/escape.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import type { UnlockedKey } from '../../../keystore/unlock.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { PASSWORD_OPTIONS, withKey } from '../../operations/signing-key.ts';
import { givenMessage, MESSAGE_ABOUT, messageFrom, messageOption } from './message.ts';
import { NAME } from './shared.ts';

const signatureOf = async ({ chain, privateKey }: UnlockedKey, message: string): Promise<string> => {
  if (chain === 'evm') return signEvmMessage(message, privateKey);
  const { signSolanaMessage } = await import('../../../chain/message/solana.ts');
  return signSolanaMessage(message, privateKey);
};

const show = async (cli: CommandContext, message: string): Promise<void> => {
  await cli.say('signing this message:');
  for (const line of escapeLines(message).split('\n')) await cli.say(`  ${line}`);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { NAME: name } = required({ NAME: stringArg(given, 'name'), '--message': givenMessage(given) });
  const text = await messageFrom(cli, given);
  const { chain } = await openKeystore(cli.io).locate(name);
  // What is refused costs no password.
  if (chain === 'solana') assertSignableText(text);
  // Who types a password for it wants to see what it is for; a script hears nothing of what is not signed.
  const isSeenFirst = cli.io.prompt.isPossible;
  if (isSeenFirst) await show(cli, text);
  await withKey(cli, given, { name }, async (key) => {
    if (!isSeenFirst) await show(cli, text);
    await cli.printResult({ signature: await signatureOf(key, text), address: key.address });
  });
};

/** `key sign-message`. */
export const signMessage: Command = {
  words: ['key', 'sign-message'],
  summary: 'Sign a text with a key',
  about: [
    'EVM keys sign it as a personal message (EIP-191), always as text, also where it looks like hex. Solana keys sign its bytes as they are, so one that reads as a transaction is refused, and so are characters that nobody sees.',
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
