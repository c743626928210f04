import type * as z from 'zod';
import { isWire } from '../client/envelope.ts';
import { Failure, isFailure, undefinedOn } from '../core/failure.ts';
import { parseJson, textAt, valueAt } from '../core/json.ts';
import { type Redaction, redactionOf, secretsIn } from '../core/secret.ts';
import type { Clock } from '../io/io.ts';
import { type Difference, differenceOf, shown } from './criterion.ts';
import { type Exchange, expressionsIn, expressionValue, isExpression, resolved, type Scope } from './expression.ts';
import { type Action, type Flow, isRepeatable, type Operation, type Step } from './flow.ts';
import { problemOfInput } from './input-schema.ts';
import type { FlowReport, StepReport } from './report.ts';

/** One call of a step, with its values. */
export type StepCall = {
  readonly flow: string;
  readonly step: string;
  readonly operation: Exclude<Operation, { readonly source: 'workflow' }>;
  readonly parts: Exchange['request'];
  /** The `clock.monotonic()` at which the call ends. */
  readonly deadline: number;
  /** A cleanup makes the call: an interrupt does not end it. */
  readonly isCleanup: boolean;
  /** How often this step was reached before in this run. */
  readonly visits: number;
};

/** What came of a call. */
export type CallOutcome = {
  /** The request and its answer, exactly. `undefined` if nothing was sent. */
  readonly exchange: Exchange | undefined;
  /** Why the call failed. A refusal by the service is one too, and the criteria of the step decide about it. */
  readonly failure?: Failure | undefined;
  /** The lines of the request and its answer, with secrets masked, for a report. */
  readonly lines: readonly string[];
  /** What bursar found out about a call whose answer was lost. */
  readonly settled?: string | undefined;
};

/** A progress of a run, for its reporters. */
export type SmokeEvent =
  | { readonly kind: 'step_started'; readonly flow: string; readonly step: string }
  | { readonly kind: 'step_ended'; readonly flow: string; readonly step: StepReport }
  | { readonly kind: 'step_passed'; readonly flow: string; readonly step: string; readonly outputs: Inputs }
  | { readonly kind: 'flow_ended'; readonly flow: FlowReport };

/** What the runner needs from the outside. */
export type RunContext = {
  readonly clock: Clock;
  readonly interrupted: AbortSignal;
  readonly call: (call: StepCall) => Promise<CallOutcome>;
  readonly on: (event: SmokeEvent) => void | Promise<void>;
  /** The `clock.monotonic()` at which the run ends. */
  readonly deadline: number;
  readonly isCleanup?: boolean;
  /** Secrets that no report shows: the keys of the service and of the sandbox, and secret inputs. */
  readonly secrets: readonly string[];
};

/** The inputs of a flow, by name. */
export type Inputs = Readonly<Record<string, unknown>>;

/** The outputs that an earlier run of a flow stored, and the first step that it left out. */
export type Resumption = {
  readonly outputs: Scope['steps'];
  readonly from: string;
};

/** The values of a step's request. */
export const partsOf = (flow: Flow, step: Step, scope: Scope): Exchange['request'] => {
  const at = (place: string) =>
    Object.fromEntries(
      [...flow.parameters, ...step.parameters]
        .filter((one) => one.in === place)
        .map(({ name, value }) => [place === 'header' ? name.toLowerCase() : name, resolved(value, scope)] as const)
        .filter(([, value]) => value !== undefined),
    );
  return { path: at('path'), query: at('query'), header: at('header'), body: bodyOf(step.payload, scope) };
};

/** The first expression of a request that reads an output and finds nothing. */
export const emptyOutput = (step: Step, scope: Scope): string | undefined =>
  expressionsIn([step.payload, ...step.parameters.map(({ value }) => value)]).find(
    (expression) => /^\$(?:steps|workflows)\./.test(expression) && expressionValue(expression, scope) === undefined,
  );

/** The inputs that a step gives to the workflow that it calls. Throws `invalid_input` if an output of them is missing. */
export const inputsOfCall = (step: Step, scope: Scope): Inputs => {
  const empty = emptyOutput(step, scope);
  if (empty !== undefined) throw new Failure('invalid_input', `${empty} is missing; step ${step.id} called nothing`);
  return Object.fromEntries(step.parameters.map(({ name, value }) => [name, resolved(value, scope)]));
};

/** The inputs of a called workflow: its defaults, those of its caller, and those of the call. Throws for one that its schema refuses. */
export const inputsOfCalled = (flow: Flow, ofCaller: Inputs, given: Inputs): Inputs => {
  const inputs: Record<string, unknown> = { ...ofCaller, ...given };
  for (const { name, usual, schema } of flow.inputs) {
    if (inputs[name] === undefined && usual !== undefined)
      inputs[name] = resolved(usual, { inputs, steps: {}, workflows: {} });
    const problem = inputs[name] === undefined ? undefined : problemOfInput(schema, inputs[name]);
    if (problem !== undefined)
      throw new Failure('invalid_input', `nothing was sent: input ${name} of ${flow.id}: ${problem}`);
  }
  return inputs;
};

/** The text of a template as the JSON that it makes. */
const bodyOf = (payload: unknown, scope: Scope): unknown => {
  const body = resolved(payload, scope);
  const isTemplate = typeof payload === 'string' && typeof body === 'string' && !isExpression(payload);
  return isTemplate ? (undefinedOn(() => parseJson(body)) ?? body) : body;
};

