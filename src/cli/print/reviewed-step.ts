import type { CommandContext } from '../context/context.ts';
import { ownNames, withNames } from './known-names.ts';
import { reviewLines, type ShownReview } from './show-review.ts';
import { step } from './steps.ts';

/** The step of a review, with the review in words below it. */
export const reviewedStep = async (cli: CommandContext, review: ShownReview, elapsed: number): Promise<string> => {
  const named = withNames(review, await ownNames(cli.io));
  const head = step(cli, 'reviewed', `${review.checks.length} checks`, elapsed, review.verdict);
  return `${head}\n${reviewLines(cli, named)}`.trimEnd();
};
