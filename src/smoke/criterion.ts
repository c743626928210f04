import { runInNewContext } from 'node:vm';
import { compareDecimals, isDecimal } from '../core/decimal.ts';
import { Failure, isFailure, messageOf } from '../core/failure.ts';
import { briefly, digitsOf, isExactNumber, isJsonObject, printJson } from '../core/json.ts';
import { expressionValue, isExpression, type Scope } from './expression.ts';

/** A criterion of Arazzo. `simple` is a condition over expressions; the other types look at the value of `context`. */
export type Criterion = {
  readonly type: 'simple' | 'regex' | 'jsonpath';
  readonly context?: string | undefined;
  readonly condition: string;
};

/** A criterion that was not met: what it expects, and what was there. */
export type Difference = { readonly expected: string; readonly actual: string };

type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A parsed condition. */
type Condition =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'expression'; readonly expression: string }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'compare'; readonly by: Comparison; readonly left: Condition; readonly right: Condition };

/** An expression ends before a space, a bracket that it did not open, or an operator. */
const TOKEN =
  /\s*(?:(\$[^\s()!=<>&|]+)|('(?:[^']|'')*')|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)\b|(&&|\|\||==|!=|<=|>=|[<>!()]))/y;

const tokensOf = (condition: string): readonly string[] => {
  const tokens: string[] = [];
  const pattern = new RegExp(TOKEN);
  const { length } = condition.trimEnd();
  for (let at = 0; at < length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(condition) ?? [];
    if (found === undefined)
      throw new Failure('invalid_input', `cannot be read at "${condition.slice(at, at + 20).trim()}"`);
    tokens.push(found.trim());
  }
  return tokens;
};

const literal = (token: string): unknown => {
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  if (token === 'true' || token === 'false') return token === 'true';
  return token === 'null' ? null : digitsOf(Number(token)) === token ? Number(token) : { digits: token };
};

const COMPARISONS: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];

/** Parses a simple condition (Arazzo 1.0.1, Criterion Object). Throws `invalid_input` for one that it cannot read. */
export const parseCondition = (text: string): Condition => {
  const tokens = [...tokensOf(text)];
  const take = (): string => tokens.shift() ?? '';
  const operand = (): Condition => {
    const token = take();
    if (token === '!') return { kind: 'not', of: operand() };
    if (token === '(') {
      const inner = either();
      if (take() !== ')') throw new Failure('invalid_input', 'lacks a closing bracket');
      return inner;
    }
    if (token.startsWith('$')) {
      if (!isExpression(token)) throw new Failure('invalid_input', `has an unknown expression ${token}`);
      return { kind: 'expression', expression: token };
    }
    if (token === '' || /^[&|=!<>)]/.test(token))
      throw new Failure('invalid_input', token === '' ? 'is incomplete' : `has a value missing before ${token}`);
    return { kind: 'value', value: literal(token) };
  };
  const comparison = (): Condition => {
    const left = operand();
    if (!COMPARISONS.includes(tokens[0] ?? '')) return left;
    return { kind: 'compare', by: take() as Comparison, left, right: operand() };
  };
  const both = (): Condition => {
    let left = comparison();
    while (tokens[0] === '&&') {
      take();
      left = { kind: 'and', left, right: comparison() };
    }
    return left;
  };
  const either = (): Condition => {
    let left = both();
    while (tokens[0] === '||') {
      take();
      left = { kind: 'or', left, right: both() };
    }
    return left;
  };
  const parsed = either();
  if (tokens.length > 0) throw new Failure('invalid_input', `cannot be read from "${tokens[0]}" on`);
  return parsed;
};

/** The digits of a number: of JSON, or of a condition. */
const numberIn = (value: unknown): string | undefined =>
  isJsonObject(value) && typeof value['digits'] === 'string' ? value['digits'] : digitsOf(value);

const isSame = (left: unknown, right: unknown): boolean => {
  const [one, other] = [numberIn(left), numberIn(right)];
  if (one !== undefined && other !== undefined)
    return isDecimal(one) && isDecimal(other) ? compareDecimals(one, other) === 0 : Number(one) === Number(other);
  // Arazzo compares text without regard to case.
  if (typeof left === 'string' && typeof right === 'string') return left.toLowerCase() === right.toLowerCase();
  return (left ?? null) === (right ?? null);
};

