import { valueAt } from '../core/json.ts';
import { checkCall, checkNeeded, isCircular } from './check-calls.ts';
import type { Complain, Path } from './check-fields.ts';
import { type Criterion, expressionsOfCriterion, problemOf } from './criterion.ts';
import { expressionsIn, noExpression, parseExpression, placedExpressionsIn } from './expression.ts';
import {
  type Action,
  FACTS,
  type Flow,
  isRepeatable,
  paysNothing,
  type Step,
  statesFacts,
  withCalled,
} from './flow.ts';

/** Actions that lead back: each has the place of its step, and that of its target. */
const jumpsOf = ({ steps, successActions, failureActions }: Flow): readonly { from: number; to: number }[] =>
  steps.flatMap(({ onSuccess, onFailure }, from) =>
    // The actions of the workflow follow each of its steps.
    [...onSuccess, ...onFailure, ...successActions, ...failureActions].flatMap(({ stepId }) => {
      const to = steps.findIndex(({ id }) => id === stepId);
      return to >= 0 && to <= from ? [{ from, to }] : [];
    }),
  );

/** The steps whose outputs a step can read: those before it, and those that a jump leads back from. */
const seenBy = (flow: Flow, at: number): readonly Step[] =>
  flow.steps.filter((_, other) => other < at || jumpsOf(flow).some(({ from, to }) => from >= other && to <= at));

/** A place that reads the answer of its own step: criteria and outputs. */
type Reading = {
  readonly flow: Flow;
  readonly flows: readonly Flow[];
  readonly seen: readonly Step[];
  readonly hasAnswer: boolean;
};

const problemOfExpression = (text: string, { flow, flows, seen, hasAnswer }: Reading): string | undefined => {
  const expression = parseExpression(text);
  if (expression === undefined) return noExpression(text);
  if (!('path' in expression) || 'part' in expression)
    return hasAnswer ? undefined : `${text}: there is no answer here. Capture it as an output`;
  const { source, name } = expression;
  if (source === 'inputs') {
    const input = flow.inputs.find((each) => each.name === name);
    if (input === undefined) return `${text}: the workflow has no input ${name}`;
    const hasParts = ['object', 'array'].includes(String(input.schema['type']));
    return hasParts || expression.path.length === 0
      ? undefined
      : `${text}: input ${name} is no object and no list, so nothing is inside it`;
  }
  const { output } = expression;
  if (source === 'steps') {
    const step = seen.find(({ id }) => id === name);
    if (step === undefined) return `${text}: no step ${name} runs before`;
    const called = step.operation.source === 'workflow' ? step.operation.workflowId : undefined;
    const outputs = called ? flows.find(({ id }) => id === called)?.outputs : step.outputs;
    return Object.hasOwn(outputs ?? {}, output) ? undefined : `${text}: step ${name} has no output ${output}`;
  }
  const other = flows.find(({ id }) => id === name);
  if (other === undefined || !Object.hasOwn(other.outputs, output)) return `${text}: no workflow has this output`;
  return flow.dependsOn.includes(name) ? undefined : `${text}: dependsOn does not name ${name}`;
};

const isOfUser = (value: unknown): boolean =>
  expressionsIn(value).every((expression) => expression.startsWith('$inputs.'));

const STATED = 'states what is paid: it must come from the file or from an input, and not from an answer';

const checkFacts = (
  wrong: Complain,
  { operation, payload, parameters }: Step,
  flows: readonly Flow[],
  path: Path,
): void => {
  if (operation.source === 'workflow') {
    const called = flows.find(({ id }) => id === operation.workflowId);
    const taken = parameters.find(({ value }) => !isOfUser(value));
    if (called && taken && withCalled(called, flows).some(({ steps }) => steps.some(statesFacts)))
      wrong([...path, 'parameters'], `${taken.name}: ${called.id} pays, and an input of it ${STATED}`);
    return;
  }
  const facts = FACTS[operation.endpoint.id];
  if (facts === undefined) return;
  const place = [...path, 'requestBody', 'payload'];
  if (typeof payload === 'string') wrong(place, `the payload ${STATED}. Write its fields`);
  for (const name of facts) if (!isOfUser(valueAt(payload, name))) wrong([...place, name], `${name} ${STATED}`);
};

const checkExpressions = (wrong: Complain, value: unknown, reading: Reading, place: Path): void => {
  for (const { expression, path } of placedExpressionsIn(value)) {
    const problem = problemOfExpression(expression, reading);
    if (problem !== undefined) wrong([...place, ...path], problem);
  }
};

const checkActions = (wrong: Complain, actions: readonly Action[], flow: Flow, path: Path): void => {
  for (const [at, { stepId, workflowId, type, retryAfter, retryLimit }] of actions.entries()) {
    const place = [...path, at];
    if (workflowId !== undefined)
      wrong(place, 'an action to a workflow is not supported: make it a step with a workflowId');
    if (stepId !== undefined && !flow.steps.some(({ id }) => id === stepId)) wrong(place, `no step ${stepId}`);
    if (type === 'goto' && stepId === undefined) wrong(place, 'goto needs a stepId');
    if (type === 'retry' && stepId !== undefined) wrong(place, 'a retry repeats its own step: it has no stepId');
    if (!(retryAfter >= 0 && retryAfter <= 3600) || !(retryLimit >= 0 && retryLimit <= 10_000))
      wrong(place, 'retryAfter is 0 to 3600 seconds, and retryLimit 0 to 10000');
  }
};

