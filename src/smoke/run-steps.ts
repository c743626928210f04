import { Failure, isFailure } from '../core/failure.ts';
import { textAt } from '../core/json.ts';
import { commandLine } from '../core/next.ts';
import { maskerOf } from '../core/secret.ts';
import {
  type CallOutcome,
  chosen,
  differenceIn,
  emptyOutput,
  type Inputs,
  inputsOfCall,
  inputsOfCalled,
  leavesDoubt,
  mayRepeat,
  partsOf,
  type RunContext,
  redactionFor,
  retriesIn,
  type StepCall,
} from './call.ts';
import { type Difference, withReason } from './criterion.ts';
import { type Exchange, resolved, type Scope } from './expression.ts';
import type { Action, Flow, Step } from './flow.ts';
import { type FlowReport, type StepReport, stopped } from './report.ts';

/** A loop of goto actions must end. */
const MAX_STEPS = 1000;
/** Workflows that call each other must end too. */
export const MAX_DEPTH = 8;

/** Where a flow goes after a step: to a step or the one after it, or to its end. */
type Progress =
  | { readonly kind: 'next'; readonly stepId: string | undefined }
  | { readonly kind: 'end'; readonly status: FlowReport['status'] };

const NEXT: Progress = { kind: 'next', stepId: undefined };

/** A run of one flow: its steps so far, and its outputs. */
export type FlowRun = {
  readonly flow: Flow;
  readonly name: string;
  readonly inputs: Inputs;
  readonly flows: readonly Flow[];
  readonly workflows: Scope['workflows'];
  readonly depth: number;
  readonly steps: StepReport[];
  /** How often each step was called. */
  readonly visits: Map<string, number>;
  outputs: Scope['steps'];
};

const scopeOf = ({ inputs, outputs, workflows }: FlowRun, exchange?: Exchange): Scope => ({
  inputs,
  steps: outputs,
  workflows,
  exchange,
});

const keepOutputs = (run: FlowRun, step: Step, scope: Scope): Inputs => {
  const outputs = Object.fromEntries(Object.entries(step.outputs).map(([name, text]) => [name, resolved(text, scope)]));
  run.outputs = { ...run.outputs, [step.id]: { outputs } };
  return outputs;
};

const record = async (context: RunContext, run: FlowRun, report: StepReport): Promise<void> => {
  run.steps.push(report);
  await context.on({ kind: 'step_ended', flow: run.name, step: report });
};

/** An attempt at a step: what came of its call, and why it is not what the step expects. */
type Attempt = {
  readonly outcome: CallOutcome;
  readonly difference: Difference | undefined;
  readonly scope: Scope;
};

/** Makes the call of a step once. */
const callOnce = async (
  context: RunContext,
  run: FlowRun,
  step: Step,
  operation: StepCall['operation'],
): Promise<Attempt> => {
  const scope = scopeOf(run);
  const empty = emptyOutput(step, scope);
  if (empty !== undefined) {
    const difference = { expected: `${empty} has a value`, actual: `${empty} is missing; nothing was sent` };
    return { outcome: { exchange: undefined, lines: [] }, difference, scope };
  }
  const parts = partsOf(run.flow, step, scope);
  const visits = run.visits.get(step.id) ?? 0;
  run.visits.set(step.id, visits + 1);
  const { deadline, isCleanup = false } = context;
  const call = { flow: run.name, step: step.id, operation, parts, deadline, isCleanup, visits };
  const outcome = await context.call(call);
  const after = scopeOf(run, outcome.exchange);
  return { outcome, difference: await differenceIn(step, operation, outcome, after), scope: after };
};

const reportOf = (
  { secrets }: RunContext,
  step: Step,
  { endpoint }: StepCall['operation'],
  { outcome: { exchange } }: Attempt,
) => ({
  id: step.id,
  operation: `${endpoint.method} ${endpoint.path}`,
  description: step.description,
  http: exchange?.response?.statusCode,
  code: maskerOf(secrets)(textAt(exchange?.response?.body, 'status') ?? '') || undefined,
});

type BaseReport = ReturnType<typeof reportOf> & Pick<StepReport, 'attempts' | 'ms'>;

/** Keeps the outputs of a step that passed, and follows its action. */
const pass = async (
  context: RunContext,
  run: FlowRun,
  step: Step,
  { scope }: Attempt,
  report: BaseReport,
): Promise<Progress> => {
  const outputs = keepOutputs(run, step, scope);
  await context.on({ kind: 'step_passed', flow: run.name, step: step.id, outputs });
  await record(context, run, { ...report, status: 'passed' });
  const action = await chosen([...step.onSuccess, ...run.flow.successActions], scope);
  return action === undefined ? NEXT : progressOf(action);
};

