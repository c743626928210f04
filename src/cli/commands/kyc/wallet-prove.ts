import { prepare } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import { challenge } from '../../../contract/kyc/challenge.ts';
import { prepareWallet } from '../../../contract/kyc/prepare-wallet.ts';
import type { ProofRequest } from '../../../flows/kyc/prove.ts';
import { namingOptions } from '../../command/build-input.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { PASSWORD_OPTIONS } from '../../operations/signing-key.ts';
import { isDryRun, showRequests } from '../../print/dry-run.ts';
import { proofRequestFrom, proveByKey } from './wallet-proof.ts';

/** What is signed comes with the first answer, so only the first request is known. */
const showFirst = async (cli: CommandContext, service: Service, { address }: ProofRequest): Promise<void> => {
  await cli.say(`then ${prepareWallet.method} ${prepareWallet.path} with the text of the answer and its signature`);
  return showRequests(cli, service, [prepare(service, challenge, { wallet: address })]);
};

/** A profile that names a key for each family leaves open which wallet is meant. */
const profileKey = async (cli: CommandContext): Promise<string | undefined> => {
  const { evm, solana } = (await cli.profile()).keys ?? {};
  return evm === undefined || solana === undefined ? (evm ?? solana) : undefined;
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  // Several names in the environment leave open which wallet is meant.
  const [only, ...others] = (cli.io.env['BURSAR_KEY'] ?? '').split(',').filter(Boolean);
  const usual = others.length === 0 ? only?.trim() : undefined;
  const wanted = stringArg(given, 'key') || usual || (others.length === 0 ? await profileKey(cli) : undefined);
  const { '--key': name } = required({ '--key': wanted });
  const request = await proofRequestFrom(cli, name, stringArg(given, 'email'));
  const client = await cli.client();
  if (isDryRun(cli)) return showFirst(cli, client.service, request);
  const proof = await proveByKey(cli, given, client, name, request);
  await cli.printCommitted({ ...proof, ...(request.email && { email: request.email }) });
};

/** `kyc wallet-prove`. */
export const walletProve: Command = {
  words: ['kyc', 'wallet-prove'],
  supportsDryRun: true,
  summary: 'Prove that the wallet of a key is yours',
  about: [
    'The challenge is reviewed before it is signed. It is signed at once when it is recognised as a proof of this wallet: a sign-in (EIP-4361, Sign-In with Solana) at the service itself, or plain lines that name no other site, key or chain. Any other text needs a yes at a terminal; without one the command ends with 10, also with --yes.',
  ],
  options: [
    {
      flag: '--key',
      environment: 'key',
      completes: 'keys',
      value: 'NAME',
      usual: 'BURSAR_KEY, or the only one of the profile',
      description: 'Key of the wallet, for EVM chains or Solana',
      question: 'Which key has the wallet?',
    },
    { flag: '--email', value: 'ADDRESS', description: 'E-mail address to link to the wallet' },
    ...PASSWORD_OPTIONS,
  ],
  calls: ['kyc.challenge', 'kyc.prepare-wallet'],
  fails: ['refused_by_review'],
  examples: ['kyc wallet-prove --key treasury', 'kyc wallet-prove --key payer --email payer@example.com --json'],
  run: (cli, given) => namingOptions(run(cli, given), (field) => [field === 'email' ? '--email' : field]),
};
