import { Failure } from '../../../core/failure.ts';
import type { Applied } from '../../../flows/order/apply.ts';
import type { Action, Planned } from '../../../flows/order/planned.ts';
import type { CommandContext } from '../../context/context.ts';

type Result = Planned & { readonly outcome?: Applied['outcome'] | 'planned'; readonly done?: readonly Action[] };

/** An order of the answer. A file counts its orders from 0, as errors do. */
const rowOf = ({ at, id, actions, changes, outcome = 'planned', done }: Result) => ({
  order: at ?? null,
  id: id ?? null,
  actions,
  outcome,
  ...(done && { done }),
  changes,
});

/** What became of each order, or is to become of it, for scripts. */
export const answerOf = async (cli: CommandContext, results: readonly Result[]) => {
  const { profile, kind } = await cli.service();
  return { orders: results.map(rowOf), profile, kind };
};

/** The same as a list. */
export const tableOf = (results: readonly Result[]) =>
  results.map(rowOf).map(({ order, id, actions, outcome }) => ({ order, id, actions: actions.join(' '), outcome }));

/** A run that stopped: how far it came, and that what is done is not done twice. */
export const incomplete = (failure: Failure, applied: readonly Applied[], document: unknown): Failure => {
  const todo = applied.filter(({ actions }) => actions.length > 0);
  const done = todo.filter(({ outcome }) => outcome === 'done').length;
  const hint = `${done} of ${todo.length} orders are done. Applied again, what is done is not done twice. ${failure.details.hint ?? ''}`;
  return new Failure(failure.code, failure.sentence, {
    ...failure.details,
    hint: hint.trim(),
    data: document,
    cause: failure,
  });
};