/** Records a step that did not pass. After an unknown outcome no action of a file goes on: money may have moved. */
const fail = async (
  context: RunContext,
  run: FlowRun,
  { outcome, difference }: Attempt,
  action: Action | 'doubt' | undefined,
  report: BaseReport,
): Promise<Progress> => {
  const { failure, exchange, lines } = outcome;
  const redaction = redactionFor(context, exchange, [run.inputs, run.outputs]);
  const { hint, next } = failure?.details ?? {};
  const { expected, actual }: Partial<Difference> = (difference && withReason(difference, failure)) ?? {};
  const masked = (text: string | undefined) => text && redaction(text);
  const failed = {
    ...report,
    expected: masked(expected),
    actual: masked(actual),
    lines: lines.map(redaction),
    failure: failure?.code,
    hint: masked(hint),
    // The operations that a failed run leaves unsent are ended, and no resume goes on with them. A command with a mask does not
    // run, so that only the secrets of the run are masked in it.
    next:
      next && (action === 'doubt' || !next.id.startsWith('operation.resume'))
        ? maskerOf(context.secrets)(commandLine(next))
        : undefined,
  };
  if (action === 'doubt') {
    await record(context, run, { ...failed, status: 'in_doubt' });
    return { kind: 'end', status: 'in_doubt' };
  }
  const isHandled = action?.type === 'goto';
  await record(context, run, { ...failed, status: isHandled ? 'handled' : 'failed' });
  return isHandled ? progressOf(action) : { kind: 'end', status: 'failed' };
};

/** For an interrupt: records the step that it ended, and ends the flow. */
const endInterrupted =
  (context: RunContext, run: FlowRun, attempt: Attempt, report: BaseReport) =>
  async (failure: Failure): Promise<never> => {
    await fail(context, run, { ...attempt, outcome: { ...attempt.outcome, failure } }, undefined, report);
    throw failure;
  };

/** Runs a step with its retries. */
const runStep = async (context: RunContext, run: FlowRun, step: Step): Promise<Progress> => {
  const { operation } = step;
  const { clock, interrupted } = context;
  if (operation.source === 'workflow') return runCalled(context, run, step, operation.workflowId);
  await context.on({ kind: 'step_started', flow: run.name, step: step.id });
  const start = clock.monotonic();
  const mayRetry = retriesIn(context);
  let attempt: Attempt | undefined;
  for (let attempts = 1; ; attempts += 1) {
    const now = await callOnce(context, run, step, operation);
    // A retry that the end of the time cuts off says less than the answer before it.
    const isCut = now.outcome.exchange?.response === undefined && clock.monotonic() >= context.deadline;
    attempt = isCut ? (attempt ?? now) : now;
    const { failure } = attempt.outcome;
    const ms = Math.round(clock.monotonic() - start);
    const report = { ...reportOf(context, step, operation, attempt), attempts, ms };
    const cut = endInterrupted(context, run, attempt, report);
    if (isFailure(failure, 'interrupted')) return cut(failure);
    if (attempt.difference === undefined) return pass(context, run, step, attempt, report);
    if (leavesDoubt(operation, attempt.outcome)) return fail(context, run, attempt, 'doubt', report);
    const action = await chosen([...step.onFailure, ...run.flow.failureActions], attempt.scope);
    // The file was checked when it was read. Its values are known only now.
    const isAgain = action?.type === 'retry' && mayRepeat(operation, attempt.outcome);
    if (!isAgain || !mayRetry(action)) return fail(context, run, attempt, action, report);
    await clock.sleep(action.retryAfter * 1000, interrupted).catch(cut);
  }
};

/** The step that an action leads to. */
const progressOf = ({ type, stepId }: Action): Progress =>
  type === 'goto' && stepId !== undefined ? { kind: 'next', stepId } : { kind: 'end', status: 'passed' };

/** Runs the workflow that a step calls. Its steps are part of the report. */
const runCalled = async (context: RunContext, run: FlowRun, step: Step, workflowId: string): Promise<Progress> => {
  const flow = run.flows.find(({ id }) => id === workflowId);
  if (flow === undefined || run.depth >= MAX_DEPTH)
    throw new Failure('invalid_input', `workflow ${workflowId} calls itself, or does not exist`);
  const scope = scopeOf(run);
  const inputs = inputsOfCalled(flow, run.inputs, inputsOfCall(step, scope));
  const path = `${run.name}.${step.id}`;
  const called: FlowRun = { ...run, flow, name: path, inputs, depth: run.depth + 1, outputs: {}, visits: new Map() };
  const status = await runSteps(context, called);
  if (status !== 'passed') return { kind: 'end', status };
  const outputs = outputsOf(called);
  run.outputs = { ...run.outputs, [step.id]: { outputs } };
  await context.on({ kind: 'step_passed', flow: run.name, step: step.id, outputs });
  return NEXT;
};

/** The outputs of a flow that ended. */
export const outputsOf = (run: FlowRun): Inputs =>
  Object.fromEntries(Object.entries(run.flow.outputs).map(([name, text]) => [name, resolved(text, scopeOf(run))]));

/** Runs the steps of a flow, from one of them on, and returns how it ended. Throws no failure. */
export const runSteps = async (context: RunContext, run: FlowRun, from?: string): Promise<FlowReport['status']> => {
  const { steps } = run.flow;
  const place = (id: string | undefined) => steps.findIndex((step) => step.id === id);
  let at = Math.max(0, place(from));
  try {
    for (let count = 0; at < steps.length; count += 1) {
      if (context.interrupted.aborted) return 'interrupted';
      if (count >= MAX_STEPS) throw new Failure('not_final', `it took ${MAX_STEPS} steps, and did not end`);
      if (context.clock.monotonic() > context.deadline) throw new Failure('not_final', 'its time is over');
      const progress = await runStep(context, run, steps[at] as Step);
      if (progress.kind === 'end') return progress.status;
      at = progress.stepId === undefined ? at + 1 : place(progress.stepId);
    }
    return 'passed';
  } catch (error) {
    if (!isFailure(error)) throw error;
    if (error.code === 'interrupted') return 'interrupted';
    await record(context, run, stopped(error));
    return 'failed';
  }
};
