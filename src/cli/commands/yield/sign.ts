import type { SolanaReview } from '../../../chain/solana/review.ts';
import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { approveReviews } from '../../operations/approving.ts';
import { addressOfKey, chooseKey, keyOption, PASSWORD_OPTIONS, withKey } from '../../operations/signing-key.ts';
import { gateOf } from '../../profiles/gate.ts';
import { serviceOf } from '../../profiles/selection.ts';
import { ofService } from '../../prompt/confirming.ts';
import { readUnsigned } from '../review/review-unsigned.ts';
import { ALLOW_OPTIONS, nodeFrom, overridesFrom, printYield, RPC_OPTION } from './context.ts';
import { STATEMENT_OPTIONS, statedTransaction } from './stated.ts';

const transactionFrom = async (cli: CommandContext, path: string): Promise<string> => {
  const subject = await readUnsigned(cli.io, path);
  if (subject.family === 'solana') return subject.transaction;
  throw new Failure('invalid_input', '--transaction: this is a transaction of an EVM chain', {
    hint: 'Sign it by bursar pay sign --unsigned FILE.',
  });
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { name = '', problem } = await chooseKey(cli, given, 'solana');
  const { '--transaction': path } = required(
    { '--transaction': stringArg(given, 'transaction'), '--key': name },
    { '--key': problem },
  );
  const transaction = await transactionFrom(cli, path);
  const { kindOfAddresses, solanaNetworkFor } = await import('../../../chain/solana/network.ts');
  const { parseSolana } = await import('../../../chain/solana/parse.ts');
  const { signAlone } = await import('../../../flows/yield/sign.ts');
  const kind = kindOfAddresses(parseSolana(transaction).message.addresses);
  const wallet = await addressOfKey(cli, name);
  const { askedOf, unstated } = await statedTransaction(cli, given, wallet);
  const [asked] = askedOf(1, wallet);
  const doubtful = ofService(serviceOf(await cli.selection(), kind), 'Sign this transaction?');
  const node = await nodeFrom(cli, given);
  const reviewing = {
    network: solanaNetworkFor(kind),
    overrides: overridesFrom(given),
    node,
    witness: node,
    gate: await gateOf(cli, { isOffline: true }),
    on: printYield(cli),
    // A signature alone moves no money, so only doubts are asked about.
    approve: (reviews: readonly SolanaReview[]) => approveReviews(cli, { reviews, doubtful, isOffline: true }),
  };
  await withKey(cli, given, { name, chain: 'solana' }, async (key) => {
    const [reviewed] = await signAlone(reviewing, [{ transaction, asked, unstated }], key);
    await cli.printResult(reviewed?.signed);
  });
};

/** `yield sign`. */
export const sign: Command = {
  words: ['yield', 'sign'],
  summary: 'Review and sign a Solana transaction, send nothing',
  about: [
    'FILE holds one transaction as base64, or an answer of the service that holds one. --kind and the options of that operation state what it is for. What is signed is exactly what was reviewed.',
  ],
  options: [
    {
      flag: '--transaction',
      value: 'FILE',
      isRequired: true,
      readsStdin: true,
      description: 'File with the transaction',
    },
    keyOption('solana'),
    ...PASSWORD_OPTIONS,
    RPC_OPTION,
    ...ALLOW_OPTIONS,
    ...STATEMENT_OPTIONS,
  ],
  fails: ['refused_by_review', 'unavailable', 'unexpected_answer'],
  examples: [
    'yield sign --transaction deposit.json --key treasury --kind deposit --amount 25 --asset USDC --provider provider_a',
    'yield sign --transaction - --key treasury --json < transaction.base64',
  ],
  run,
};