const issueIn = (schema: z.ZodType, data: unknown): Difference | undefined => {
  const [issue] = schema.safeParse(data).error?.issues ?? [];
  if (issue === undefined) return undefined;
  const path = issue.path.map(String);
  const place = ['$response.body#/data', ...path].join('/');
  return {
    expected: `${place} as documented: ${issue.message}`,
    actual: `${place} is ${shown(valueAt(data, ...path))}`,
  };
};

/** Masks the secrets of a run, of one exchange, and of the values that a flow has. */
export const redactionFor = (
  { secrets }: RunContext,
  exchange: Exchange | undefined,
  values: readonly unknown[],
): Redaction =>
  redactionOf([...secrets, ...[exchange?.request.body, exchange?.response?.body, ...values].flatMap(secretsIn)]);

/** What in an answer contradicts the contract: its envelope, its status, or its data. `undefined` for nothing. */
const contractDifference = (operation: StepCall['operation'], { response }: Exchange): Difference | undefined => {
  if (response === undefined) return undefined;
  const { body, statusCode } = response;
  if (!isWire(body)) return { expected: 'an envelope with success and status', actual: `the body is ${shown(body)}` };
  if (body['statusCode'] !== statusCode || body['success'] !== statusCode < 300)
    return {
      expected: `statusCode ${statusCode} and success ${statusCode < 300} in the envelope`,
      actual: `statusCode is ${shown(body['statusCode'])}, success is ${shown(body['success'])}`,
    };
  if (body['success'] !== true) return undefined;
  const status = textAt(body, 'status') ?? '';
  const { success } = operation.endpoint;
  if (!Object.hasOwn(success, status)) {
    if (Object.values(success).some(({ isAssumed }) => isAssumed)) return undefined;
    return {
      expected: `a documented status: ${Object.keys(success).join(', ')}`,
      actual: `$response.body#/status is ${shown(status)}`,
    };
  }
  const schema = success[status]?.data;
  return schema === undefined ? undefined : issueIn(schema, body['data']);
};

/** Whether a failure leaves open what happened to money, whatever the answer was. */
const isUnclear = ({ code, details: { data } }: Failure): boolean =>
  code === 'outcome_unknown' || valueAt(data, 'live') === true || valueAt(data, 'moved') === true;

/** Whether a failure is only what the service answered: then the criteria decide. */
const isAnswered = ({ exchange, failure }: CallOutcome): boolean => {
  if (failure === undefined) return true;
  const { response } = exchange ?? {};
  return response !== undefined && failure.details.http === response.statusCode && !isUnclear(failure);
};

const ANSWER_2XX: Step['criteria'] = [{ type: 'simple', condition: '$statusCode >= 200 && $statusCode < 300' }];

/** Why a step failed; `undefined` if it passed. */
export const differenceIn = async (
  step: Step,
  operation: StepCall['operation'],
  outcome: CallOutcome,
  scope: Scope,
) => {
  const { exchange, failure } = outcome;
  if (exchange === undefined || exchange.response === undefined || !isAnswered(outcome)) {
    const noAnswer =
      exchange === undefined ? `${operation.endpoint.method} ${operation.endpoint.path} is sent` : 'an answer';
    const expected = exchange?.response === undefined ? noAnswer : 'an outcome that bursar can confirm';
    const actual = failure?.message ?? 'no answer';
    return { expected, actual: outcome.settled === undefined ? actual : `${actual}; ${outcome.settled}` };
  }
  for (const criterion of step.criteria.length > 0 ? step.criteria : ANSWER_2XX) {
    const difference = await differenceOf(criterion, scope);
    if (difference) return difference;
  }
  return contractDifference(operation, exchange);
};

/** Whether a call may be made again. A step that cannot be sent fails in the same way each time. */
export const mayRepeat = (operation: Operation, { exchange, failure }: CallOutcome): boolean =>
  (exchange !== undefined || (failure !== undefined && failure.code !== 'invalid_input')) &&
  isRepeatable(operation, exchange?.request.body);

/** The first action whose criteria are all met. */
export const chosen = async (actions: readonly Action[], scope: Scope): Promise<Action | undefined> => {
  for (const action of actions) {
    const differences = await Promise.all(action.criteria.map((criterion) => differenceOf(criterion, scope)));
    if (differences.every((each) => each === undefined)) return action;
  }
  return undefined;
};

/** Whether money may have moved, or may still move: an answer was lost, signed bytes stay live, or no end was seen in time. */
export const leavesDoubt = ({ endpoint }: StepCall['operation'], { failure }: CallOutcome): boolean =>
  failure !== undefined &&
  (isUnclear(failure) || (isFailure(failure, 'not_final') && endpoint.effect === 'moves_money'));

/** Counts the retries of one step. Returns whether one more is allowed and in time. */
export const retriesIn = ({ clock, deadline }: RunContext) => {
  const used = new Map<string, number>();
  return ({ name, retryLimit, retryAfter }: Action): boolean => {
    const count = used.get(name) ?? 0;
    used.set(name, count + 1);
    return count < retryLimit && clock.monotonic() + retryAfter * 1000 < deadline;
  };
};
