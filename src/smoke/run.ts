import { isFailure } from '../core/failure.ts';
import { type Inputs, inputsOfCalled, type Resumption, type RunContext } from './call.ts';
import type { Scope } from './expression.ts';
import type { Flow, FlowFile } from './flow.ts';
import { type FlowReport, type StepReport, stopped } from './report.ts';
import { type FlowRun, MAX_DEPTH, outputsOf, runSteps } from './run-steps.ts';

/** The time of a cleanup, also after an interrupt and after --timeout. */
const CLEANUP_MS = 30_000;

/** Runs the cleanup of a flow: once, with its own deadline, and also after an interrupt. */
const cleanUp = async (context: RunContext, run: FlowRun): Promise<readonly StepReport[]> => {
  const flow = run.flows.find(({ id }) => id === run.flow.cleanup);
  if (flow === undefined) return [];
  const never = new AbortController().signal;
  const deadline = context.clock.monotonic() + CLEANUP_MS;
  const cleaning = { ...run, flow, name: `${run.name} cleanup`, steps: [], visits: new Map(), outputs: {} };
  try {
    const inputs = inputsOfCalled(flow, run.inputs, stepOutputs(run));
    await runSteps({ ...context, interrupted: never, deadline, isCleanup: true }, { ...cleaning, inputs });
    return cleaning.steps;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return [stopped(error)];
  }
};

/** All outputs of the steps that ran, as inputs of the cleanup. */
const stepOutputs = ({ outputs }: FlowRun): Inputs =>
  Object.fromEntries(Object.values(outputs).flatMap((step) => Object.entries(step.outputs)));

/** The steps that a flow did not reach. A step that calls a workflow has no report of its own, only those of its steps. */
const notReached = (
  { flow: { steps }, visits, steps: reports }: FlowRun,
  from: string | undefined,
): readonly string[] =>
  steps
    .slice(
      Math.max(
        0,
        steps.findIndex(({ id }) => id === from),
      ),
    )
    .flatMap(({ id, operation }) => {
      const isReached = visits.has(id) || reports.some((report) => report.id === id);
      return operation.source === 'workflow' || isReached ? [] : [id];
    });

/** A flow to run, with its inputs. */
export type FlowJob = {
  readonly file: FlowFile;
  readonly flow: Flow;
  readonly inputs: Inputs;
  readonly resumption?: Resumption | undefined;
};

/** Runs a flow to its end, then its cleanup. Never throws for a failed step. */
export const runFlow = async (
  context: RunContext,
  { file, flow, inputs, resumption }: FlowJob,
  workflows: Scope['workflows'],
): Promise<{ readonly report: FlowReport; readonly outputs: Inputs }> => {
  const start = context.clock.monotonic();
  const run: FlowRun = {
    flow,
    name: flow.id,
    inputs,
    flows: file.flows,
    workflows,
    depth: 0,
    steps: [],
    visits: new Map(),
    outputs: resumption?.outputs ?? {},
  };
  const ended = await runSteps(context, run, resumption?.from);
  const cleanup = await cleanUp(context, run);
  const isClean = cleanup.every(({ status }) => status === 'passed' || status === 'handled');
  const status = ended === 'passed' && !isClean ? 'failed' : ended;
  const ms = Math.round(context.clock.monotonic() - start);
  const left = notReached(run, resumption?.from);
  const report: FlowReport = {
    name: flow.id,
    summary: flow.summary,
    status,
    ms,
    steps: run.steps,
    ...(left.length > 0 && { left }),
    ...(cleanup.length > 0 && { cleanup }),
  };
  // A resume adds the steps that settled what was in doubt.
  if (resumption === undefined) await context.on({ kind: 'flow_ended', flow: report });
  return { report, outputs: outputsOf(run) };
};

/** Whether a flow is one of a lane: flows that sign with one wallet run one after another. */
const lanesOf = ({ flow, file }: FlowJob): readonly string[] => {
  const ids = (one: Flow, depth: number): readonly string[] =>
    one.steps.flatMap(({ operation }) => {
      if (operation.source === 'signer') return [operation.endpoint.id];
      const called =
        operation.source === 'workflow' ? file.flows.find(({ id }) => id === operation.workflowId) : undefined;
      return called && depth < MAX_DEPTH ? ids(called, depth + 1) : [];
    });
  return ['sign.payment', 'sign.yield'].filter((lane) => ids(flow, 0).includes(lane));
};

const skipped = ({ flow }: FlowJob, reason: string): FlowReport => ({
  name: flow.id,
  summary: flow.summary,
  status: 'skipped',
  reason,
  ms: 0,
  steps: [],
});

/**
 * Runs flows: independent ones at the same time, those that sign with one wallet in order, and each after those that it
 * depends on. A flow is skipped if one of these did not pass, or while an operation of its wallet is in doubt.
 */
export const runFlows = async (context: RunContext, jobs: readonly FlowJob[]): Promise<readonly FlowReport[]> => {
  type Result = { readonly report: FlowReport; readonly outputs: Inputs };
  const running = new Map<FlowJob, Promise<Result>>();
  const lanes = new Map<string, Promise<unknown>>();
  const doubtful = new Set<string>();
  const whyNot = (needed: readonly Result[], own: readonly string[]): string | undefined => {
    if (context.interrupted.aborted) return 'the run was interrupted';
    const bad = needed.find(({ report }) => report.status !== 'passed');
    if (bad) return `${bad.report.name}, which it depends on, did not pass`;
    // Another payment of the wallet would use the nonce of the one in doubt.
    return own.some((lane) => doubtful.has(lane)) ? 'an operation of its wallet is in doubt' : undefined;
  };
  const start = (job: FlowJob): Promise<Result> => {
    const known = running.get(job);
    if (known) return known;
    const needed = job.flow.dependsOn.flatMap(
      (id) => jobs.find(({ flow, file }) => flow.id === id && file === job.file) ?? [],
    );
    const before = needed.map(start);
    const own = lanesOf(job);
    const waits = [...before, ...own.map((lane) => lanes.get(lane) ?? Promise.resolve())];
    const work = Promise.all(waits).then(async (): Promise<Result> => {
      const results = await Promise.all(before);
      const reason = whyNot(results, own);
      if (reason !== undefined) {
        const report = skipped(job, reason);
        await context.on({ kind: 'flow_ended', flow: report });
        return { report, outputs: {} };
      }
      const workflows = Object.fromEntries(results.map(({ report, outputs }) => [report.name, { outputs }]));
      const result = await runFlow(context, job, workflows);
      if (result.report.status === 'in_doubt') for (const lane of own) doubtful.add(lane);
      return result;
    });
    running.set(job, work);
    for (const lane of own)
      lanes.set(
        lane,
        work.catch(() => undefined),
      );
    return work;
  };
  // After a fault of one flow the others end first: they may have money on its way.
  const settled = await Promise.allSettled(jobs.map(start));
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value.report;
  });
};
