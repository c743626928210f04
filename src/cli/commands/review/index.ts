import { assertPasses } from '../../../chain/review/check.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { WIRE_NAMES, withWireNames } from '../../../core/wire-names.ts';
import { allowOption, FEE_OPTION, rpcOption } from '../../command/chain-options.ts';
import type { Command } from '../../command/command.ts';
import { type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { approvalText, nameAndAddress, reviewLines, type ShownReview } from '../../print/show-review.ts';
import { ownNames, withNames } from '../../print/steps.ts';
import { readUnsigned, reviewUnsigned } from './review-unsigned.ts';

const OPTIONS: readonly Option[] = [
  { flag: '--allow-blind', description: 'Allow an EVM contract call that cannot be decoded' },
  allowOption('--allow-program', 'Allow a Solana program whose instructions cannot be decoded'),
  allowOption('--allow-recipient', 'Allow an unknown address to receive money'),
  FEE_OPTION,
  rpcOption('Node of the chain for simulation and balances; without it the review is offline'),
];

const checkJson = (check: object): object => withWireNames(check, ['message']);

/** A review as --json prints it. */
const reviewJson = (review: ShownReview): object => {
  const remainingApprovals = review.remainingApprovals.map(checkJson);
  const document = { ...review, remainingApprovals, checks: review.checks.map(checkJson) };
  return withWireNames(document, ['outflows', 'remainingApprovals']);
};

/** Adds the whole review to a refusal. */
const withReview = (error: unknown, review: ShownReview): unknown =>
  isFailure(error, 'refused_by_review')
    ? new Failure(error.code, error.sentence, { ...error.details, data: reviewJson(review) })
    : error;

/** Rows for a pipe without --json: transfers, remaining approvals, checks. */
const rowsOf = ({ moves, remainingApprovals, checks }: ShownReview): readonly object[] => [
  ...moves.map(({ amount, token, to, to_name, label }) => ({
    id: 'move',
    verdict: label ?? '',
    [WIRE_NAMES.message]: `${amount} ${token} to ${nameAndAddress(to, to_name)}`,
  })),
  ...remainingApprovals.map((right) => ({
    id: WIRE_NAMES.remainingApprovals,
    verdict: '',
    [WIRE_NAMES.message]: approvalText(right),
  })),
  ...checks.map(checkJson),
];

const show = async (cli: CommandContext, review: ShownReview): Promise<void> => {
  const { io, globals } = cli;
  if (io.stdout.isTerminal && !globals.json) return io.stdout.write(reviewLines(cli, review));
  return cli.printResult(reviewJson(review), rowsOf(review));
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { FILE: file } = required({ FILE: stringArg(given, 'file') });
  const { unsigned: _, ...result } = await reviewUnsigned(cli, await readUnsigned(cli.io, file), given);
  const review = withNames(result, await ownNames(cli.io));
  try {
    assertPasses(review.checks, 'pass');
  } catch (error) {
    if (!cli.globals.json && !cli.globals.quiet) await cli.io.stderr.write(reviewLines(cli, review));
    throw withReview(error, review);
  }
  await show(cli, review);
};

/** `review`. */
export const review: Command = {
  words: ['review'],
  summary: 'Show the effects of an unsigned transaction, without signing it',
  about: [
    'FILE is a crypto_tx, a Solana transaction as base64, or a response of the service that contains one; - is stdin.',
    'Amounts are shown but not checked, because this command has no payment to compare them with.',
    'Exits with 0 if everything is decoded and no unknown address is paid.',
    'Exits with 10 if the transaction is refused, or needs your decision.',
    '--profile applies the policy and the pins of that profile. The policy of the signing key always applies.',
  ],
  arguments: [{ name: 'FILE', readsStdin: true, description: 'File with the transaction', completes: 'files' }],
  options: OPTIONS,
  fails: ['refused_by_review', 'unavailable', 'unexpected_answer'],
  examples: ['review crypto_tx.json', 'review transaction.base64 --json', 'review - < deposit.json'],
  run,
};