const checkCriteria = async (
  wrong: Complain,
  criteria: readonly Criterion[],
  reading: Reading,
  path: Path,
): Promise<void> => {
  for (const [at, criterion] of criteria.entries()) {
    const field = (name: string) => [...path, at, name];
    const problem = await problemOf(criterion);
    if (problem !== undefined) {
      wrong(field('condition'), problem);
      continue;
    }
    for (const name of expressionsOfCriterion(criterion)) {
      const unknown = problemOfExpression(name, reading);
      if (unknown !== undefined) wrong(field(name === criterion.context ? 'context' : 'condition'), unknown);
    }
  }
};

/** Whether a step pays, signs what pays, or spends a quota: it must not be reached again. */
const mustNotRepeat = (step: Step, flows: readonly Flow[]): boolean => {
  const { operation } = step;
  if (!paysNothing(step, flows)) return true;
  if (operation.source === 'service') return operation.endpoint.effect === 'spends_quota';
  const called = flows.find(({ id }) => operation.source === 'workflow' && id === operation.workflowId);
  const others = flows.filter((flow) => flow !== called);
  return called?.steps.some((inner) => mustNotRepeat(inner, others)) ?? false;
};

const checkStep = async (
  wrong: Complain,
  flow: Flow,
  flows: readonly Flow[],
  at: number,
  path: Path,
): Promise<void> => {
  const step = flow.steps[at] as Step;
  const before: Reading = { flow, flows, seen: seenBy(flow, at), hasAnswer: false };
  const after: Reading = { ...before, seen: [...before.seen, step], hasAnswer: true };
  const check = (value: unknown, reading: Reading, place: Path) => checkExpressions(wrong, value, reading, place);
  check(step.payload, before, [...path, 'requestBody', 'payload']);
  for (const [index, { value }] of step.parameters.entries())
    check(value, before, [...path, 'parameters', index, 'value']);
  for (const [name, text] of Object.entries(step.outputs)) check(text, after, [...path, 'outputs', name]);
  await checkCriteria(wrong, step.criteria, after, [...path, 'successCriteria']);
  for (const name of ['onSuccess', 'onFailure'] as const) {
    checkActions(wrong, step[name], flow, [...path, name]);
    for (const [index, { criteria }] of step[name].entries())
      await checkCriteria(wrong, criteria, after, [...path, name, index, 'criteria']);
  }
  checkFacts(wrong, step, flows, path);
  const { operation } = step;
  if (operation.source === 'workflow') {
    checkCall(wrong, { caller: flow, flows, workflowId: operation.workflowId }, step, path);
    return;
  }
  const given = [...flow.parameters, ...step.parameters].filter((one) => one.in === 'path').map(({ name }) => name);
  const missing = [...operation.endpoint.path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .find((name) => !given.includes(name));
  if (missing !== undefined) wrong(path, `step ${step.id} lacks the parameter ${missing} in its path`);
};

/** The problem of a retry that could pay twice, or spend a quota twice. */
export const cannotRetry = (id: string): string =>
  `step ${id} may move money or spend a quota, or its answer may be lost: it cannot be retried`;

const checkRepeats = (wrong: Complain, flow: Flow, flows: readonly Flow[], path: Path): void => {
  const { steps, failureActions } = flow;
  const unsafe = steps.find(({ operation, payload }) => !isRepeatable(operation, payload));
  if (failureActions.some(({ type }) => type === 'retry') && unsafe)
    wrong([...path, 'failureActions'], cannotRetry(unsafe.id));
  for (const { from, to } of jumpsOf(flow)) {
    const repeated = steps.slice(to, from + 1).find((step) => mustNotRepeat(step, flows));
    if (repeated)
      wrong(
        [...path, 'steps', from],
        `a goto leads back over step ${repeated.id}, which may pay or spend a quota twice`,
      );
  }
};

/** Checks what a flow refers to, whether its criteria can be read, and whether it could pay more than its file states. */
export const checkFlow = async (wrong: Complain, flow: Flow, flows: readonly Flow[], path: Path): Promise<void> => {
  for (const [at, { id }] of flow.steps.entries())
    if (flow.steps.findIndex((step) => step.id === id) < at)
      wrong([...path, 'steps', at, 'stepId'], `two steps are named ${id}`);
  checkNeeded(wrong, flow, flows, path);
  if (isCircular(flow, flows)) return wrong(path, `workflow ${flow.id} needs itself in a circle`);
  for (const at of flow.steps.keys()) await checkStep(wrong, flow, flows, at, [...path, 'steps', at]);
  checkRepeats(wrong, flow, flows, path);
  const last: Reading = { flow, flows, seen: flow.steps, hasAnswer: true };
  for (const name of ['successActions', 'failureActions'] as const) {
    checkActions(wrong, flow[name], flow, [...path, name]);
    for (const [index, { criteria }] of flow[name].entries())
      await checkCriteria(wrong, criteria, last, [...path, name, index, 'criteria']);
  }
  const outside: Reading = { ...last, hasAnswer: false };
  for (const [name, text] of Object.entries(flow.outputs))
    checkExpressions(wrong, text, outside, [...path, 'outputs', name]);
  for (const [index, { value }] of flow.parameters.entries())
    checkExpressions(wrong, value, { ...outside, seen: [] }, [...path, 'parameters', index, 'value']);
};
