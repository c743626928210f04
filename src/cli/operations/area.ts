import type { Intent } from '../../journal/intents.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import type { Summary } from '../../output/summary.ts';
import type { CommandContext } from '../context/context.ts';
import type { OperationStateName } from './states.ts';

/** One area of the commands on the journal: payments or yield operations. */
export type OperationArea = {
  readonly area: 'pay' | 'yield';
  /** The name of one operation of the area, such as "payment". */
  readonly noun: string;
  /** The command that starts an operation. */
  readonly begin: string;
  /** Whether an intent belongs to this area. */
  readonly isOwn: (intent: Intent) => boolean;
  /** The states that an operation of this area can have. */
  readonly states: readonly OperationStateName[];
  /** The names of `facts`. */
  readonly factNames: readonly string[];
  /** The columns of a list that only this area has. */
  readonly facts: (state: OperationState) => Readonly<Record<string, unknown>>;
  /** The columns of a list on a terminal, the most important first. */
  readonly inList: (row: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The summary of a receipt on a terminal. */
  readonly summary: (receipt: unknown) => Promise<Summary | undefined>;
};

/** Prints the receipt of an operation. */
export const printReceipt = (
  { summary }: OperationArea,
  print: CommandContext['printResult' | 'printCommitted'],
  receipt: unknown,
): Promise<void> => print(receipt, receipt, { summary: () => summary(receipt) });

/** The article of a noun. */
export const article = (noun: string): 'a' | 'an' => (/^[aeiou]/.test(noun) ? 'an' : 'a');
