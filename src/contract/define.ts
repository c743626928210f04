import * as z from 'zod';
import type { FieldError } from '../core/failure.ts';
import { isJsonObject } from '../core/json.ts';
import { memoize } from '../core/once.ts';
import type { ErrorStatus } from './errors.ts';
import type { Fields, Rule } from './rules.ts';

/**
 * The effect of a call. `outcomes.ts` has the consequences of a lost answer.
 * - `reads`: changes nothing.
 * - `writes`: makes or changes a record.
 * - `spends_quota`: sends an e-mail, or uses an attempt or a counted session.
 * - `moves_money`: may move money.
 */
export type Effect = 'reads' | 'writes' | 'spends_quota' | 'moves_money';

/** The areas of the service in its document. */
export type Area = 'products' | 'pay' | 'order' | 'kyc' | 'yield' | 'quote';

/**
 * A success of an endpoint. Without `data` the answer has no data. `example` is valid data. The document does not show
 * an assumed status, so the service may send another one.
 */
export type Success = {
  readonly http: number;
  readonly data?: z.ZodType;
  readonly example?: unknown;
  readonly isAssumed?: true;
};

/** The HTTP code of an error; `null` if the service's document does not show it. */
export type ErrorHttp = number | null;

/** The schemas of fields by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * An endpoint of the service or of the sandbox's control as data. The client's calls, the command and its help, the
 * sandbox's routes and checks, and the reference derive from this value.
 */
export type EndpointOf<Id extends string, Method extends string, Status extends string> = {
  /** The unique id: `<area>.<verb>`. */
  readonly id: Id;
  readonly method: Method;
  /** The path in the notation of the document, with path parameters in braces. */
  readonly path: `/${string}`;
  /** One line for lists of commands. It begins with a verb. */
  readonly summary: string;
  readonly effect: Effect;
  /** Set if the document makes the key optional ("when the environment requires it"). */
  readonly key?: 'optional';
  /** The fields in the path, the query and the JSON body. All names are distinct, because an input is one flat object. */
  readonly params?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  /** Set if, by the document, the body may have further fields. */
  readonly unshownInput?: true;
  /** The rules between fields. */
  readonly rules?: readonly Rule[];
  /** The status for wrong fields, and the fields with a status of their own. */
  readonly invalid?: Status;
  readonly invalidField?: Readonly<Record<string, Status>>;
  readonly success: Readonly<Record<string, Success>>;
  /** Set if, by the document, the data may have further fields. */
  readonly unshownFields?: true;
  readonly errors: Readonly<Partial<Record<Status, ErrorHttp>>>;
  /** The errors that the document does not show at this endpoint. The reference marks them as assumptions. */
  readonly assumed?: readonly Status[];
  /** The data of an error, and an example of it. */
  readonly errorData?: Readonly<Partial<Record<Status, z.ZodType>>>;
  readonly errorExample?: Readonly<Partial<Record<Status, unknown>>>;
  /** HTTP codes that may come with another status, each with the case that the document does not show. */
  readonly unshownErrors?: Readonly<Record<number, string>>;
  /** A valid input for the help, the tests and the reference. */
  readonly example: Readonly<Record<string, unknown>>;
};

/** One endpoint of the service. */
export type Endpoint = EndpointOf<`${Area}.${string}`, 'GET' | 'POST' | 'PATCH', ErrorStatus>;

/** An endpoint of the service or of the sandbox's control. */
export type AnyEndpoint = EndpointOf<string, string, string>;

type Simplify<T> = { [K in keyof T]: T[K] } & {};
type FieldsOf<S> = S extends Shape ? z.infer<z.ZodObject<S>> : unknown;
type Part<E, K extends string> = E extends { readonly [P in K]: infer S } ? FieldsOf<S> : unknown;

/** The input of an endpoint: the fields of path, query and body in one flat object. */
export type InputOf<E> = Simplify<Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>>;

/** The data of a success of an endpoint, by its status. */
export type DataOf<E extends AnyEndpoint, S extends keyof E['success']> = E['success'][S] extends {
  readonly data: infer D extends z.ZodType;
}
  ? z.infer<D>
  : undefined;

/** Declares an endpoint with its exact type. */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;

/** The schemas of all fields of an endpoint: path, query and body. */
export const fieldsOf = (endpoint: AnyEndpoint): Shape => ({ ...endpoint.params, ...endpoint.query, ...endpoint.body });

/**
 * A wrong field, and the status of the service's answer to it. `field` is a path such as `card_data.address.city`, or
 * `body` when the input as a whole is wrong.
 */
export type Problem = FieldError & { readonly status: string | undefined };

/** The input after its schemas converted it, or all its problems. */
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

/** Whether two paths are equal, or one contains the other. */
const overlap = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);

/** The first problem of each field, in one pass, because an input can have thousands of problems. */
const onePerField = (problems: readonly Problem[]): readonly Problem[] => {
  const first = new Map<string, Problem>();
  for (const problem of problems) if (!first.has(problem.field)) first.set(problem.field, problem);
  return [...first.values()];
};

/** The schema of an endpoint. It is cached, because building a schema takes twenty times longer than using it. */
const schemaOf = memoize((endpoint: AnyEndpoint) => z.looseObject(fieldsOf(endpoint)));

/**
 * Checks an input by an endpoint's fields and rules. Returns all problems, one for each field. A rule reports no field
 * that already failed its schema. Never throws. Unknown fields stay in the input, because the document does not name
 * all fields.
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
