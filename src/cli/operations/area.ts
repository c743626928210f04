import { Failure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { WIRE_ID, WIRE_STARTED_AT } from '../../core/wire-names.ts';
import type { Io } from '../../io/io.ts';
import { isOperationId } from '../../journal/file-store.ts';
import type { Intent } from '../../journal/intents.ts';
import { paymentKey } from '../../journal/keys.ts';
import { statesUnder } from '../../journal/look-up.ts';
import { namedOperation, newestId } from '../../journal/naming.ts';
import { hashSent, type OperationState } from '../../journal/operation-state.ts';
import { allStates } from '../../journal/overview.ts';
import { type OnDamage, readState } from '../../journal/states.ts';
import { isTerminal, mayHaveMoved, wireStatusOf } from '../../journal/status.ts';
import type { Summary } from '../../output/summary.ts';
import type { CommandContext } from '../command/command.ts';
import type { Argument } from '../command/options.ts';
import { undefinedOnFailure } from '../context/failures.ts';

/** `means` is the explanation in help; `stands` ends a sentence about an operation in this state. */
type StateWords = { readonly means: string; readonly stands?: string };

/** The states of an operation in words: those of `wireStatusOf` of the journal. */
export const OPERATION_STATES = {
  success: { means: 'it ended well', stands: 'was made' },
  error: { means: 'it ended in error', stands: 'ended in error' },
  expired: { means: 'nobody paid its Pix in time' },
  settled: { means: 'it has landed', stands: 'was done' },
  set_aside: { means: 'given up, or another took its place' },
  sent: { means: 'its transaction or card was taken, and the end is not known yet', stands: 'was sent' },
  in_doubt: {
    means: 'its transaction or card may have been sent',
    stands: 'is in doubt: it may have been sent',
  },
  payable: { means: 'a Pix that waits for its payer', stands: 'waits for its payer' },
  needs_identity: { means: 'its payer is to be verified', stands: 'waits for the identity of its payer' },
  declined: {
    means: 'a user said no, or has to confirm it; nothing was sent, and its resume by ID continues it',
    stands: 'waits for your confirmation; nothing was sent',
  },
  unfinished: {
    means: 'nothing was sent that moves money, and it can go on',
    stands: 'is not finished; nothing was sent',
  },
  refused: { means: 'by the review; nothing moved' },
  failed: { means: 'for good; nothing moved' },
  registered: { means: 'pay register alone: over, and without an amount paid' },
  created: { means: 'pay transaction alone: over, and without an amount paid' },
  signed: { means: 'pay sign or yield sign alone: bursar sent nothing; who has the signed bytes can send them' },
} as const satisfies Readonly<Record<string, StateWords>>;

/** The name of a state. */
type OperationStateName = keyof typeof OPERATION_STATES;

/** The states of an area for the help, with their meanings. */
export const statesInWords = (names: readonly OperationStateName[]): string =>
  names.map((name) => `${name} (${OPERATION_STATES[name].means})`).join(', ');

const WORDS: Readonly<Record<string, StateWords | undefined>> = OPERATION_STATES;

/** The state of an operation as the end of a sentence. */
export const standsInWords = (status: string): string => WORDS[status]?.stands ?? `is ${status}`;

/** A row of a list, by column. */
export type ListRow = Readonly<Record<string, unknown>>;

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
  /** The rows of a list on a terminal, with the most important columns first. */
  readonly inList: (rows: readonly ListRow[], ageOf: (startedAt: string) => string) => readonly ListRow[];
  /** The summary of a receipt on a terminal. */
  readonly summary: (receipt: unknown) => Promise<Summary | undefined>;
};

/** Makes the column of a row for a field that a list shows only where its rows differ in it. */
export const whereDiffering = (rows: readonly ListRow[], field: string, column = field) => {
  const differ = rows.some((row) => row[field] !== rows[0]?.[field]);
  return (row: ListRow): ListRow => (differ ? { [column]: row[field] } : {});
};

/** Prints the receipt of an operation. */
export const printReceipt = (
  { summary }: OperationArea,
  print: CommandContext['printResult' | 'printCommitted'],
  receipt: unknown,
): Promise<void> => print(receipt, receipt, { summary: () => summary(receipt) });

/** The article of a noun. */
export const article = (noun: string): 'a' | 'an' => (/^[aeiou]/.test(noun) ? 'an' : 'a');

/** The command that resumes an operation; `undefined` for one that is over. `id` is its own id or its payment id. */
export const resumeCommand = ({ area }: OperationArea, state: OperationState, id: string): NextStep | undefined =>
  isTerminal(state) ? undefined : nextStep(`${area}.resume`, id);

/** The row of an operation in a list. */
export const rowOf = (area: OperationArea, state: OperationState) => ({
  [WIRE_ID]: state.id,
  [WIRE_STARTED_AT]: state.started_at,
  state: wireStatusOf(state),
  ...area.facts(state),
  profile: state.started.profile,
  kind: state.started.kind,
});

