import { type Check, worstOf } from '../../chain/review/check.ts';
import { totals } from '../../chain/review/check-limits.ts';
import type { Outflow } from '../../chain/review/footprint.ts';
import type { CommandContext } from '../context/context.ts';
import { amountsToType, typeAmounts } from '../profiles/typed-amount.ts';
import { askAboutDoubts, confirmMoving } from '../prompt/confirming.ts';

/** What the user approves: the reviews of one signature, or of several signatures of one operation. */
export type ApprovalRequest = {
  readonly reviews: readonly {
    readonly chain: string;
    readonly checks: readonly Check[];
    readonly outflows: readonly Outflow[];
  }[];
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
