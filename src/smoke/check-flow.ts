import type { Criterion } from './criterion.ts';
import { problemOf } from './criterion.ts';
import { expressionsIn, isExpression } from './expression.ts';
import type { Action, Flow, Step } from './flow.ts';

/** A place in a document. */
export type Path = readonly (string | number)[];

/** Collects what is wrong with a document. */
export type Complain = (path: Path, message: string) => void;

/** The types of criteria that the runner can check. */
const TYPES = ['simple', 'regex', 'jsonpath'];

/** Checks an expression against what is captured. `seen` are the steps that can have run before. */
const problemOfExpression = (expression: string, flow: Flow, seen: readonly Step[], flows: readonly Flow[]) => {
  if (!isExpression(expression)) return `${expression} is no expression`;
  const [, source, name = '', output] =
    /^\$(inputs|steps|workflows)\.([\w-]+)(?:\.outputs\.([\w-]+))?/.exec(expression) ?? [];
  if (source === 'inputs') {
    return flow.inputs.some((input) => input.name === name)
      ? undefined
      : `${expression}: the workflow has no input ${name}`;
  }
  if (source === 'steps') {
    const step = seen.find(({ id }) => id === name);
    if (step === undefined) return `${expression}: no step ${name} runs before`;
    const called = step.operation.source === 'workflow' ? step.operation.workflowId : undefined;
    const outputs = { ...step.outputs, ...(called && flows.find(({ id }) => id === called)?.outputs) };
    if (output === undefined || !Object.hasOwn(outputs, output))
      return `${expression}: step ${name} has no output ${output ?? ''}`;
  }
  if (source === 'workflows') {
    const other = flows.find(({ id }) => id === name);
    if (other === undefined || (output !== undefined && !Object.hasOwn(other.outputs, output)))
      return `${expression}: no workflow has this output`;
    if (!flow.dependsOn.includes(name)) return `${expression}: dependsOn does not name ${name}`;
  }
  return undefined;
};

const criteriaIn = ({ criteria, onSuccess, onFailure }: Step): readonly Criterion[] => [
  ...criteria,
  ...[...onSuccess, ...onFailure].flatMap((action) => action.criteria),
];

const checkActions = (
  wrong: Complain,
  actions: readonly Action[],
  flow: Flow,
  flows: readonly Flow[],
  path: Path,
): void => {
  for (const { stepId, workflowId, type, retryAfter, retryLimit } of actions) {
    if (stepId !== undefined && !flow.steps.some(({ id }) => id === stepId)) wrong(path, `no step ${stepId}`);
    if (workflowId !== undefined && !flows.some(({ id }) => id === workflowId))
      wrong(path, `no workflow ${workflowId}`);
    if (type === 'goto' && (stepId ?? workflowId) === undefined) wrong(path, 'goto needs a stepId or a workflowId');
    if (!(retryAfter >= 0 && retryAfter <= 3600) || !(retryLimit >= 0 && retryLimit <= 10_000))
      wrong(path, 'retryAfter is 0 to 3600 seconds, and retryLimit 0 to 10000');
  }
};

const checkStep = async (
  wrong: Complain,
  step: Step,
  flow: Flow,
  flows: readonly Flow[],
  path: Path,
): Promise<void> => {
  // A goto can lead back: then a later step has run before.
  const isLoop = flow.steps.some(({ onSuccess, onFailure }) =>
    [...onSuccess, ...onFailure].some(({ type }) => type === 'goto'),
  );
  const before = isLoop ? flow.steps : flow.steps.slice(0, flow.steps.indexOf(step));
  const check = (value: unknown, seen: readonly Step[], place: Path) => {
    for (const expression of expressionsIn(value)) {
      const problem = problemOfExpression(expression, flow, seen, flows);
      if (problem !== undefined) wrong(place, problem);
    }
  };
  check(step.payload, before, [...path, 'requestBody']);
  for (const { value } of [...step.parameters]) check(value, before, [...path, 'parameters']);
  check(Object.values(step.outputs), [...before, step], [...path, 'outputs']);
  for (const criterion of criteriaIn(step)) {
    const place = [...path, 'successCriteria', Math.max(0, step.criteria.indexOf(criterion))];
    if (!TYPES.includes(criterion.type)) wrong(place, `criteria are ${TYPES.join(', ')}, and not ${criterion.type}`);
    else {
      const problem = await problemOf(criterion);
      if (problem !== undefined) wrong(place, problem);
      const names =
        criterion.type === 'simple'
          ? (criterion.condition.match(/\$[^\s()!=<>&|]+/g) ?? [])
          : [criterion.context ?? ''];
      for (const name of names) if (isExpression(name)) check(name, [...before, step], place);
    }
  }
  const { operation } = step;
  if (operation.source === 'workflow' && !flows.some(({ id }) => id === operation.workflowId))
    wrong([...path, 'workflowId'], `no workflow ${operation.workflowId}`);
};

/** Checks what a flow refers to: steps, workflows, inputs, captured outputs; and whether its criteria can be read. */
export const checkFlow = async (wrong: Complain, flow: Flow, flows: readonly Flow[], path: Path): Promise<void> => {
  const twice = flow.steps.find(({ id }, at) => flow.steps.findIndex((step) => step.id === id) !== at);
  if (twice) wrong(path, `two steps are named ${twice.id}`);
  for (const [at, step] of flow.steps.entries()) {
    await checkStep(wrong, step, flow, flows, [...path, 'steps', at]);
    checkActions(wrong, [...step.onSuccess, ...step.onFailure], flow, flows, [...path, 'steps', at]);
  }
  checkActions(wrong, [...flow.successActions, ...flow.failureActions], flow, flows, path);
  for (const name of [...flow.dependsOn, ...(flow.cleanup ? [flow.cleanup] : [])])
    if (!flows.some(({ id }) => id === name)) wrong(path, `no workflow ${name}`);
};
