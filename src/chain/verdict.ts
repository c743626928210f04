/**
 * What a review says of one thing it looked at.
 * - `fine`: it is as asked, or there is nothing to hold it against and nothing wrong with it.
 * - `needs_word`: it cannot be judged; only the user can say yes.
 * - `refused`: it contradicts what was asked. No answer of the user changes that.
 */
export type Verdict = 'fine' | 'needs_word' | 'refused';

/** One thing a review looked at. `says` is a sentence for the user. */
export type Check = {
  /** Names the thing, for scripts: `chain`, `token`, `amount`, `receivers`, … */
  readonly id: string;
  readonly verdict: Verdict;
  readonly says: string;
  /** The option that gives the user's word for it. Without one, an answer to a question is enough. */
  readonly allow_with?: string;
};

const RANK: Readonly<Record<Verdict, number>> = { fine: 0, needs_word: 1, refused: 2 };

/** The verdict of a whole review: that of its worst check. */
export const worstOf = (checks: readonly Check[]): Verdict =>
  checks.reduce<Verdict>((worst, { verdict }) => (RANK[verdict] > RANK[worst] ? verdict : worst), 'fine');

/** The same checks, the worst first, otherwise in their order. */
export const worstFirst = (checks: readonly Check[]): readonly Check[] =>
  checks.toSorted((a, b) => RANK[b.verdict] - RANK[a.verdict]);

/** A check with nothing against it. */
export const fine = (id: string, says: string): Check => ({ id, verdict: 'fine', says });

const allowedWith = (allowWith: string | undefined) => (allowWith === undefined ? {} : { allow_with: allowWith });

/** `allowWith` is the option that would make it another matter, where there is one. */
export const refused = (id: string, says: string, allowWith?: string): Check => ({
  id,
  verdict: 'refused',
  says,
  ...allowedWith(allowWith),
});

/** `allowWith` is the option that gives the word; leave it out where a plain yes is enough. */
export const needsWord = (id: string, says: string, allowWith?: string): Check => ({
  id,
  verdict: 'needs_word',
  says,
  ...allowedWith(allowWith),
});
