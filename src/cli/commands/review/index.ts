import { assertPasses } from '../../../chain/pass.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { FEE_OPTION } from '../../command/fee-option.ts';
import { type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import { rpcOption } from '../../command/rpc-url.ts';
import type { CommandContext } from '../../context/context.ts';
import { ownNames, withNames } from '../../print/known-names.ts';
import { known, reviewLines, rightInWords, type ShownReview } from '../../print/show-review.ts';
import { judge } from './judge.ts';
import { readSubject } from './subject.ts';

const OPTIONS: readonly Option[] = [
  { flag: '--allow-blind', description: 'Let a call of an EVM contract pass that is not understood' },
  {
    flag: '--allow-program',
    value: 'ADDRESS',
    isRepeatable: true,
    description: 'A Solana program that is not understood and may be called',
  },
  {
    flag: '--allow-recipient',
    value: 'ADDRESS',
    isRepeatable: true,
    description: 'An address that may receive though nothing says who it is',
  },
  FEE_OPTION,
  rpcOption('A node of the chain, to simulate with and to read from; without it nothing is contacted'),
];

/** The refusal of what a pipeline must not go on with, with all that was found out. */
const refusalWith = (error: unknown, data: ShownReview): unknown =>
  isFailure(error, 'refused_by_review') ? new Failure(error.code, error.sentence, { ...error.details, data }) : error;

/** For a pipe without --json: what moves first, then what is left behind, then each check. */
const rowsOf = ({ moves, afterwards, checks }: ShownReview): readonly object[] => [
  ...moves.map(({ amount, token, to, to_name, label }) => ({
    id: 'move',
    verdict: label ?? '',
    says: `${amount} ${token} to ${known(to, to_name)}`,
  })),
  ...afterwards.map((right) => ({ id: 'afterwards', verdict: '', says: rightInWords(right) })),
  ...checks,
];

const show = async (cli: CommandContext, review: ShownReview): Promise<void> => {
  const { io, globals } = cli;
  if (io.stdout.isTerminal && !globals.json) return io.stdout.write(reviewLines(cli, review));
  return cli.printResult(review, rowsOf(review));
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { FILE: file } = required({ FILE: stringArg(given, 'file') });
  const { unsigned: _, ...judged } = await judge(cli, await readSubject(cli.io, file), given);
  const review = withNames(judged, await ownNames(cli.io));
  try {
    assertPasses(review.checks, 'pass');
  } catch (error) {
    if (!cli.globals.json && !cli.globals.quiet) await cli.io.stderr.write(reviewLines(cli, review));
    throw refusalWith(error, review);
  }
  await show(cli, review);
};

/** `review`. */
export const review: Command = {
  words: ['review'],
  summary: 'Say what a transaction does, without signing it',
  about: [
    'FILE is a crypto_tx, a Solana transaction as base64, or an answer of the service that holds one; - is stdin.',
    'Nothing is known of what was asked, so amounts are told and not compared. It ends with 0 when all is understood and nobody unknown is paid, and with 10 when it is refused or only a person can decide. With --profile the policy and the pins of that profile count; without it none do.',
  ],
  arguments: [{ name: 'FILE', readsStdin: true, description: 'File with the transaction', completes: 'files' }],
  options: OPTIONS,
  fails: ['refused_by_review', 'unavailable', 'unexpected_answer'],
  examples: ['review crypto_tx.json', 'review transaction.base64 --json', 'review - < deposit.json'],
  run,
};
