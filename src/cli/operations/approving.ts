import { type Check, worstOf } from '../../chain/review/check.ts';
import { totals } from '../../chain/review/check-limits.ts';
import type { Outflow } from '../../chain/review/footprint.ts';
import type { CommandContext } from '../context/context.ts';
import { amountsToType, typeAmounts } from '../profiles/typed-amount.ts';
import { askAboutDoubts, confirmMoving } from '../prompt/confirming.ts';

/** What the user is asked to approve: the reviews of one signature or of several that belong together. */
export type ApprovalRequest = {
  readonly reviews: readonly {
    readonly chain: string;
    readonly checks: readonly Check[];
    readonly outflows: readonly Outflow[];
  }[];
  /** What is asked where the reviews have doubts. */
  readonly doubtful: string;
  /** What is asked where they have none; left out where a signature alone needs no word. */
  readonly question?: string | undefined;
  /** Whether the bytes are signed without a service: the limits of the user's default profile hold too. */
  readonly isOffline?: boolean;
};

/**
 * The user's answer to reviews that are not refused. Above the amounts of a live profile without a policy it is the
 * amount itself, in place of a yes. Throws `refused_by_review` for another amount, and for doubts that nobody can be
 * asked about; `confirmation_needed` for any other question that nobody can be asked.
 */
export const approveReviews = async (
  cli: CommandContext,
  { reviews, doubtful, question, isOffline }: ApprovalRequest,
): Promise<boolean> => {
  const checks = reviews.flatMap((review) => review.checks);
  const isDoubtful = worstOf(checks) !== 'pass';
  const leaving = totals(reviews.flatMap(({ outflows }) => outflows));
  const amounts = await amountsToType(cli, leaving, isOffline);
  // --yes stands for what is typed, and vouches for no doubt.
  const isTyped = amounts.length > 0 && !(isDoubtful && (cli.globals.yes || !cli.io.prompt.isPossible));
  if (isTyped) {
    const doubt = isDoubtful ? 'Some checks need your confirmation. ' : '';
    await typeAmounts(cli, { doubt, chain: reviews[0]?.chain ?? '' }, amounts);
    return true;
  }
  if (isDoubtful) return askAboutDoubts(cli, checks, doubtful);
  return question === undefined ? true : confirmMoving(cli, question);
};
