import { valueAt } from '../core/json.ts';
import type { Criterion } from './criterion.ts';
import { problemOf } from './criterion.ts';
import { expressionsIn, isExpression } from './expression.ts';
import { type Action, type Flow, isRepeatable, paysNothing, type Step, withCalled } from './flow.ts';

/** A place in a document. */
export type Path = readonly (string | number)[];

/** Collects what is wrong with a document. */
export type Complain = (path: Path, message: string) => void;

/** The types of criteria that the runner can check. */
const TYPES = ['simple', 'regex', 'jsonpath'];

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

const problemOfExpression = (expression: string, { flow, flows, seen, hasAnswer }: Reading): string | undefined => {
  if (!isExpression(expression)) return `${expression} is no expression`;
  const [, source, name = '', output] =
    /^\$(inputs|steps|workflows)\.([\w-]+)(?:\.outputs\.([\w-]+))?/.exec(expression) ?? [];
  if (source === undefined)
    return hasAnswer ? undefined : `${expression}: there is no answer here. Capture it as an output`;
  if (source === 'inputs')
    return flow.inputs.some((input) => input.name === name)
      ? undefined
      : `${expression}: the workflow has no input ${name}`;
  if (source === 'steps') {
    const step = seen.find(({ id }) => id === name);
    if (step === undefined) return `${expression}: no step ${name} runs before`;
    const called = step.operation.source === 'workflow' ? step.operation.workflowId : undefined;
    const outputs = called ? flows.find(({ id }) => id === called)?.outputs : step.outputs;
    const isCaptured = output !== undefined && Object.hasOwn(outputs ?? {}, output);
    return isCaptured ? undefined : `${expression}: step ${name} has no output ${output ?? ''}`;
  }
  const other = flows.find(({ id }) => id === name);
  if (other === undefined || output === undefined || !Object.hasOwn(other.outputs, output))
    return `${expression}: no workflow has this output`;
  return flow.dependsOn.includes(name) ? undefined : `${expression}: dependsOn does not name ${name}`;
};

/** The fields that state what is paid: they come from the user, and never from an answer. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  'pay.register': ['amount_from', 'from_currency_symbol', 'to_currency_symbol', 'to_chain', 'split_payment_config'],
  'pay.transaction': ['chain_name', 'payer_token_symbol', 'payer_wallet', 'transaction_type'],
  'sign.payment': ['pay_at_most'],
  'sign.yield': ['kind', 'provider', 'provider_out', 'provider_in', 'asset', 'amount'],
};

const isOfUser = (value: unknown): boolean =>
  expressionsIn(value).every((expression) => expression.startsWith('$inputs.'));

const statesFacts = ({ operation }: Step): boolean =>
  operation.source !== 'workflow' && Object.hasOwn(FACTS, operation.endpoint.id);

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
  if (typeof payload === 'string') wrong(place, `the payload ${STATED}`);
  for (const name of facts) if (!isOfUser(valueAt(payload, name))) wrong([...place, name], `${name} ${STATED}`);
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
    const place = [...path, at];
    const { type, condition, context = '' } = criterion;
    const problem = TYPES.includes(type)
      ? await problemOf(criterion)
      : `criteria are ${TYPES.join(', ')}, and not ${type}`;
    if (problem !== undefined) {
      wrong([...place, 'condition'], problem);
      continue;
    }
    for (const name of type === 'simple' ? (condition.match(/\$[^\s()!=<>&|]+/g) ?? []) : [context]) {
      const unknown = problemOfExpression(name, reading);
      if (unknown !== undefined) wrong([...place, type === 'simple' ? 'condition' : 'context'], unknown);
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
  const check = (value: unknown, reading: Reading, place: Path) => {
    for (const expression of expressionsIn(value)) {
      const problem = problemOfExpression(expression, reading);
      if (problem !== undefined) wrong(place, problem);
    }
  };
  check(step.payload, before, [...path, 'requestBody', 'payload']);
  for (const [index, { value }] of step.parameters.entries()) check(value, before, [...path, 'parameters', index]);
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
    if (!flows.some(({ id }) => id === operation.workflowId))
      wrong([...path, 'workflowId'], `no workflow ${operation.workflowId}`);
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

/** The workflows that one needs, by calls or by dependsOn. */
const neededBy = ({ steps, dependsOn, cleanup }: Flow): readonly string[] => [
  ...dependsOn,
  ...(cleanup === undefined ? [] : [cleanup]),
  ...steps.flatMap(({ operation }) => (operation.source === 'workflow' ? [operation.workflowId] : [])),
];

/** Whether workflows need each other in a circle. */
const isCircular = (start: Flow, flows: readonly Flow[]): boolean => {
  const seen = new Set<string>();
  const visit = (flow: Flow): boolean =>
    neededBy(flow).some((id) => {
      if (id === start.id) return true;
      const next = seen.has(id) ? undefined : flows.find((each) => each.id === id);
      seen.add(id);
      return next !== undefined && visit(next);
    });
  return visit(start);
};

/** Checks what a flow refers to, whether its criteria can be read, and whether it could pay more than its file states. */
export const checkFlow = async (wrong: Complain, flow: Flow, flows: readonly Flow[], path: Path): Promise<void> => {
  const twice = flow.steps.find(({ id }, at) => flow.steps.findIndex((step) => step.id === id) !== at);
  if (twice) wrong(path, `two steps are named ${twice.id}`);
  for (const name of neededBy(flow)) if (!flows.some(({ id }) => id === name)) wrong(path, `no workflow ${name}`);
  if (isCircular(flow, flows)) return wrong(path, `workflow ${flow.id} needs itself in a circle`);
  for (const at of flow.steps.keys()) await checkStep(wrong, flow, flows, at, [...path, 'steps', at]);
  checkRepeats(wrong, flow, flows, path);
  const last: Reading = { flow, flows, seen: flow.steps, hasAnswer: true };
  for (const name of ['successActions', 'failureActions'] as const) {
    checkActions(wrong, flow[name], flow, [...path, name]);
    for (const [index, { criteria }] of flow[name].entries())
      await checkCriteria(wrong, criteria, last, [...path, name, index, 'criteria']);
  }
  const unknown = (value: unknown, seen: readonly Step[], place: Path) => {
    for (const expression of expressionsIn(value)) {
      const problem = problemOfExpression(expression, { ...last, seen, hasAnswer: false });
      if (problem !== undefined) wrong(place, problem);
    }
  };
  for (const [name, text] of Object.entries(flow.outputs)) unknown(text, flow.steps, [...path, 'outputs', name]);
  for (const [index, { value }] of flow.parameters.entries()) unknown(value, [], [...path, 'parameters', index]);
  const callers = flows.filter((other) =>
    other.steps.some(({ operation }) => operation.source === 'workflow' && operation.workflowId === flow.id),
  );
  if (flow.cleanup !== undefined && callers.length > 0)
    wrong(path, `workflow ${flow.id} is called by ${callers[0]?.id}: the cleanup belongs to that one`);
};
