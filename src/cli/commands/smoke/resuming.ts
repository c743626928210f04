import type { Client } from '../../../client/call.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { printJson, valueAt } from '../../../core/json.ts';
import { commandLine, type NextStep, nextStep } from '../../../core/next.ts';
import { maskerOf, redactionOf } from '../../../core/secret.ts';
import { isOfYield } from '../../../journal/intents.ts';
import type { OperationState } from '../../../journal/operation-state.ts';
import { wireStatusOf } from '../../../journal/status.ts';
import type { RunContext } from '../../../smoke/call.ts';
import { paysNothing, type Step, withCalled } from '../../../smoke/flow.ts';
import type { FlowReport, StepReport } from '../../../smoke/report.ts';
import { type FlowJob, runFlow } from '../../../smoke/run.ts';
import type { Doubt, OpenRun, RunSubject } from '../../../smoke/run-journal.ts';
import type { CommandContext } from '../../command/command.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { silent } from '../../context/silent.ts';
import { standsInWords } from '../../operations/area.ts';
import { resumeOne } from '../../operations/resumable.ts';
import { completeNext } from '../../print/next-command.ts';
import { foreignDoubts, isDoubtful, operationsOf, placeOf, type ResumableRun } from './earlier-runs.ts';
import type { SmokeSession } from './signer.ts';

/** Settles one operation by the engine of `pay resume` and `yield resume`. Throws if it is still in doubt. */
const settle = async (cli: CommandContext, given: ParsedArgs, client: Client, state: OperationState): Promise<void> => {
  const inner = silent(cli, client).cli;
  const { RESUMING } = isOfYield(state.started.intent)
    ? await import('../yield/resume.ts')
    : await import('../pay/resume.ts');
  await resumeOne(inner, given, RESUMING, { client, id: state.id, print: async () => undefined });
};

/** How an operation ends that did what it was for. */
const ENDED_WELL: readonly string[] = ['success', 'settled'];

type Resuming = {
  readonly client: Client;
  readonly context: RunContext;
  readonly jobs: readonly FlowJob[];
  /** Reserves an amount of --max-amount. Throws `refused_by_review` beyond it. */
  readonly reserve: SmokeSession['reserve'];
  /** Takes the command that settles an operation which is still in doubt. */
  readonly onOpen: (next: NextStep) => void;
};

const stepOf = (
  state: OperationState,
  status: StepReport['status'],
  ms: number,
  more: Partial<StepReport> = {},
): StepReport => ({
  id: placeOf(state).last,
  operation: `resume of ${state.id}`,
  description: 'Settle what an earlier run left in doubt',
  attempts: 1,
  ms,
  status,
  ...more,
});

/** An operation that ended by itself, or by another command, since its run. */
const endedStep = (state: OperationState): StepReport =>
  ENDED_WELL.includes(wireStatusOf(state))
    ? stepOf(state, 'passed', 0)
    : stepOf(state, 'failed', 0, {
        expected: 'a good end',
        actual: `the operation ${standsInWords(wireStatusOf(state))}`,
      });

/** A settlement may send the bytes of an operation: --max-amount of this command, which may be lower, holds for them. */
const reserveUnsent = (reserve: SmokeSession['reserve'], { id, reviewed, started }: OperationState): void => {
  try {
    reserve(reviewed.filter((one) => one.state !== 'taken').flatMap(({ moves }) => moves));
  } catch (error) {
    const next = nextStep('operation.resume.earlier', isOfYield(started.intent) ? 'yield' : 'pay', id);
    throw isFailure(error) ? new Failure(error.code, error.message, { ...error.details, next }) : error;
  }
};

/** Settles an operation, and reports how it ended. */
const settled = async (
  cli: CommandContext,
  given: ParsedArgs,
  { client, context: { secrets }, reserve, onOpen }: Resuming,
  runId: string,
  state: OperationState,
): Promise<StepReport> => {
  if (!isDoubtful(state)) return endedStep(state);
  const { clock } = cli.io;
  const start = clock.monotonic();
  const took = () => Math.round(clock.monotonic() - start);
  try {
    reserveUnsent(reserve, state);
    await settle(cli, given, client, state);
    return stepOf(state, 'passed', took());
  } catch (error) {
    if (!isFailure(error) || error.code === 'interrupted') throw error;
    const { next } = error.details;
    // A refusal may leave signed bytes live: the journal decides, and not the code.
    const now = (await operationsOf(cli, runId)).find(({ id }) => id === state.id);
    const isOpen = now !== undefined && isDoubtful(now);
    if (isOpen && next) onOpen(next);
    return stepOf(state, isOpen ? 'in_doubt' : 'failed', took(), {
      expected: 'a final state',
      actual: redactionOf(secrets)(error.message),
      next: next && maskerOf(secrets)(commandLine(completeNext(cli.typed, next))),
    });
  }
};

const stepsAsJson = (steps: readonly Step[]): string =>
  printJson(steps.map((step) => ({ ...step, operation: undefined })));

