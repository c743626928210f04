import type { Io } from '../../io/io.ts';
import { type Intent, isChargeIntent, isOfYield, isRelayIntent, isYieldIntent } from '../../journal/intents.ts';
import { namedStates } from '../../journal/naming.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { isTerminal, wireStatusOf } from '../../journal/status.ts';
import { relativeTime } from '../../output/terminal-text.ts';

/** The name of an operation in a sentence. The command of a withdrawal is a verb. */
export const nounOf = (operation: string): string => (operation === 'withdraw' ? 'withdrawal' : operation);

const METHODS = { pix: 'by Pix', card: 'by card' } as const;

/** The amount of an operation, and its method or chain, such as "10 USDT on polygon". */
const whatOf = (intent: Intent): string => {
  const amount =
    'amount' in intent ? `${intent.amount} ${'asset' in intent ? intent.asset : intent.currency}` : undefined;
  if (isChargeIntent(intent)) return `${amount} ${METHODS[intent.operation]}`;
  const namedIntent = isYieldIntent(intent) || isRelayIntent(intent) || amount === undefined ? intent : undefined;
  const named = namedIntent && 'operation' in namedIntent ? nounOf(namedIntent.operation) : undefined;
  const what = [named, amount].filter(Boolean).join(' of ');
  return 'chain' in intent ? `${what} on ${intent.chain}` : what;
};

const receiversOf = (intent: Intent): string => {
  const [first, ...others] = 'receivers' in intent ? intent.receivers : [];
  if (first === undefined) return '';
  return ` to ${first.wallet}${others.length === 0 ? '' : ` and ${others.length} more`}`;
};

const ageOf = ({ started_at }: OperationState, now: number): string => relativeTime(started_at, now) ?? started_at;

const statusInWords = (state: OperationState): string => wireStatusOf(state).replaceAll('_', ' ');

/** A short description of an operation: amount, state and age. */
export const briefOf = (state: OperationState, now: number): string =>
  `${whatOf(state.started.intent)}, ${statusInWords(state)}, ${ageOf(state, now)}`;

/** An operation as an entry of a selection: amount, receivers, state, age and id. */
export const choiceOf = (state: OperationState, now: number): string => {
  const { intent } = state.started;
  const id = state.payment_id ?? state.id;
  return `${whatOf(intent)}${receiversOf(intent)}, ${statusInWords(state)}, ${ageOf(state, now)} (${id})`;
};

/** Operations of an area, newest first, as values for a command: each by the id that names it. */
export const operationChoices = async (io: Io, ofYield: boolean, most: number) => {
  const named = await namedStates(io, ({ started }) => isOfYield(started.intent) === ofYield);
  return named.slice(0, most).map(({ state, name: value }) => ({
    name: `${value} (${isTerminal(state) ? '' : 'open, '}${briefOf(state, io.clock.now())})`,
    value,
    alias: value === state.id ? state.payment_id : state.id,
  }));
};

/** The line that names a resumed operation, before any question about it. */
export const resumedInWords = (state: OperationState, now: number): string => {
  const { intent, profile } = state.started;
  const id = state.payment_id ?? state.id;
  return `Resuming ${whatOf(intent)} (${profile}), started ${ageOf(state, now)}, ${statusInWords(state)}: ${id}`;
};