/** The state in a row of a resume. It may be an end of another process that the node of this command does not confirm. */
export const stateAfter = (state: string, failure: Failure | undefined): string =>
  failure !== undefined && state === 'success' ? 'sent' : state;

/** Reads the operations of an area, the newest first. A record that cannot be read gives a warning. */
export const statesOf = async function* (
  cli: CommandContext,
  { isOwn }: OperationArea,
  onDamage: OnDamage = ({ message }) => cli.warn(message),
): AsyncGenerator<OperationState> {
  for await (const state of allStates(cli.io, onDamage)) if (isOwn(state.started.intent)) yield state;
};

/** All operations of a payment, newest first. A record that cannot be read goes to `onDamage`. */
const operationsOfPayment = async (
  io: Io,
  paymentId: string,
  onDamage: OnDamage,
  isOwn: OperationArea['isOwn'] = () => true,
): Promise<readonly OperationState[]> => {
  const all: OperationState[] = [];
  for await (const state of statesUnder(io, [paymentKey(paymentId)], onDamage)) {
    if (state.payment_id === paymentId && isOwn(state.started.intent)) all.push(state);
  }
  return all;
};

/** The operation that the newest id of an operation names; `undefined` if the journal cannot be read. */
const operationNamedBy = async ({ io }: CommandContext, state: OperationState): Promise<OperationState | undefined> => {
  const id = newestId(state);
  if (id === state.id) return state;
  return namedOperation((await undefinedOnFailure(operationsOfPayment(io, id, () => undefined))) ?? []);
};

/** The operation that a list of payments shows for an operation. */
export const listedOperation = async (cli: CommandContext, state: OperationState): Promise<OperationState> =>
  (await operationNamedBy(cli, state)) ?? state;

/**
 * The id that names an operation in a command: the payment id, once it exists. The own id, if the payment id names
 * another operation of the payment.
 */
export const usualId = async (cli: CommandContext, state: OperationState): Promise<string> =>
  (await operationNamedBy(cli, state))?.id === state.id ? newestId(state) : state.id;

/**
 * Finds the operation of an id, or all operations of a payment id; first the one that the id names. Throws `not_found`,
 * and `journal_damaged` for a record that cannot be read.
 */
export const findOperations = async (
  cli: CommandContext,
  area: OperationArea,
  id: string,
): Promise<readonly [OperationState, ...OperationState[]]> => {
  if (isOperationId(id)) {
    const state = await readState(cli.io, id);
    if (state && area.isOwn(state.started.intent)) return [state];
  } else {
    const damaged: Failure[] = [];
    const all = await operationsOfPayment(cli.io, id, (damage) => void damaged.push(damage), area.isOwn);
    const named = namedOperation(all);
    // The payment may be in the record that cannot be read.
    if (!named && damaged[0]) throw damaged[0];
    for (const { message } of damaged) await cli.warn(message);
    if (named) return [named, ...all.filter((state) => state !== named)];
  }
  throw new Failure('not_found', `the journal of this machine has no ${area.noun} ${id}`, {
    next: nextStep('operation.list', area.area),
  });
};

/** Finds the operation that an id names: of several of a payment the one of `namedOperation`. Throws as `findOperations`. */
export const findOperation = async (cli: CommandContext, area: OperationArea, id: string): Promise<OperationState> =>
  (await findOperations(cli, area, id))[0];

/** The failure for an operation that was superseded before it landed. Its id or name cannot stand for a success. */
export const supersededEarly = ({ area, noun }: OperationArea, state: OperationState, id: string, hint: string) => {
  const [hash, isSent] = [hashSent(state), mayHaveMoved(state)];
  const what = isSent ? 'it may have been sent' : 'nothing was sent for it';
  return new Failure(isSent ? 'outcome_unknown' : 'rejected', `the ${noun} ${id} was superseded, and ${what}`, {
    data: { [WIRE_ID]: state.id, payment_id: state.payment_id ?? null, hash: hash ?? null, live: isSent },
    hint: `Nothing was sent now. ${hint}`,
    next: nextStep('operation.show', area, id),
  });
};

/** The argument for an operation of an area: its own id, or its payment id. */
export const idOf = (area: 'pay' | 'yield', completes: 'operations' | 'open' = 'operations'): Argument => ({
  name: 'ID',
  description: 'Id of the operation, or of its payment',
  completes: `${area}-${completes}`,
  question: 'Operation',
  suggest: async () => (await import('../prompt/suggestions.ts')).suggestOperations(area === 'yield'),
  whenNone: {
    message: `there is no ${area === 'pay' ? 'payment' : 'yield operation'} yet`,
    next: area === 'pay' ? nextStep('pay.run') : nextStep('yield.deposit'),
  },
});
