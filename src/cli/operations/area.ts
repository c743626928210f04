import type { Intent } from '../../journal/intents.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import type { Summary } from '../../output/summary.ts';
import type { CommandContext } from '../context/context.ts';
import type { OperationStateName } from './states.ts';

/** What the commands on the journal need to know of their area. */
export type OperationArea = {
  readonly area: 'pay' | 'yield';
  /** What one of its operations is called. */
  readonly noun: string;
  /** How one is begun. */
  readonly begin: string;
  /** Whether an operation is of this area. */
  readonly isOwn: (intent: Intent) => boolean;
  /** Where one of them may stand. */
  readonly states: readonly OperationStateName[];
  /** The names of those facts. */
  readonly factNames: readonly string[];
  /** What a list shows of an operation, beside when it was begun and where it stands. */
  readonly facts: (state: OperationState) => Readonly<Record<string, unknown>>;
  /** What a person's list shows of one, the most important first. */
  readonly inList: (row: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** What a person is told of a receipt. */
  readonly summary: (receipt: unknown) => Promise<Summary | undefined>;
};

/** Tells what an operation came to. */
export const printReceipt = (
  { summary }: OperationArea,
  tell: CommandContext['printResult' | 'printCommitted'],
  receipt: unknown,
): Promise<void> => tell(receipt, receipt, { summary: () => summary(receipt) });

/** The article of a noun. */
export const article = (noun: string): 'a' | 'an' => (/^[aeiou]/.test(noun) ? 'an' : 'a');
