import type { Input } from '../../../client/call.ts';
import type { Endpoint } from '../../../contract/define.ts';
import { deposit } from '../../../contract/yield/deposit.ts';
import { rebalance } from '../../../contract/yield/rebalance.ts';
import { withdraw } from '../../../contract/yield/withdraw.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { YieldAction } from '../../../flows/yield/request.ts';
import type { Summary } from '../../../output/summary.ts';
import { isDryRun } from '../../argv/command-line.ts';
import { namingOptions, optionNamer } from '../../command/build-input.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { declaredFields, derive } from '../../command/derive.ts';
import { fieldList } from '../../command/fields.ts';
import { type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { checkYieldAmount } from '../../operations/check-amounts.ts';
import { withFunding } from '../../operations/with-operation.ts';
import { nextLine, printTargetService } from '../../print/steps.ts';
import {
  assertMeansSigning,
  FLOW_OPTIONS,
  ONE_BY_ONE_OPTION,
  wantsToSign,
  withdrawalFields,
  YIELD_FIELDS,
} from './context.ts';
import { RECEIPT_FIELDS } from './journal.ts';
import { completeYield, operate } from './operate.ts';
import { isBest } from './target.ts';

const WALLET = '11111111111111111111111111111112';
const OPERATION = `--provider provider_a --chain-name solana --asset USDC --wallet ${WALLET} --amount 25`;

const FLOW = '--chain-name solana --asset USDC --amount 25';
const LEGS = '--provider-out provider_a --provider-in provider_b';

const FIELDS = {
  deposit: YIELD_FIELDS,
  withdraw: withdrawalFields('provider'),
  rebalance: withdrawalFields('provider_out'),
} as const;

const SIGNING =
  'Without --sign or --broadcast it prints what the service built. With them the transaction is reviewed against what was asked, shown, signed and sent; --wallet is then the address of the key.';

const TOGETHER =
  'Two transactions go to the service by one call. A node, the result or the positions must show that both landed. --one-by-one sends them by two calls, the second after the first has landed. A node always gets them one by one.';

const CHOOSING =
  'Without --provider-in the money goes from --provider-out to the provider with the best rate now. bursar reads the rates from the service, prints them, and asks before it signs. If the money is there already, nothing is done.';

/** Prints the next command after a dialogue: the user has an unsigned transaction now. */
const printNext = async (cli: CommandContext): Promise<void> => {
  if (cli.equivalentArgs === undefined) return;
  await cli.printNote('Nothing has moved: the transaction is built, not signed. To review, sign and send one:');
  await cli.printNote(nextLine(cli, nextStep('again.broadcast', cli.equivalentArgs)));
};

/** After a dialogue, the summary of what is built. A complete command line prints the transaction, as it asked for it. */
const summaryOf = async (
  action: YieldAction,
  data: unknown,
  input: Input,
  { equivalentArgs }: CommandContext,
): Promise<Summary | undefined> => {
  if (equivalentArgs === undefined) return undefined;
  const [{ inWords, yieldRequestOf }, { builtSummary }] = await Promise.all([
    import('../../../flows/yield/request.ts'),
    import('../../summaries/yield-summary.ts'),
  ]);
  return builtSummary(inWords(yieldRequestOf(action, input).intent), data);
};

/** The last question of a dialogue: whether to send what is built. Throws `invalid_input` until it is answered. */
const assertAnswered = (given: ParsedArgs): void => {
  // It stands last: Esc at the first question leaves the others open.
  const isLast = given['amount'] !== undefined || given['body'] !== undefined;
  if (given['broadcast'] !== undefined || !isLast) return;
  throw new Failure('invalid_input', 'missing: --broadcast', {
    errors: [{ field: 'broadcast', option: '--broadcast', message: 'required', isMissing: true }],
  });
};

/**
 * A dialogue about a move asks for its source, then for its target, then for the amount. False if no provider yields more,
 * so that there is nothing to ask.
 */
const hasTarget = async (cli: CommandContext, given: ParsedArgs): Promise<boolean> => {
  const isGiven = (...names: readonly string[]) => names.some((name) => given[name] !== undefined);
  if (!cli.io.prompt.isPossible || isGiven('provider', 'provider-in', 'body', 'amount')) return true;
  const wallet = stringArg(given, 'wallet') ?? stringArg(given, 'signer') ?? stringArg(given, 'key');
  const [asset, out] = [stringArg(given, 'asset'), stringArg(given, 'provider-out')];
  const source = required({ '--wallet': wallet, '--asset': asset, '--provider-out': out });
  if (isDryRun(cli)) return true;
  if (await isBest(cli, source['--asset'], source['--provider-out'])) return false;
  required<string>({ '--provider-in': undefined, '--amount': undefined });
  return true;
};

/** Signs, and sends if that was asked. */
const operateFunded = (cli: CommandContext, given: ParsedArgs, name: YieldAction): Promise<void> =>
  withFunding(
    cli,
    () => operate(cli, given, name),
    () => operateFunded(cli, given, name),
  );

const FIRST_ALONE =
  'note: this is the first call alone. What is signed and sent follows from its answer: yield broadcast --curl shows that call.';

/** The command of an operation: builds the transaction, and signs and sends it on request. */
const actionCommand = (name: YieldAction, endpoint: Endpoint, examples: readonly string[], more?: string): Command => {
  const options = name === 'rebalance' ? [...FLOW_OPTIONS, ONE_BY_ONE_OPTION] : FLOW_OPTIONS;
  const building = derive(endpoint, {
    fields: FIELDS[name],
    complete: completeYield,
    validate: checkYieldAmount,
    options,
    examples,
    after: printNext,
    summary: (data, input, cli) => summaryOf(name, data, input, cli),
    noEnvelopeWith: ['sign', 'broadcast'],
  });
  return {
    ...building,
    about: [...(more ? [more] : []), SIGNING, ...(name === 'rebalance' ? [TOGETHER] : [])],
    calls: [
      endpoint.id,
      ...(more === CHOOSING ? (['yield.strategies-of'] as const) : []),
      'yield.broadcast',
      'yield.earnings',
    ],
    // A signed or sent operation prints a receipt; a built one prints the result of the service.
    answers: () => ({ names: [...RECEIPT_FIELDS, ...(declaredFields(endpoint)?.names ?? [])], isOpen: true }),
    fails: ['refused_by_review', 'not_final', 'payment_failed'],
    run: async (cli, given) => {
      assertMeansSigning(given);
      if (name === 'rebalance' && !(await hasTarget(cli, given))) return;
      if (wantsToSign(given) && isDryRun(cli)) await cli.printNote(FIRST_ALONE);
      const isBuilt = !wantsToSign(given) || isDryRun(cli);
      if (isBuilt && cli.equivalentArgs !== undefined && !isDryRun(cli)) assertAnswered(given);
      if (isBuilt) return building.run(cli, given);
      await printTargetService(cli);
      return namingOptions(operateFunded(cli, given, name), optionNamer(fieldList(endpoint), {}));
    },
  };
};

/** `yield deposit`. */
export const depositCommand = actionCommand('deposit', deposit, [
  `yield deposit ${OPERATION}`,
  `yield deposit ${FLOW} --provider provider_a --key savings --broadcast`,
]);

/** `yield withdraw`. */
export const withdrawCommand = actionCommand('withdraw', withdraw, [
  `yield withdraw ${OPERATION}`,
  `yield withdraw ${FLOW} --provider provider_a --key savings --sign --json`,
]);

/** `yield rebalance`. */
export const rebalanceCommand = actionCommand(
  'rebalance',
  rebalance,
  [
    `yield rebalance --wallet ${WALLET} ${FLOW} ${LEGS}`,
    `yield rebalance ${FLOW} --provider-out provider_a --key savings --broadcast`,
    `yield rebalance ${FLOW} ${LEGS} --key savings --broadcast --yes --json`,
  ],
  CHOOSING,
);
