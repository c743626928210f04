import { compareDecimals, isDecimal, plainDecimal } from '../core/decimal.ts';
import { Failure } from '../core/failure.ts';
import { digitsOf, exactNumber } from '../core/json.ts';
import { expressionValue, isExpression, noExpression, type Scope } from './expression.ts';

type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A side of a comparison. */
type Operand =
  | { readonly kind: 'literal'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'expression'; readonly expression: string };

/** A parsed condition. `holds` is an expression alone, whose value must be true. */
export type Condition =
  | { readonly kind: 'holds'; readonly expression: string }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'and' | 'or'; readonly all: readonly Condition[] }
  | { readonly kind: 'compare'; readonly by: Comparison; readonly left: Operand; readonly right: Operand };

/** An expression ends before a space, a bracket that it did not open, or an operator. */
const TOKEN =
  /\s*(?:(\$[^\s()!=<>&|]+)|('(?:[^']|'')*')|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)\b|(&&|\|\||==|!=|<=|>=|[<>!()]))/y;

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

const literalOf = (token: string): unknown => {
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  if (token === 'true' || token === 'false') return token === 'true';
  return token === 'null' ? null : exactNumber(token);
};

const COMPARISONS: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];

/** Deeper brackets would overflow the recursion of the parser. */
const DEEPEST = 100;

const isOperand = (part: Condition | Operand): part is Operand => part.kind === 'literal' || part.kind === 'expression';

/** A literal is no condition: it would always be met, or never. */
const asCondition = (part: Condition | Operand): Condition => {
  if (part.kind === 'literal') throw new Failure('invalid_input', `has ${part.text} where a comparison belongs`);
  return part.kind === 'expression' ? { kind: 'holds', expression: part.expression } : part;
};

const comparing = (by: Comparison, left: Condition | Operand, right: Condition | Operand): Condition => {
  if (!isOperand(left) || !isOperand(right))
    throw new Failure('invalid_input', `compares a condition by ${by}: put brackets around the comparison`);
  if (left.kind === 'literal' && right.kind === 'literal')
    throw new Failure('invalid_input', `compares ${left.text} with ${right.text}: one of them must be an expression`);
  return { kind: 'compare', by, left, right };
};

/** Parses a simple condition (Arazzo 1.0.1, Criterion Object). Throws `invalid_input` for one that it cannot read. */
export const parseCondition = (text: string): Condition => {
  const tokens = tokensOf(text);
  let at = 0;
  const next = (): string => tokens[at] ?? '';
  const take = (): string => {
    at += 1;
    return tokens[at - 1] ?? '';
  };
  const operand = (depth: number): Condition | Operand => {
    if (depth > DEEPEST) throw new Failure('invalid_input', `has more than ${DEEPEST} brackets inside each other`);
    const token = take();
    if (token === '!') return { kind: 'not', of: asCondition(operand(depth + 1)) };
    if (token === '(') {
      const inner = either(depth + 1);
      if (take() !== ')') throw new Failure('invalid_input', 'lacks a closing bracket');
      return inner;
    }
    if (token.startsWith('$')) {
      if (!isExpression(token)) throw new Failure('invalid_input', `cannot be read: ${noExpression(token)}`);
      return { kind: 'expression', expression: token };
    }
    if (token === '' || /^[&|=!<>)]/.test(token))
      throw new Failure('invalid_input', token === '' ? 'is incomplete' : `has a value missing before ${token}`);
    return { kind: 'literal', value: literalOf(token), text: token };
  };
  const comparison = (depth: number): Condition | Operand => {
    const left = operand(depth);
    return COMPARISONS.includes(next()) ? comparing(take() as Comparison, left, operand(depth)) : left;
  };
  const joined = (mark: string, kind: 'and' | 'or', part: () => Condition | Operand): Condition | Operand => {
    const first = part();
    if (next() !== mark) return first;
    const all = [asCondition(first)];
    while (next() === mark) {
      take();
      all.push(asCondition(part()));
    }
    return { kind, all };
  };
  const either = (depth: number) => joined('||', 'or', () => joined('&&', 'and', () => comparison(depth)));
  const parsed = either(0);
  if (at < tokens.length) throw new Failure('invalid_input', `cannot be read from "${next()}" on`);
  return asCondition(parsed);
};

