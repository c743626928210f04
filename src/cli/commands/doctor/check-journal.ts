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
  const noun = areaOf(state) === 'pay' ? 'payment' : 'operation';
  const message = `the ${noun} ${state.id} of profile ${state.started.profile} is ${wireStatusOf(state)}`;
  const next = await forProfile(cli, state.started.profile, nextStep(`${areaOf(state)}.resume`, state.id));
  return warn('journal', message, next);
};

/** Finds damaged journal files, and operations that are not finished. */
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
      const findings = [
        ...damaged.map((damage) => failed('journal', damage)),
        ...(await Promise.all(open.map((state) => unfinished(cli, state)))),
      ];
      return findings.length > 0
        ? findings
        : [ok('journal', `${count} ${count === 1 ? 'operation' : 'operations'}, none open`)];
    })(),
  );
