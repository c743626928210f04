import type { Io } from '../io/io.ts';
import { isOperationId } from './file-store.ts';
import type { OperationState } from './operation-state.ts';
import { allStates } from './overview.ts';
import { isTerminal, mayHaveMoved } from './status.ts';

/** The id that names the newest operation of a payment: the payment id, once it exists. Commands take both ids. */
export const newestId = ({ id, payment_id }: Pick<OperationState, 'id' | 'payment_id'>): string =>
  payment_id === undefined || payment_id === '' || isOperationId(payment_id) ? id : payment_id;

/**
 * The operation that a payment id names. In this order: one in doubt, the end of the payment, the newest unfinished one, the
 * newest. A Pix that expired is no end of its payment, because another can be made. `states` are all operations of the
 * payment, newest first.
 */
export const namedOperation = (states: readonly OperationState[]): OperationState | undefined =>
  states.find((state) => !isTerminal(state) && mayHaveMoved(state)) ??
  states.find(({ stage, status }) => stage === 'ended' && status !== 'expired') ??
  states.find((state) => !isTerminal(state)) ??
  states.find(({ stage }) => stage === 'ended') ??
  states.find(mayHaveMoved) ??
  states[0];

/** Operations, newest first, each with the id that names it: its payment id, or its own where that names another. */
export const namedStates = async (io: Io, isMeant: (state: OperationState) => boolean) => {
  const states: OperationState[] = [];
  for await (const state of allStates(io, () => undefined)) if (isMeant(state)) states.push(state);
  const payments = new Map<string, OperationState[]>();
  for (const state of states) payments.set(newestId(state), [...(payments.get(newestId(state)) ?? []), state]);
  return states.map((state) => {
    const id = newestId(state);
    return { state, name: namedOperation(payments.get(id) ?? [])?.id === state.id ? id : state.id };
  });
};