type Signed = { readonly sign: -1 | 0 | 1; readonly plain: string };

/** The decimal of a number, or of a text with a decimal, as the service writes money. */
const decimalOf = (value: unknown): Signed | undefined => {
  const digits = digitsOf(value);
  const text = digits ?? (typeof value === 'string' ? value : '');
  const isNegative = text.startsWith('-');
  const unsigned = isNegative ? text.slice(1) : text;
  const plain = digits === undefined && !isDecimal(unsigned) ? undefined : plainDecimal(unsigned);
  if (plain === undefined) return undefined;
  if (compareDecimals(plain, '0') === 0) return { sign: 0, plain };
  return { sign: isNegative ? -1 : 1, plain };
};

/** The exact order of two numbers, or of texts with decimals: negative, zero or positive. `undefined` for other values. */
export const orderOf = (left: unknown, right: unknown): number | undefined => {
  const [one, other] = [decimalOf(left), decimalOf(right)];
  if (one === undefined || other === undefined) return undefined;
  return one.sign - other.sign || one.sign * compareDecimals(one.plain, other.plain);
};

/** Whether two values are equal; `undefined` for values of different kinds, for objects and for lists. */
export const isEqual = (left: unknown, right: unknown): boolean | undefined => {
  if (left === null || right === null) return left === right;
  // Arazzo compares text without regard to case.
  if (typeof left === 'string' && typeof right === 'string') return left.toLowerCase() === right.toLowerCase();
  if (typeof left === 'boolean' && typeof right === 'boolean') return left === right;
  const order = orderOf(left, right);
  return order === undefined ? undefined : order === 0;
};

const compare = (by: Comparison, left: unknown, right: unknown): boolean | undefined => {
  const isOrdered = by !== '==' && by !== '!=';
  const result = isOrdered ? orderOf(left, right) : isEqual(left, right);
  if (result === undefined || typeof result === 'boolean')
    return by === '!=' && result !== undefined ? !result : result;
  if (by === '<') return result < 0;
  if (by === '<=') return result <= 0;
  return by === '>' ? result > 0 : result >= 0;
};

/** A missing value equals the literal `null`, and can be compared with nothing else. */
const compareOperands = (
  { by, left, right }: Extract<Condition, { readonly kind: 'compare' }>,
  scope: Scope,
): boolean | undefined => {
  const [one, other] = [left, right].map((side) =>
    side.kind === 'literal' ? side.value : expressionValue(side.expression, scope),
  );
  if (one !== undefined && other !== undefined) return compare(by, one, other);
  const isNull = [left, right].some((side) => side.kind === 'literal' && side.value === null);
  return isNull && (by === '==' || by === '!=') ? by === '==' : undefined;
};

/**
 * Whether a condition is met. `undefined` if a value is missing or of another kind. Then the condition is not met, and
 * neither is its opposite.
 */
export const isMet = (condition: Condition, scope: Scope): boolean | undefined => {
  switch (condition.kind) {
    case 'holds': {
      const value = expressionValue(condition.expression, scope);
      return typeof value === 'boolean' ? value : undefined;
    }
    case 'not': {
      const inner = isMet(condition.of, scope);
      return inner === undefined ? undefined : !inner;
    }
    case 'and':
    case 'or': {
      const results = condition.all.map((part) => isMet(part, scope));
      const decisive = condition.kind === 'or';
      if (results.includes(decisive)) return decisive;
      return results.includes(undefined) ? undefined : !decisive;
    }
    case 'compare':
      return compareOperands(condition, scope);
    default:
      return condition satisfies never;
  }
};

/** The expressions in a condition. */
export const expressionsOf = (condition: Condition): readonly string[] => {
  switch (condition.kind) {
    case 'holds':
      return [condition.expression];
    case 'not':
      return expressionsOf(condition.of);
    case 'and':
    case 'or':
      return condition.all.flatMap(expressionsOf);
    case 'compare':
      return [condition.left, condition.right].flatMap((side) => (side.kind === 'literal' ? [] : [side.expression]));
    default:
      return condition satisfies never;
  }
};