/** Whether the rest of a flow, what it calls, or its cleanup reads another flow, or an input that may be another one now. */
const readsOthers = ({ flow, file, inputs }: FlowJob, rest: readonly Step[], { origins }: RunSubject): boolean => {
  const reading = withCalled({ ...flow, steps: rest }, file.flows);
  const read = reading.map(({ steps, parameters }) => stepsAsJson(steps) + printJson(parameters)).join('');
  const reads = (text: string, name: string) => new RegExp(`\\$inputs\\.${name}(?![\\w-])`).test(text);
  const known = origins?.[flow.id] ?? {};
  const isKnown = (name: string) => known[name] === true || (known[name] !== undefined && known[name] === inputs[name]);
  // A key, an order or a receiver, and what a default makes of it.
  const changed = flow.inputs.filter(({ name, from = 'profile' }) => from !== 'profile' && !isKnown(name));
  const names = changed.map(({ name }) => name);
  for (const { inputs: specs } of reading)
    for (const { name, usual, inSandbox } of specs)
      if (names.some((other) => reads(printJson([usual, inSandbox]), other))) names.push(name);
  return read.includes('$workflows.') || names.some((name) => reads(read, name));
};

/** The first step after the one in doubt, if no step from there on pays: then the flow can go on. */
const restOf = (
  job: FlowJob | undefined,
  operations: readonly OperationState[],
  { outputs: all, subject }: OpenRun,
): string | undefined => {
  const [place, ...others] = operations.map(placeOf);
  if (job === undefined || place === undefined || others.length > 0 || !place.isOwn) return undefined;
  const { steps } = job.flow;
  const at = steps.findIndex(({ id }) => id === place.step);
  // Actions decide by an answer, and that of the step in doubt is lost.
  if (job.flow.successActions.length > 0 || (steps[at]?.onSuccess.length ?? 0) > 0) return undefined;
  const rest = steps.slice(at + 1);
  const outputs = all[job.flow.id] ?? {};
  // The record has no secrets and no long texts, and nothing of other flows.
  const read = stepsAsJson(rest);
  const isLost = [...read.matchAll(/\$steps\.([\w-]+)\.outputs\.([\w-]+)/g)].some(
    ([, id = '', name = '']) =>
      !rest.some((step) => step.id === id) && valueAt(outputs, id, 'outputs', name) === undefined,
  );
  if (isLost || readsOthers(job, rest, subject)) return undefined;
  return at >= 0 && rest.every((step) => paysNothing(step, job.file.flows)) ? rest[0]?.id : undefined;
};

/** A doubt that has no operation here, as the earlier run showed it. */
const keptDoubt = ({ step, text }: Doubt): StepReport => ({
  id: step,
  operation: '',
  description: '',
  status: 'in_doubt',
  attempts: 0,
  ms: 0,
  expected: 'a final state',
  actual: text,
});

const NOT_RUN =
  'what was in doubt is settled; the rest of the flow was not run: it may pay, or reads what is gone. Run the command again';

/** Settles what a flow left in doubt. Goes on with the flow only if the rest pays nothing. */
const resumeFlow = async (
  cli: CommandContext,
  given: ParsedArgs,
  resuming: Resuming,
  { run, operations: all }: ResumableRun,
  name: string,
): Promise<FlowReport> => {
  const { context, jobs } = resuming;
  const job = jobs.find(({ flow }) => flow.id === name);
  const operations = all.filter((state) => placeOf(state).flow === name);
  const summary = job?.flow.summary ?? '';
  const others = foreignDoubts(run, all).flatMap((doubt) => (doubt.flow === name ? [keptDoubt(doubt)] : []));
  if (operations.length === 0)
    return {
      name,
      summary,
      status: run.statuses[name] ?? 'skipped',
      kept: true,
      ms: 0,
      steps: others,
    };
  const steps: StepReport[] = [];
  for (const state of operations) steps.push(await settled(cli, given, resuming, run.runId, state));
  steps.push(...others);
  for (const step of steps) await context.on({ kind: 'step_ended', flow: name, step });
  const ms = steps.reduce((total, step) => total + step.ms, 0);
  const isDoubtful = steps.some(({ status }) => status === 'in_doubt');
  if (isDoubtful || steps.some(({ status }) => status === 'failed'))
    return { name, summary, status: isDoubtful ? 'in_doubt' : 'failed', ms, steps };
  const outputs = run.outputs[name] ?? {};
  const from = restOf(job, operations, run);
  const place = placeOf(operations[0] as OperationState);
  const isLast = place.isOwn && job?.flow.steps.at(-1)?.id === place.step;
  if (job === undefined || from === undefined) {
    const rest = stepOf(operations[0] as OperationState, 'failed', 0, {
      expected: 'the rest of the flow',
      actual: NOT_RUN,
    });
    return { name, summary, status: isLast ? 'passed' : 'failed', ms, steps: isLast ? steps : [...steps, rest] };
  }
  const { report } = await runFlow(context, { ...job, resumption: { outputs, from } }, {});
  return { ...report, steps: [...steps, ...report.steps] };
};

/** Resumes a run in place of a new one. Nothing is paid that the run had not sent. */
export const resumeRun = async (
  cli: CommandContext,
  given: ParsedArgs,
  resuming: Resuming,
  found: ResumableRun,
): Promise<readonly FlowReport[]> => {
  await cli.printNote(`run ${found.run.runId} ended in doubt: it is resumed, and no new one is started`);
  const reports: FlowReport[] = [];
  for (const name of found.run.subject.flows) {
    const report = await resumeFlow(cli, given, resuming, found, name);
    reports.push(report);
    await resuming.context.on({ kind: 'flow_ended', flow: report });
  }
  return reports;
};