/** The order of two numbers, or of two texts with decimals, as the service writes money. `undefined` for other values. */
const orderOf = (left: unknown, right: unknown): number | undefined => {
  const asDecimal = (value: unknown) => numberIn(value) ?? (typeof value === 'string' ? value : '');
  const [one, other] = [asDecimal(left), asDecimal(right)];
  return isDecimal(one) && isDecimal(other) ? compareDecimals(one, other) : undefined;
};

const compare = (by: Comparison, left: unknown, right: unknown): boolean => {
  if (by === '==') return isSame(left, right);
  if (by === '!=') return !isSame(left, right);
  const order = orderOf(left, right);
  if (order === undefined) return false;
  if (by === '<') return order < 0;
  if (by === '<=') return order <= 0;
  return by === '>' ? order > 0 : order >= 0;
};

const evaluate = (condition: Condition, scope: Scope): unknown => {
  switch (condition.kind) {
    case 'value':
      return condition.value;
    case 'expression':
      return expressionValue(condition.expression, scope);
    case 'not':
      return !evaluate(condition.of, scope);
    case 'and':
      return Boolean(evaluate(condition.left, scope)) && Boolean(evaluate(condition.right, scope));
    case 'or':
      return Boolean(evaluate(condition.left, scope)) || Boolean(evaluate(condition.right, scope));
    case 'compare':
      return compare(condition.by, evaluate(condition.left, scope), evaluate(condition.right, scope));
    default:
      return condition satisfies never;
  }
};

const namesIn = (condition: Condition): readonly string[] => {
  switch (condition.kind) {
    case 'value':
      return [];
    case 'expression':
      return [condition.expression];
    case 'not':
      return namesIn(condition.of);
    case 'and':
    case 'or':
    case 'compare':
      return [...namesIn(condition.left), ...namesIn(condition.right)];
    default:
      return condition satisfies never;
  }
};

/** A value for a report: JSON, cut. */
export const shown = (value: unknown): string => (value === undefined ? 'missing' : briefly(printJson(value)));

/** A pattern or a path of a file may take exponential time. */
const LONGEST_MS = 200;

/** Runs a check of a file within the time limit. Throws `invalid_input` beyond it, and for a check that fails. */
const withinTime = (check: string, values: object, condition: string): unknown => {
  try {
    return runInNewContext(check, values, { timeout: LONGEST_MS });
  } catch (error) {
    throw new Failure('invalid_input', `${condition} was not checked within ${LONGEST_MS} ms: ${messageOf(error)}`);
  }
};

/** Whether a pattern finds a match. */
const matches = (pattern: string, text: string): boolean =>
  withinTime('new RegExp(pattern, "u").test(text)', { pattern, text }, pattern) === true;

/** JSON for a query: an exact number becomes a number of JavaScript, because the library of JSONPath knows no other. */
const forQuery = (value: unknown): unknown => {
  if (isExactNumber(value)) return Number(value.toString());
  if (Array.isArray(value)) return value.map(forQuery);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, forQuery(entry)]));
};

/** Loads the evaluator of JSONPath (RFC 9535), which few flows need. */
const jsonpath = async () => (await import('jsonpath-rfc9535')).query;

const textOfValue = (value: unknown): string => (typeof value === 'string' ? value : printJson(value ?? null));

const checked = async ({ type, condition, context = '' }: Criterion, scope: Scope): Promise<Difference | undefined> => {
  if (type === 'simple') {
    const parsed = parseCondition(condition);
    if (evaluate(parsed, scope)) return undefined;
    const values = namesIn(parsed).map((name) => `${name} is ${shown(expressionValue(name, scope))}`);
    return { expected: condition, actual: [...new Set(values)].join(', ') || 'false' };
  }
  const value = expressionValue(context, scope);
  const actual = `${context} is ${shown(value)}`;
  if (type === 'regex') {
    const isMet = value !== undefined && matches(condition, textOfValue(value));
    return isMet ? undefined : { expected: `${context} matches ${condition}`, actual };
  }
  if (value === undefined) return { expected: `${context} has a value at ${condition}`, actual };
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

/** Why a criterion cannot be checked; `undefined` if it can. */
export const problemOf = async ({ type, condition, context }: Criterion): Promise<string | undefined> => {
  try {
    if (type === 'simple') parseCondition(condition);
    else if (context === undefined || !isExpression(context)) return `a criterion of type ${type} needs a context`;
    else if (type === 'regex') new RegExp(condition, 'u');
    else (await jsonpath())({}, condition);
    return undefined;
  } catch (error) {
    return `the condition ${condition} ${messageOf(error)}`;
  }
};
