import { prepare } from '../../../client/call.ts';
import type { Service } from '../../../client/envelope.ts';
import { challenge } from '../../../contract/kyc/challenge.ts';
import { prepareWallet } from '../../../contract/kyc/prepare-wallet.ts';
import type { ProofRequest } from '../../../flows/kyc/prove.ts';
import { isDryRun } from '../../argv/command-line.ts';
import { namingOptions } from '../../command/build-input.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { KEY, PASSWORD_OPTIONS } from '../../operations/signing-key.ts';
import { showRequests } from '../../print/dry-run.ts';
import { proofRequestFrom, proveByKey } from './subject.ts';

/** The second request needs the challenge of the first response, so only the first one can be shown. */
const showFirst = async (cli: CommandContext, service: Service, { address }: ProofRequest): Promise<void> => {
  await cli.say(`then ${prepareWallet.method} ${prepareWallet.path} with the text of the response and its signature`);
  return showRequests(cli, service, [prepare(service, challenge, { wallet: address })]);
};

/** The key of the profile, if it names only one: with two, the wallet would be ambiguous. */
const profileKey = async (cli: CommandContext): Promise<string | undefined> => {
  const { evm, solana } = (await cli.profile()).keys ?? {};
  return evm === undefined || solana === undefined ? (evm ?? solana) : undefined;
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  // With several names in BURSAR_KEY, the wallet would be ambiguous.
  const [only, ...others] = (cli.io.env['BURSAR_KEY'] ?? '').split(',').filter(Boolean);
  const defaultKey = others.length > 0 ? undefined : only?.trim() || (await profileKey(cli));
  const { '--key': name } = required({ '--key': stringArg(given, 'key') || defaultKey });
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
  summary: 'Prove to the service that you own the wallet of a key',
  about: [
    'Gets a challenge, reviews it, signs it, and sends the signature.',
    'A recognised proof of this wallet is signed at once: a sign-in at the service (EIP-4361, Sign-In with Solana),',
    'or plain lines that name no other site, key or chain.',
    'Any other text needs your yes at a terminal. Without a terminal the command exits with 10, even with --yes.',
  ],
  options: [
    {
      ...KEY,
      usual: 'BURSAR_KEY, or the only key of the profile',
      description: 'Key of the wallet, EVM or Solana',
      question: 'Key of the wallet',
    },
    { flag: '--email', value: 'ADDRESS', description: 'E-mail address to link to the wallet' },
    ...PASSWORD_OPTIONS,
  ],
  calls: ['kyc.challenge', 'kyc.prepare-wallet'],
  fails: ['refused_by_review'],
  examples: ['kyc wallet-prove --key treasury', 'kyc wallet-prove --key payer --email payer@example.com --json'],
  run: (cli, given) => namingOptions(run(cli, given), (field) => [field === 'email' ? '--email' : field]),
};
