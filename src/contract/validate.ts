import * as z from 'zod';
import type { FieldError } from '../core/failure.ts';
import { isJsonObject } from '../core/json.ts';
import { memoize } from '../core/once.ts';
import { type AnyEndpoint, fieldsOf } from './define.ts';
import type { Fields } from './rules.ts';

/**
 * A wrong field, and the status with which the service answers it. `field` is a path such as
 * `card_data.address.city`; it is `body` when the input as a whole is wrong.
 */
export type Problem = FieldError & { readonly status: string | undefined };

/** The input as its schemas leave it, or everything that is wrong with it. */
export type Validation =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const schemaErrors = (issues: readonly z.core.$ZodIssue[], input: unknown): readonly FieldError[] =>
  issues.map((issue) => {
    const value = issue.path.reduce<unknown>(
      (outer, key) => (outer as Fields | null | undefined)?.[String(key)],
      input,
    );
    const field = issue.path.join('.');
    return value === undefined ? { field, message: 'required', isMissing: true } : { field, message: issue.message };
  });

/** Whether two paths are the same, or one lies inside the other. */
const overlap = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);

/** The first problem of each field. An input may hold very many: one pass. */
const onePerField = (problems: readonly Problem[]): readonly Problem[] => {
  const first = new Map<string, Problem>();
  for (const problem of problems) if (!first.has(problem.field)) first.set(problem.field, problem);
  return [...first.values()];
};

/** Building a schema costs twenty times what using it does. */
const schemaOf = memoize((endpoint: AnyEndpoint) => z.looseObject(fieldsOf(endpoint)));

/**
 * Checks an input by an endpoint's fields and rules. Every problem is reported at once, one a field;
 * a rule's problem with a field that is wrong in itself is left out. Never throws, whatever the input holds.
 * Fields that the endpoint does not know stay in the input: the document leaves some unnamed.
 */
export const validate = (endpoint: AnyEndpoint, input: Readonly<Record<string, unknown>>): Validation => {
  if (!isJsonObject(input)) {
    return { ok: false, problems: [{ field: 'body', message: 'must be an object', status: endpoint.invalid }] };
  }
  const statusOf = (field: string) => endpoint.invalidField?.[field.split('.')[0] ?? ''] ?? endpoint.invalid;
  const parsed = schemaOf(endpoint).safeParse(input);
  const wrong = schemaErrors(parsed.error?.issues ?? [], input);
  const fields = parsed.data ?? input;
  const broken = (endpoint.rules ?? []).flatMap((rule) =>
    rule
      .check(fields)
      .filter((error) => !wrong.some(({ field }) => overlap(field, error.field)))
      .map((error) => ({ ...error, status: rule.status ?? statusOf(error.field) })),
  );
  const problems = onePerField([...wrong.map((error) => ({ ...error, status: statusOf(error.field) })), ...broken]);
  return problems.length === 0 ? { ok: true, input: fields } : { ok: false, problems };
};
