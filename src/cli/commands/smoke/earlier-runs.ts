import { Failure, isFailure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { type NextStep, nextStep } from '../../../core/next.ts';
import { claim } from '../../../io/files/claim.ts';
import { supersede } from '../../../journal/amend.ts';
import { isOfYield } from '../../../journal/intents.ts';
import { mayBeSent, type OperationState } from '../../../journal/operation-state.ts';
import { allStates } from '../../../journal/overview.ts';
import { isTerminal, statusOf, wireStatusOf } from '../../../journal/status.ts';
import type { Flow } from '../../../smoke/flow.ts';
import {
  type Doubt,
  hasSameFlows,
  hasSameSecrets,
  isSameRun,
  type OpenRun,
  openRun,
  openRuns,
  pathOfRun,
  type RunSubject,
  readRun,
} from '../../../smoke/run-journal.ts';
import type { CommandContext } from '../../command/command.ts';
import { isLeftOut, repeated } from '../../print/next-command.ts';

/**
 * The flow and the step of an intent `smoke/RUN-ID/FLOW.STEP`. A step of a called workflow has its path before it: `last` is
 * its own name.
 */
export const placeOf = ({ started }: OperationState) => {
  const parts = (started.intent_key ?? '').split('/').at(-1)?.split('.') ?? [];
  const [flow = '', step = ''] = parts;
  // A step that was reached again has the number of its visit at the end.
  const isAgain = parts.length > 2 && /^\d+$/.test(parts.at(-1) ?? '');
  const last = parts.at(isAgain ? -2 : -1) ?? step;
  return { flow, step, last, isOwn: parts.length === 2 };
};

/** The operations of a run. */
export const operationsOf = async ({ io }: CommandContext, runId: string): Promise<readonly OperationState[]> => {
  const found: OperationState[] = [];
  for await (const state of allStates(io))
    if (state.started.intent_key?.startsWith(`smoke/${runId}/`)) found.push(state);
  return found;
};

/** Whether an operation may have sent something, and did not end. */
export const isDoubtful = (state: OperationState): boolean =>
  statusOf(state) === 'in_doubt' || (!isTerminal(state) && state.signed.some(mayBeSent));

/** A run to resume, which this process has claimed. */
export type ResumableRun = {
  readonly run: OpenRun;
  /** Those in doubt, and those of a doubt that another command settled. */
  readonly operations: readonly OperationState[];
  readonly release: () => Promise<void>;
};

/** The same command again. A shell variable replaces each secret input, which a file can declare under any name. */
export const sameCommand = ({ typed }: CommandContext, flows: readonly Flow[]): NextStep => {
  const hidden = flows.flatMap(({ inputs }) => inputs.filter(({ isSecret }) => isSecret).map(({ name }) => name));
  const isOut: typeof isLeftOut = (option, value) =>
    isLeftOut(option, value) ||
    ('flag' in option && option.flag === '--input' && hidden.includes(value.split('=')[0] ?? ''));
  return nextStep('again', repeated(typed, isOut));
};

/** The failure of a command whose flows an earlier run left in doubt, where this command cannot settle that. */
const unsettled = ({ runId }: OpenRun, why: string, next: NextStep): Failure =>
  new Failure('outcome_unknown', `nothing was sent: run ${runId} of the same flows is in doubt, ${why}`, { next });

const isOfDoubt =
  (operation: OperationState) =>
  ({ flow, step }: Doubt): boolean => {
    const place = placeOf(operation);
    return flow === place.flow && step === place.last;
  };

/** Doubts that none of these operations has, such as a charge of a card in the sandbox, or a payment of another run. */
export const foreignDoubts = ({ doubts }: OpenRun, operations: readonly OperationState[]): readonly Doubt[] =>
  doubts.filter((doubt) => !operations.some((operation) => isOfDoubt(operation)(doubt)));

const leaveAlone = async (cli: CommandContext, { runId, subject: { flows } }: OpenRun): Promise<undefined> => {
  await cli.warn(`run ${runId} of ${flows.join(', ')} is in doubt: its own command resumes it`);
  return undefined;
};

/** Ends the operations of a run that sent nothing, so that no later resume sends them beside those of the next run. */
export const endUnsent = async (cli: CommandContext, operations: readonly OperationState[]): Promise<void> => {
  // A payer who is verified meanwhile can go on.
  const isUnsent = (one: OperationState) =>
    !isTerminal(one) && !isDoubtful(one) && wireStatusOf(one) !== 'needs_identity';
  for (const state of operations.filter(isUnsent)) {
    try {
      await supersede(cli.io, state);
    } catch (error) {
      if (!isFailure(error)) throw error;
      await cli.warn(`${state.id} stays open: ${error.message}`);
    }
  }
};

/** What a run that nobody works on needs: a resume, or only its end. Throws if this command must not start anew. */
const resumable = async (
  cli: CommandContext,
  run: OpenRun,
  subject: RunSubject,
): Promise<readonly OperationState[] | undefined> => {
  const operations = await operationsOf(cli, run.runId);
  // A flow that ended otherwise keeps its end, also where its payment was taken and is not final.
  const isOpen = (operation: OperationState) => [undefined, 'in_doubt'].includes(run.statuses[placeOf(operation).flow]);
  const doubtful = operations.filter((operation) => isDoubtful(operation) && isOpen(operation));
  const ended = operations.filter((each) => !isDoubtful(each) && run.doubts.some(isOfDoubt(each)));
  const foreign = foreignDoubts(run, operations);
  const isSame = isSameRun(run.subject, subject);
  const isOwn = isSame && hasSameSecrets(run.subject, subject);
  const [first] = doubtful;
  if (first !== undefined && isSame && !isOwn) {
    const isOtherKey = run.subject.asker !== subject.asker;
    const resume = isOtherKey ? 'operation.resume.new_api_key' : 'operation.resume.earlier';
    const area = isOfYield(first.started.intent) ? 'yield' : 'pay';
    const why = `and it had ${isOtherKey ? 'another API key' : 'other secret inputs'}`;
    throw unsettled(run, why, nextStep(resume, area, first.id));
  }
  if (first !== undefined) return isSame ? [...doubtful, ...ended] : leaveAlone(cli, run);
  // A file that was edited since is no other one.
  if (foreign.length > 0 && !hasSameFlows(run.subject, subject)) return leaveAlone(cli, run);
  // Another command settled it. Exit 11 promised that the same command pays nothing twice: it reports the end once.
  if (foreign.length === 0 && ended.length > 0) return isOwn ? ended : undefined;
  await openRun(cli.io, run.runId).end('failed');
  await endUnsent(cli, operations);
  if (foreign.length === 0) return undefined;
  // This is shown once. The next run is on purpose.
  const doubts = foreign.map(({ flow, step, text }) => `step ${step} of ${flow}: ${text}`);
  const why = `and bursar cannot settle ${doubts.join('; ')}. Check it, then run the command again`;
  throw unsettled(run, why, nextStep('operation.list', 'pay'));
};

/**
 * The newest run of the same flows that ended in doubt. Runs that were cut off and left nothing in doubt are closed. A run
 * of other flows stays as it is, and so does one that its own process works on. Throws `outcome_unknown` where a new run
 * could pay what an earlier one may have paid.
 */
export const findResumable = async (
  cli: CommandContext,
  subject: RunSubject,
  again: NextStep,
): Promise<ResumableRun | undefined> => {
  const { io } = cli;
  for (const run of await openRuns(io, subject)) {
    const claiming = await claim(io, pathOfRun(io, run.runId));
    if ('holder' in claiming) {
      const { holder } = claiming;
      const isResumed = run.hasEnded || printJson(holder.process ?? null) !== run.process;
      if (isResumed && isSameRun(run.subject, subject))
        throw unsettled(run, `and another process resumes it. ${holder.advice}`, again);
      continue;
    }
    const { release } = claiming.claim;
    let operations: readonly OperationState[] | undefined;
    try {
      // Its process may have ended it since it was read.
      const now = await readRun(io, run.runId);
      operations = now && (await resumable(cli, now, subject));
      if (now && operations) return { run: now, operations, release };
    } finally {
      if (!operations) await release();
    }
  }
  return undefined;
};
