import type { AnyEndpoint, DataOf, Endpoint, InputOf } from '../../contract/define.ts';
import type { FieldError } from '../../core/failure.ts';
import type { OWN_ERRORS } from '../assumptions.ts';
import type { Services } from '../services.ts';

/** The context of a handler: the sandbox's parts, the tenant of the key, and the fault that the handler must make. */
export type Call = { readonly services: Services; readonly tenant: string; readonly fault?: string | undefined };

type SuccessOutcome<S, D> = { readonly ok: true; readonly status: S; readonly message: string; readonly data: D };

type ErrorOutcome<S> = {
  readonly ok: false;
  readonly status: S;
  readonly message: string;
  readonly errors?: readonly FieldError[] | undefined;
  /** Some errors have data too. Document: Response envelope. */
  readonly data?: unknown;
};

/** A valid value, or all wrong fields. */
export type ValidationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The result for one wrong field. */
export const wrongField = (field: string, message: string): ValidationResult<never> => ({
  ok: false,
  errors: [{ field, message }],
});

/** The error statuses of an endpoint that only the sandbox has. */
type OwnError<E extends AnyEndpoint> = E['id'] extends keyof typeof OWN_ERRORS
  ? keyof (typeof OWN_ERRORS)[E['id']]
  : never;

/** Every possible answer of an endpoint: its documented statuses, each success with its own data. */
export type Outcome<E extends AnyEndpoint> =
  | { [S in keyof E['success']]: SuccessOutcome<S, DataOf<E, S>> }[keyof E['success']]
  | ErrorOutcome<keyof E['errors'] | OwnError<E>>;

/** A documented success of an endpoint. */
export const succeed = <const S extends string, D>(status: S, message: string, data: D): SuccessOutcome<S, D> => ({
  ok: true,
  status,
  message,
  data,
});

/** An error of an endpoint; `errors` are the wrong fields. */
export const fail = <const S extends string>(
  status: S,
  message: string,
  errors?: readonly FieldError[],
  data?: unknown,
): ErrorOutcome<S> => ({ ok: false, status, message, errors, data });

/** A handler without the exact types of its endpoint, so that one table can hold all handlers. */
export type Handler = {
  readonly id: Endpoint['id'];
  readonly run: (call: Call, input: never) => Promise<SuccessOutcome<PropertyKey, unknown> | ErrorOutcome<PropertyKey>>;
};

/** Joins a handler to its endpoint. Its input has the endpoint's type, and it can only answer the documented statuses. */
export const handle = <const E extends Endpoint>(
  endpoint: E,
  run: (call: Call, input: InputOf<E>) => Promise<Outcome<E>>,
): Handler => ({ id: endpoint.id, run });
