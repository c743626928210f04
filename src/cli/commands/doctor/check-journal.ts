import type { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { isOfYield } from '../../../journal/intents.ts';
import type { OperationState } from '../../../journal/operation-state.ts';
import { allStates } from '../../../journal/overview.ts';
import { isTerminal, wireStatusOf } from '../../../journal/status.ts';
import type { CommandContext } from '../../context/context.ts';
import { forProfile } from '../../print/next-command.ts';
import { type Check, type Finding, failed, ok, orFailed, warn } from './finding.ts';

const areaOf = ({ started: { intent } }: OperationState): 'yield' | 'pay' => (isOfYield(intent) ? 'yield' : 'pay');

const unfinished = async (cli: CommandContext, state: OperationState): Promise<Finding> => {
  const what = areaOf(state) === 'pay' ? 'payment' : 'operation';
  const says = `the ${what} ${state.id} of ${state.started.profile} is ${wireStatusOf(state)}`;
  const next = await forProfile(cli, state.started.profile, nextStep(`${areaOf(state)}.resume`, state.id));
  return warn('journal', says, next);
};

/** What the journal has of movements that are not over, and whether all of it can be read. */
export const checkJournal: Check = (cli) =>
  orFailed(
    'journal',
    (async () => {
      const damaged: Failure[] = [];
      const open: OperationState[] = [];
      let count = 0;
      for await (const state of allStates(cli.io, (damage) => void damaged.push(damage))) {
        count += 1;
        if (!isTerminal(state)) open.push(state);
      }
      const found = [
        ...damaged.map((damage) => failed('journal', damage)),
        ...(await Promise.all(open.map((state) => unfinished(cli, state)))),
      ];
      return found.length > 0
        ? found
        : [ok('journal', `${count} ${count === 1 ? 'movement' : 'movements'}, none open`)];
    })(),
  );
