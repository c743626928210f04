import { isEvmSignature } from '../../../chain/message/evm.ts';
import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { givenMessage, MESSAGE_ABOUT, messageFrom, messageOption } from './message.ts';

const isValid = async (address: string, message: string, signature: string): Promise<boolean> => {
  if (address.startsWith('0x')) return isEvmSignature(message, signature, address);
  const { isSolanaSignature } = await import('../../../chain/message/solana.ts');
  return isSolanaSignature(message, signature, address);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const wanted = required({
    '--address': stringArg(given, 'address'),
    '--message': givenMessage(given),
    '--signature': stringArg(given, 'signature'),
  });
  const { '--address': address, '--signature': signature } = wanted;
  const valid = await isValid(address, await messageFrom(cli, given), signature.trim());
  await cli.printResult({ valid, address });
  if (valid) return;
  throw new Failure('bad_signature', `the signature is not that of ${address} over this message`, { isAnswered: true });
};

/** `key verify-message`. */
export const verifyMessage: Command = {
  words: ['key', 'verify-message'],
  summary: 'Check the signature of a text, by an address alone',
  about: ['No key is needed. It ends with 0 when the signature is valid, and with 10 when it is not.', MESSAGE_ABOUT],
  options: [
    {
      flag: '--address',
      value: 'ADDRESS',
      isRequired: true,
      description: 'Who is said to have signed: of an EVM chain or of Solana',
      question: 'Address that is said to have signed',
    },
    messageOption('Text that was signed, as it is, or @FILE'),
    {
      flag: '--signature',
      value: 'SIGNATURE',
      isRequired: true,
      description: 'As sign-message gives it: hex, or base58 of Solana',
      question: 'Signature: hex, or base58 of Solana',
    },
  ],
  fails: ['bad_signature'],
  examples: ['key verify-message --address 0x… --message "I own this wallet" --signature 0x…'],
  run,
};
