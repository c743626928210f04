import { textAt } from '../core/json.ts';
import type { Complain, Path } from './check-fields.ts';
import { effectOfFlow, type Flow, type InputSpec, type Step, statesFacts, withCalled } from './flow.ts';

/** The workflows that one needs, by calls, by dependsOn or as its cleanup. */
const neededBy = ({ steps, dependsOn, cleanup }: Flow): readonly string[] => [
  ...dependsOn,
  ...(cleanup === undefined ? [] : [cleanup]),
  ...steps.flatMap(({ operation }) => (operation.source === 'workflow' ? [operation.workflowId] : [])),
];

/** Whether workflows need each other in a circle. */
export const isCircular = (start: Flow, flows: readonly Flow[]): boolean => {
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

const typeOf = (schema: InputSpec['schema']): string => textAt(schema, 'type') ?? 'string';

/** Reports an input that a called workflow needs, if neither its caller nor the call is sure to give it. */
const checkGiven = (wrong: Complain, caller: Flow, called: Flow, given: readonly string[], place: Path): void => {
  for (const { name, isRequired, usual, from, inSandbox, schema } of called.inputs) {
    const inherited = given.includes(name) ? undefined : caller.inputs.find((input) => input.name === name);
    if (inherited && typeOf(inherited.schema) !== typeOf(schema))
      wrong(
        place,
        `${called.id} needs the input ${name} of type ${typeOf(schema)}, and that of ${caller.id} is another`,
      );
    const hasOrigin = from !== undefined || inSandbox !== undefined;
    if (given.includes(name) || from === 'profile' || !(hasOrigin || (isRequired && usual === undefined))) continue;
    const own = caller.inputs.find((input) => input.name === name);
    const isSure = own !== undefined && (!isRequired || own.isRequired || own.usual !== undefined);
    if (!isSure)
      wrong(place, `${called.id} needs the input ${name}: give it here, or make it a required input of ${caller.id}`);
  }
};

const isCalledBy = ({ id }: Flow, { steps, cleanup }: Flow): boolean =>
  cleanup === id || steps.some(({ operation }) => operation.source === 'workflow' && operation.workflowId === id);

/** Checks the workflows that one needs. A called workflow runs only with its caller: nothing can wait for it alone. */
export const checkNeeded = (wrong: Complain, flow: Flow, flows: readonly Flow[], path: Path): void => {
  for (const [at, id] of flow.dependsOn.entries()) {
    const needed = flows.find((each) => each.id === id);
    const caller = needed && flows.find((other) => isCalledBy(needed, other));
    if (needed === undefined) wrong([...path, 'dependsOn', at], `no workflow ${id}`);
    if (caller)
      wrong([...path, 'dependsOn', at], `${id} runs only as a part of ${caller.id}: dependsOn cannot name it`);
  }
  const cleanup = flows.find(({ id }) => id === flow.cleanup);
  const place = [...path, 'x-bursar-cleanup'];
  if (flow.cleanup !== undefined && cleanup === undefined) wrong(place, `no workflow ${flow.cleanup}`);
  const pays = cleanup && withCalled(cleanup, flows).some((each) => each.steps.some(statesFacts));
  if (cleanup && (pays || effectOfFlow(cleanup, flows) === 'pays'))
    wrong(place, `the cleanup ${cleanup.id} may move money or states what is paid, and a cleanup must not`);
  if (cleanup)
    checkGiven(
      wrong,
      flow,
      cleanup,
      flow.steps.flatMap(({ outputs }) => Object.keys(outputs)),
      place,
    );
  const caller = flows.find((other) => isCalledBy(flow, other));
  if (caller === undefined) return;
  for (const [name, own] of Object.entries({ 'x-bursar-cleanup': flow.cleanup, dependsOn: flow.dependsOn[0] }))
    if (own !== undefined)
      wrong([...path, name], `workflow ${flow.id} is called by ${caller.id}: ${name} belongs to it`);
};

/** Checks the inputs that a step gives to the workflow that it calls. */
export const checkCall = (
  wrong: Complain,
  {
    caller,
    flows,
    workflowId,
  }: { readonly caller: Flow; readonly flows: readonly Flow[]; readonly workflowId: string },
  step: Step,
  path: Path,
): void => {
  const called = flows.find(({ id }) => id === workflowId);
  if (called === undefined) {
    wrong([...path, 'workflowId'], `no workflow ${workflowId}`);
    return;
  }
  for (const [at, { name }] of step.parameters.entries())
    if (!called.inputs.some((input) => input.name === name))
      wrong([...path, 'parameters', at, 'name'], `${called.id} has no input ${name}`);
  checkGiven(
    wrong,
    caller,
    called,
    step.parameters.map(({ name }) => name),
    [...path, 'workflowId'],
  );
};
