import { isEvmSignature } from '../../../chain/message/evm.ts';
import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { givenMessage, MESSAGE_ABOUT, messageOption, readMessage } from './message.ts';

const isValid = async (address: string, message: string, signature: string): Promise<boolean> => {
  if (address.startsWith('0x')) return isEvmSignature(message, signature, address);
  const { isSolanaSignature } = await import('../../../chain/message/solana.ts');
  return isSolanaSignature(message, signature, address);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
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
  examples: ['key verify-message --address 0x… --message "I own this wallet" --signature 0x…'],
  run,
};
