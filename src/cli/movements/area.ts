import type { Intent } from '../../journal/entry.ts';
import type { MovementState } from '../../journal/state.ts';

/** What the commands on the journal need to know of their area. */
export type MovementArea = {
  readonly area: 'pay' | 'yield';
  /** What one of its movements is called. */
  readonly noun: string;
  /** Whether a movement is of this area. */
  readonly isOwn: (intent: Intent) => boolean;
  /** What a list shows of a movement, beside when it was begun and where it stands. */
  readonly facts: (state: MovementState) => Readonly<Record<string, unknown>>;
  /** The columns of a narrow terminal. */
  readonly brief: readonly string[];
};

/** The article of a noun. */
export const article = (noun: string): 'a' | 'an' => (/^[aeiou]/.test(noun) ? 'an' : 'a');
