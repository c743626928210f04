import type { Client } from '../../../client/call.ts';
import { isFailure } from '../../../core/failure.ts';
import { commandLine } from '../../../core/next.ts';
import { isYieldIntent } from '../../../journal/intents.ts';
import { mayBeSent, type OperationState } from '../../../journal/operation-state.ts';
import { allStates } from '../../../journal/overview.ts';
import { isTerminal, statusOf } from '../../../journal/status.ts';
import type { RunContext } from '../../../smoke/call.ts';
import type { FlowReport } from '../../../smoke/report.ts';
import { type FlowJob, runFlow } from '../../../smoke/run.ts';
import { type OpenRun, openRun } from '../../../smoke/run-journal.ts';
import type { CommandContext } from '../../command/command.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { resumeOne } from '../../operations/resumable.ts';
import { silent } from './caller.ts';

/** An earlier run to resume, and the flows of this command. */
type Resuming = {
  readonly client: Client;
  readonly context: RunContext;
  readonly jobs: readonly FlowJob[];
  readonly earlier: readonly OpenRun[];
  /** The flows that are resumed, and not started anew. */
  readonly resumedFlows: Set<string>;
};

/** The operations of a run that may have sent something and did not end. */
const doubtfulIn = async ({ io }: CommandContext, runId: string): Promise<readonly OperationState[]> => {
  const found: OperationState[] = [];
  for await (const state of allStates(io)) {
    const isOfRun = state.started.intent_key?.startsWith(`smoke/${runId}/`) === true;
    if (isOfRun && (statusOf(state) === 'in_doubt' || (!isTerminal(state) && state.signed.some(mayBeSent))))
      found.push(state);
  }
  return found;
};

/** Settles one operation by the engine of `pay resume` and `yield resume`. Throws if it is still in doubt. */
const settle = async (cli: CommandContext, given: ParsedArgs, client: Client, state: OperationState): Promise<void> => {
  const inner = silent(cli, client).cli;
  const { RESUMING } = isYieldIntent(state.started.intent)
    ? await import('../yield/resume.ts')
    : await import('../pay/resume.ts');
  await resumeOne(inner, given, RESUMING, { client, id: state.id, print: async () => undefined });
};

/** The flow and the step of an intent `smoke/RUN-ID/FLOW.STEP`. */
const placeOf = ({ started }: OperationState) => {
  const [flow = '', step = ''] = (started.intent_key ?? '').split('/').at(-1)?.split('.') ?? [];
  return { flow, step };
};

/** Settles what a run left in doubt, then goes on with its flows behind the step in doubt. Nothing is paid again. */
const resumeFlow = async (
  cli: CommandContext,
  given: ParsedArgs,
  { client, context, jobs, resumedFlows }: Resuming,
  run: OpenRun,
  state: OperationState,
): Promise<FlowReport> => {
  const { flow: name, step } = placeOf(state);
  const start = cli.io.clock.monotonic();
  const job = jobs.find(({ flow }) => flow.id === name);
  const ended = (status: FlowReport['status'], actual: string, next?: string): FlowReport => ({
    name,
    summary: job?.flow.summary ?? '',
    status,
    ms: Math.round(cli.io.clock.monotonic() - start),
    steps: [
      {
        id: step,
        operation: `resume of ${state.id}`,
        description: '',
        status: status === 'passed' ? 'passed' : status === 'in_doubt' ? 'in_doubt' : 'failed',
        attempts: 1,
        ms: Math.round(cli.io.clock.monotonic() - start),
        ...(status !== 'passed' && { expected: 'a final state', actual, next }),
      },
    ],
  });
  try {
    await settle(cli, given, client, state);
  } catch (error) {
    if (!isFailure(error) || error.code === 'interrupted') throw error;
    const isOpen = error.code === 'outcome_unknown' || error.code === 'not_final' || error.code === 'unavailable';
    const { next } = error.details;
    const report = ended(isOpen ? 'in_doubt' : 'failed', error.message, next && commandLine(next));
    await context.on({ kind: 'flow_ended', flow: report });
    return report;
  }
  const steps = job?.flow.steps ?? [];
  const next = steps[steps.findIndex(({ id }) => id === step) + 1];
  if (job === undefined || next === undefined) {
    const report = ended('passed', '');
    await context.on({ kind: 'flow_ended', flow: report });
    return report;
  }
  const resumption = { outputs: run.outputs[name] ?? {}, from: next.id };
  const inputs = { ...job.inputs, ...run.inputs[name] };
  resumedFlows.add(name);
  const { report } = await runFlow(context, { ...job, inputs, resumption }, {});
  return report;
};

/**
 * Resumes the newest run that ended in doubt, in place of a new one. `undefined` if there is none. Runs that were cut off,
 * and left nothing in doubt, are closed.
 */
export const resumeRun = async (
  cli: CommandContext,
  given: ParsedArgs,
  resuming: Resuming,
): Promise<{ readonly runId: string; readonly flows: readonly FlowReport[] } | undefined> => {
  for (const run of resuming.earlier) {
    const { runId } = run;
    const doubtful = await doubtfulIn(cli, runId);
    // A run of other flows is left as it is: its own command resumes it.
    const isOwn = doubtful.some((state) => resuming.jobs.some(({ flow }) => flow.id === placeOf(state).flow));
    if (doubtful.length > 0 && !isOwn) continue;
    const journal = openRun(cli.io, runId);
    if (doubtful.length === 0) {
      await journal.end('failed');
      continue;
    }
    await cli.printNote(`run ${runId} ended in doubt: it is resumed, and no new one is started`);
    const flows: FlowReport[] = [];
    for (const state of doubtful) flows.push(await resumeFlow(cli, given, resuming, run, state));
    const status = flows.some((flow) => flow.status === 'in_doubt')
      ? 'in_doubt'
      : flows.every((flow) => flow.status === 'passed')
        ? 'passed'
        : 'failed';
    await journal.end(status);
    return { runId, flows };
  }
  return undefined;
};
