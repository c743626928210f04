import { worstOf } from '../../chain/review/check.ts';
import { totals } from '../../chain/review/check-limits.ts';
import { isOfToken, limitsSomething, type Outflow } from '../../chain/review/policy.ts';
import type { Service } from '../../client/service.ts';
import { compareDecimals, isDecimal } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import { escapeText, inSentence } from '../../core/text.ts';
import type { CommandContext } from '../command/command.ts';
import { confirming } from '../print/next-command.ts';
import type { ShownReview } from '../print/show-review.ts';
import type { Profile } from '../profiles/profile.ts';
import { limitsBeside, serviceOf } from '../profiles/selection.ts';
import { askAboutDoubts, askToType, confirmMoving, serviceInWords } from '../prompt/confirming.ts';

/** The threshold of every token without its own. */
const ANY = '*';

type Thresholds = Readonly<Record<string, string>>;

/** The limits of a profile that applies. */
type Limits = Pick<Profile, 'policy' | 'type_amount_above'>;

const isLimited = ({ policy }: Limits): boolean => limitsSomething(policy);

/** The service of the amounts. Bytes that are signed without a service count as live. */
const serviceOfAmounts = async (cli: CommandContext): Promise<Pick<Service, 'profile' | 'kind'>> => {
  const selection = await cli.selection();
  return selection.as === 'nothing' ? serviceOf(selection, 'live') : cli.service();
};

/**
 * The thresholds for typed amounts on a live service, by token: those of the current profile and of each further profile
 * that applies. `isReplaced` leaves out the thresholds of a profile.
 */
const thresholdsOf = async (cli: CommandContext, isReplaced: (limits: Limits) => boolean, isOffline?: boolean) => {
  const further = limitsBeside(await cli.selection(), isOffline);
  const all = [await cli.profile(), ...further].filter((limits) => !isReplaced(limits));
  const some = all.flatMap(({ type_amount_above: above = {} }) => (Object.keys(above).length > 0 ? [above] : []));
  return some.length > 0 && (await serviceOfAmounts(cli)).kind === 'live' ? some : [];
};

/** Whether an outflow exceeds a threshold. Amounts of an unknown token are not comparable and always exceed it. */
const isAboveOne = (thresholds: Thresholds, outflow: Outflow): boolean => {
  const own = Object.entries(thresholds).find(([name]) => isOfToken(name, outflow))?.[1];
  const threshold = own ?? thresholds[ANY];
  if (threshold === undefined) return false;
  return outflow.token === outflow.address || compareDecimals(outflow.amount, threshold) > 0;
};

const isAbove = (all: readonly Thresholds[], outflow: Outflow): boolean =>
  all.some((thresholds) => isAboveOne(thresholds, outflow));

/** The outflows whose amount the user must type before signing. A policy replaces the thresholds of its profile. */
const amountsToType = async (cli: CommandContext, outflows: readonly Outflow[], isOffline?: boolean) => {
  const thresholds = await thresholdsOf(cli, isLimited, isOffline);
  return outflows.filter((outflow) => isAbove(thresholds, outflow));
};

const isSameAmount = (typed: string, amount: string): boolean =>
  isDecimal(typed) && compareDecimals(typed, amount) === 0;

/** The texts of a prompt for an amount: the warning before it, the action, and the hint after a wrong amount. */
type Wording = { readonly danger: string; readonly to: 'sign it' | 'charge it'; readonly undone: string };

const typeAmount = async (cli: CommandContext, { amount, token }: Outflow, { danger, to, undone }: Wording) => {
  let typed: string | undefined;
  const isTyped = async (): Promise<boolean> => {
    typed = (await askToType(cli, escapeText(danger), `Type the amount of ${inSentence(token)} to ${to}:`))?.trim();
    return typed === undefined || isSameAmount(typed, amount);
  };
  if (await confirming(cli.impliedOptions, isTyped)) return;
  throw new Failure('refused_by_review', `the amount is ${amount} ${inSentence(token)}, but you typed "${typed}"`, {
    errors: [{ field: 'typed_amount', message: `expected ${amount}, found ${typed}` }],
    hint: undone,
    isDeclined: true,
  });
};

/**
 * Prompts the user to type each amount; 1000.00 equals 1000. `doubt` starts the warning. Throws `refused_by_review` for
 * another amount, and `confirmation_needed` without a terminal and without --yes.
 */
const typeAmounts = async (
  cli: CommandContext,
  { doubt, chain }: { readonly doubt: string; readonly chain: string },
  amounts: readonly Outflow[],
): Promise<void> => {
  const service = serviceInWords(await serviceOfAmounts(cli));
  for (const outflow of amounts) {
    const { amount, token } = outflow;
    const danger = `${doubt}${inSentence(amount)} ${inSentence(token)} on ${inSentence(chain)} (${service}) will leave.`;
    await typeAmount(cli, outflow, { danger, to: 'sign it', undone: 'Nothing was signed or sent now.' });
  }
};

/**
 * Prompts the user to type the amount of a card charge above the profile's threshold. A policy does not replace it,
 * because policies do not cover cards. `false` if a yes is enough. Throws as `typeAmounts` does.
 */
export const typeCharge = async (cli: CommandContext, amount: string, currency: string): Promise<boolean> => {
  const outflow = { token: currency, amount };
  if (!isAbove(await thresholdsOf(cli, () => false), outflow)) return false;
  const danger = `${inSentence(amount)} ${inSentence(currency)} will be charged to the card (${serviceInWords(await cli.service())}).`;
  await typeAmount(cli, outflow, { danger, to: 'charge it', undone: 'Nothing was sent.' });
  return true;
};

/** What the user approves: the reviews of one signature, or of several signatures of one operation. */
export type ApprovalRequest = {
  readonly reviews: readonly Pick<ShownReview, 'chain' | 'checks' | 'outflows'>[];
  /** The question if a check needs confirmation. */
  readonly doubtful: string;
  /** The question if all checks pass; left out if a signature alone needs no confirmation. */
  readonly question?: string | undefined;
  /** Whether the bytes are signed without a service. The limits of the default profile then apply too. */
  readonly isOffline?: boolean;
};

/**
 * Asks the user to approve reviews without a refused check. Above the limit of a live profile without a policy the
 * user types the amount in place of a yes. Throws `refused_by_review` for another amount. Without a terminal it
 * throws `refused_by_review` for doubts, and `confirmation_needed` for any other question.
 */
export const approveReviews = async (
  cli: CommandContext,
  { reviews, doubtful, question, isOffline }: ApprovalRequest,
): Promise<boolean> => {
  const checks = reviews.flatMap((review) => review.checks);
  const isDoubtful = worstOf(checks) !== 'pass';
  const leaving = totals(reviews.flatMap(({ outflows }) => outflows));
  const amounts = await amountsToType(cli, leaving, isOffline);
  // --yes replaces the typed amount, and confirms no doubt.
  const isTyped = amounts.length > 0 && !(isDoubtful && (cli.globals.yes || !cli.io.prompt.isPossible));
  if (isTyped) {
    const doubt = isDoubtful ? 'Some checks need your confirmation. ' : '';
    await typeAmounts(cli, { doubt, chain: reviews[0]?.chain ?? '' }, amounts);
    return true;
  }
  if (isDoubtful) return askAboutDoubts(cli, checks, doubtful);
  return question === undefined ? true : confirmMoving(cli, question);
};
