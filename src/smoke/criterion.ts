import { runInNewContext } from 'node:vm';
import { Failure, isFailure, messageOf } from '../core/failure.ts';
import { briefly, digitsOf, exactNumber, isExactNumber, isJsonObject, printJson } from '../core/json.ts';
import { expressionsOf, isMet, orderOf, parseCondition } from './condition.ts';
import { expressionValue, isExpression, noExpression, type Scope } from './expression.ts';

/** A criterion of Arazzo. `simple` is a condition over expressions; the other types look at the value of `context`. */
export type Criterion = {
  readonly type: 'simple' | 'regex' | 'jsonpath';
  readonly context?: string | undefined;
  readonly condition: string;
};

/** A criterion that was not met: what it expects, and what was there. */
export type Difference = { readonly expected: string; readonly actual: string };

/** Adds why a call failed to what was there. */
export const withReason = ({ expected, actual }: Difference, failure: Failure | undefined): Difference => ({
  expected,
  actual: failure === undefined || actual.includes(failure.message) ? actual : `${actual}; ${failure.message}`,
});

/** A value for a report: JSON, cut. */
export const shown = (value: unknown): string => (value === undefined ? 'missing' : briefly(printJson(value)));

/** A pattern or a path of a file may take exponential time. */
const LONGEST_MS = 200;
const MAX_ATTEMPTS = 3;

/** Runs a check of a file within the time limit. Throws `invalid_input` beyond it, and for a check that fails. */
const withinTime = (check: string, values: object, condition: string): unknown => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return runInNewContext(check, values, { timeout: LONGEST_MS });
    } catch (error) {
      // The limit is of the clock, and on a busy machine the process waits for its turn meanwhile.
      if (attempt < MAX_ATTEMPTS && Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') continue;
      throw new Failure('invalid_input', `${condition} was not checked within ${LONGEST_MS} ms: ${messageOf(error)}`);
    }
  }
};

/** Whether a pattern finds a match. Throws `invalid_input` beyond the time limit. */
export const matches = (pattern: string, text: string): boolean =>
  withinTime('new RegExp(pattern, "u").test(text)', { pattern, text }, pattern) === true;

/** JSON for a query: an exact number becomes a number of JavaScript, because the library of JSONPath knows no other. */
const forQuery = (value: unknown): unknown => {
  if (isExactNumber(value)) return Number(value.toString());
  if (Array.isArray(value)) return value.map(forQuery);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, forQuery(entry)]));
};

/** Whether a number of JavaScript prints as the same decimal. */
const isHeld = (digits: string): boolean => orderOf(Number(digits), exactNumber(digits)) === 0;

/** The numbers in a path, without those in names and quoted text. */
const numbersOfPath = (path: string): readonly string[] =>
  path
    .replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs, ' ')
    .match(/(?<![\p{L}\p{N}_])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu) ?? [];

const numbersIn = (value: unknown): readonly string[] => {
  const digits = digitsOf(value);
  if (digits !== undefined) return [digits];
  return (Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []).flatMap(numbersIn);
};

/**
 * A number of a document that JavaScript confuses with another number of it or of the path. Without such a number,
 * every comparison of a filter is exact, because rounding keeps the order of numbers.
 */
const confusedNumber = (value: unknown, path: string): string | undefined => {
  const known = new Map(numbersOfPath(path).map((digits) => [Number(digits), digits]));
  return numbersIn(value).find((digits) => {
    const other = known.get(Number(digits)) ?? digits;
    known.set(Number(digits), other);
    return other !== digits && orderOf(exactNumber(other), exactNumber(digits)) !== 0;
  });
};

/** Loads the evaluator of JSONPath (RFC 9535), which few flows need. */
const jsonpath = async () => (await import('jsonpath-rfc9535')).query;

const textOfValue = (value: unknown): string => (typeof value === 'string' ? value : printJson(value ?? null));

const checked = async ({ type, condition, context = '' }: Criterion, scope: Scope): Promise<Difference | undefined> => {
  if (type === 'simple') {
    const parsed = parseCondition(condition);
    if (isMet(parsed, scope)) return undefined;
    const values = expressionsOf(parsed).map((name) => `${name} is ${shown(expressionValue(name, scope))}`);
    return { expected: condition, actual: [...new Set(values)].join(', ') };
  }
  const value = expressionValue(context, scope);
  const actual = `${context} is ${shown(value)}`;
  if (type === 'regex') {
    const isMatch = value !== undefined && matches(condition, textOfValue(value));
    return isMatch ? undefined : { expected: `${context} matches ${condition}`, actual };
  }
  if (value === undefined) return { expected: `${context} has a value at ${condition}`, actual };
  const confused = condition.includes('?') ? confusedNumber(value, condition) : undefined;
  if (confused !== undefined)
    throw new Failure(
      'invalid_input',
      `${context} has the number ${confused}, which a filter rounds to another one there: use a simple condition`,
    );
  const query = await jsonpath();
  const count = withinTime(
    'query(document, path).length',
    { query, document: forQuery(value), path: condition },
    condition,
  );
  return count === 0 ? { expected: `${context} has a value at ${condition}`, actual } : undefined;
};

/** Checks a criterion. Returns what was expected and what was there; `undefined` if it is met. Never throws a failure. */
export const differenceOf = async (criterion: Criterion, scope: Scope): Promise<Difference | undefined> => {
  try {
    return await checked(criterion, scope);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { expected: criterion.condition, actual: error.message };
  }
};

/** A longer condition would take long to check. */
const LONGEST = 10_000;

const problemOfNumbers = (path: string): string | undefined => {
  const number = numbersOfPath(path).find((digits) => !isHeld(digits));
  return number === undefined ? undefined : `has the number ${number}, which a filter would round`;
};

/** Why a criterion cannot be checked; `undefined` if it can. */
export const problemOf = async ({ type, condition, context }: Criterion): Promise<string | undefined> => {
  if (condition.length > LONGEST)
    return `the condition has ${condition.length} characters, and more than ${LONGEST} are not supported`;
  try {
    if (type === 'simple') parseCondition(condition);
    else if (context === undefined) return `a criterion of type ${type} needs a context`;
    else if (!isExpression(context)) return `a criterion of type ${type} needs a context: ${noExpression(context)}`;
    else if (type === 'regex') new RegExp(condition, 'u');
    else {
      (await jsonpath())({}, condition);
      const problem = problemOfNumbers(condition);
      if (problem !== undefined) throw new Failure('invalid_input', problem);
    }
    return undefined;
  } catch (error) {
    return `the condition ${briefly(condition)} ${messageOf(error)}`;
  }
};

/** The expressions that a criterion reads. */
export const expressionsOfCriterion = ({ type, condition, context }: Criterion): readonly string[] => [
  ...(type === 'simple' ? expressionsOf(parseCondition(condition)) : []),
  ...(context === undefined ? [] : [context]),
];
