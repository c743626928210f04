import type { AnyEndpoint, DataOf, Endpoint, InputOf } from '../../contract/define.ts';
import type { FieldError } from '../../core/failure.ts';
import type { OWN_ERRORS } from '../assumptions.ts';
import type { Services } from '../services.ts';

/** The input of a handler: the sandbox's parts, the tenant that the key belongs to, and the fault that it plays. */
export type Call = { readonly services: Services; readonly tenant: string; readonly fault?: string | undefined };

type Succeeded<S, D> = { readonly ok: true; readonly status: S; readonly message: string; readonly data: D };

type Failed<S> = {
  readonly ok: false;
  readonly status: S;
  readonly message: string;
  readonly errors?: readonly FieldError[] | undefined;
  /** Some errors carry data too. Document: Response envelope. */
  readonly data?: unknown;
};

/** A value that can be used, or every field that is wrong. */
export type ValidationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** One wrong field. */
export const wrongField = (field: string, message: string): ValidationResult<never> => ({
  ok: false,
  errors: [{ field, message }],
});

/** Statuses of the sandbox's own at an endpoint. */
type OwnError<E extends AnyEndpoint> = E['id'] extends keyof typeof OWN_ERRORS
  ? keyof (typeof OWN_ERRORS)[E['id']]
  : never;

/** Every way in which an endpoint may answer: its documented statuses, each success with its own data. */
export type Outcome<E extends AnyEndpoint> =
  | { [S in keyof E['success']]: Succeeded<S, DataOf<E, S>> }[keyof E['success']]
  | Failed<keyof E['errors'] | OwnError<E>>;

/** A documented success of an endpoint. */
export const succeed = <const S extends string, D>(status: S, message: string, data: D): Succeeded<S, D> => ({
  ok: true,
  status,
  message,
  data,
});

/** An error of an endpoint; `errors` are the fields that are wrong. */
export const fail = <const S extends string>(
  status: S,
  message: string,
  errors?: readonly FieldError[],
  data?: unknown,
): Failed<S> => ({ ok: false, status, message, errors, data });

/** A handler whose endpoint's type has been checked and forgotten, so that all fit into one table. */
export type Handler = {
  readonly id: Endpoint['id'];
  readonly run: (call: Call, input: never) => Promise<Succeeded<PropertyKey, unknown> | Failed<PropertyKey>>;
};

/** Ties a handler to its endpoint: it gets the endpoint's input and can answer its documented statuses only. */
export const handle = <const E extends Endpoint>(
  endpoint: E,
  run: (call: Call, input: InputOf<E>) => Promise<Outcome<E>>,
): Handler => ({ id: endpoint.id, run });
