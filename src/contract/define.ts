import * as z from 'zod';
import type { FieldError } from '../core/failure.ts';
import { isJsonObject } from '../core/json.ts';
import { memoize } from '../core/once.ts';
import type { ErrorStatus } from './errors.ts';
import type { Fields, Rule } from './rules.ts';

/**
 * What a call does beyond answering; what a lost answer means for each is in `outcomes.ts`:
 * - `reads`: nothing changes.
 * - `writes`: a record is made or changed.
 * - `spends_quota`: an e-mail is sent or a counted session opened.
 * - `moves_money`: money may move.
 */
export type Effect = 'reads' | 'writes' | 'spends_quota' | 'moves_money';

/** The areas of the service, as its document divides it. */
export type Area = 'products' | 'pay' | 'order' | 'kyc' | 'yield' | 'quote';

/**
 * One way to succeed. Without `data` the answer carries none; with it `example` is data that passes its schema.
 * An assumed status is not shown: another may come.
 */
export type Success = {
  readonly http: number;
  readonly data?: z.ZodType;
  readonly example?: unknown;
  readonly isAssumed?: true;
};

/** HTTP code of an error; `null` where the service's document does not show it. */
export type ErrorHttp = number | null;

/** Fields by their names, each with its schema. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * One endpoint as data, of the service or of the sandbox's control. The client's calls, the command and its help, the
 * sandbox's routes and validation and the reference all derive from this value.
 */
export type EndpointOf<Id extends string, Method extends string, Status extends string> = {
  /** `<area>.<verb>`, unique. */
  readonly id: Id;
  readonly method: Method;
  /** As the service's document writes it; path parameters in braces. */
  readonly path: `/${string}`;
  /** One line for lists of commands, starting with a verb. */
  readonly summary: string;
  readonly effect: Effect;
  /** The document lets a deployment offer it without a key ("when the environment requires it"). */
  readonly key?: 'optional';
  /** Fields in the path, in the query and in the JSON body. Their names never collide: an input is one flat object. */
  readonly params?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  /** The document says that the body may have fields that it does not name. */
  readonly unshownInput?: true;
  /** What must hold between fields. */
  readonly rules?: readonly Rule[];
  /** The status that a failed schema gives, and the fields for which it is another. */
  readonly invalid?: Status;
  readonly invalidField?: Readonly<Record<string, Status>>;
  readonly success: Readonly<Record<string, Success>>;
  /** The document says that its data has, or may have, fields that it does not show. */
  readonly unshownFields?: true;
  readonly errors: Readonly<Partial<Record<Status, ErrorHttp>>>;
  /** Which of `errors` the document does not show at this endpoint: assumptions, named as such in the reference. */
  readonly assumed?: readonly Status[];
  /** Data that an error carries, and an example of it. */
  readonly errorData?: Readonly<Partial<Record<Status, z.ZodType>>>;
  readonly errorExample?: Readonly<Partial<Record<Status, unknown>>>;
  /** HTTP codes under which another status may come too, and the case whose answer the document does not show. */
  readonly unshownErrors?: Readonly<Record<number, string>>;
  /** An input that passes the schema and the rules; help, tests and the reference show it. */
  readonly example: Readonly<Record<string, unknown>>;
};

/** One endpoint of the service. */
export type Endpoint = EndpointOf<`${Area}.${string}`, 'GET' | 'POST' | 'PATCH', ErrorStatus>;

/** An endpoint of the service or of the sandbox's control. */
export type AnyEndpoint = EndpointOf<string, string, string>;

type Simplify<T> = { [K in keyof T]: T[K] } & {};
type FieldsOf<S> = S extends Shape ? z.infer<z.ZodObject<S>> : unknown;
type Part<E, K extends string> = E extends { readonly [P in K]: infer S } ? FieldsOf<S> : unknown;

/** The fields of an endpoint as one flat object, whatever part of the request each travels in. */
export type InputOf<E> = Simplify<Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>>;

/** The data of an endpoint's success, by its status. */
export type DataOf<E extends AnyEndpoint, S extends keyof E['success']> = E['success'][S] extends {
  readonly data: infer D extends z.ZodType;
}
  ? z.infer<D>
  : undefined;

/** Declares an endpoint and keeps its exact type. */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;

/** All fields of an endpoint's input, whatever part of the request each travels in. */
export const fieldsOf = (endpoint: AnyEndpoint): Shape => ({ ...endpoint.params, ...endpoint.query, ...endpoint.body });

/**
 * A wrong field, and the status with which the service answers it. `field` is a path such as
 * `card_data.address.city`; it is `body` when the input as a whole is wrong.
 */
export type Problem = FieldError & { readonly status: string | undefined };

/** The input as its schemas leave it, or everything that is wrong with it. */
type Validation =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const schemaErrors = (issues: readonly z.core.$ZodIssue[], input: unknown): readonly FieldError[] =>
  issues.map((issue) => {
    const inside = (outer: unknown, key: PropertyKey) => (outer as Fields | null | undefined)?.[String(key)];
    const value = issue.path.reduce<unknown>(inside, input);
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
