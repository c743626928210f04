import * as z from 'zod';
import type { EndpointOf } from '../define.ts';
import { noted } from '../fields.ts';

/** The errors of the control and their meanings. */
export const CONTROL_ERRORS = {
  unauthorized: { meaning: 'The control key is missing or not valid.' },
  invalid_parameters: { meaning: 'A field is missing or wrong. Nothing was changed.' },
  invalid_chain: { meaning: 'The chain is not enabled. Nothing was changed.' },
  payment_not_found: { meaning: 'The sandbox has no payment with this id.' },
  invalid_payment_status: { meaning: 'The payment waits for no such outcome, or no longer.' },
  pix_not_found: { meaning: 'The payment has no Pix charge.' },
  pix_expired: { meaning: 'The time of the Pix charge is over. The payment is in error.' },
  kyc_not_found: { meaning: 'No user with this e-mail address or wallet was prepared.' },
  snapshot_not_found: { meaning: 'The sandbox has no snapshot with this name.' },
  snapshot_unusable: { meaning: 'The snapshot is damaged, or another version took it. Nothing was changed.' },
  event_not_found: { meaning: 'The sandbox has no webhook with this number.' },
} as const;

/** The status of an error of the control. */
export type ControlStatus = keyof typeof CONTROL_ERRORS;

/** The topics of the control. Each has a file and a tag of the OpenAPI document. */
export type ControlArea = 'process' | 'chain' | 'identity' | 'charge' | 'event' | 'fault' | 'payment' | 'snapshot';

/** One endpoint of the sandbox's control. It needs the control key in `x-control-key`. */
export type ControlEndpoint = EndpointOf<`${ControlArea}.${string}`, 'GET' | 'POST' | 'DELETE', ControlStatus>;

/**
 * A declaration of an endpoint. `errors` omits the errors of all endpoints. Only an endpoint with fields has an
 * example.
 */
type Declaration = Omit<ControlEndpoint, 'invalid' | 'errors' | 'example'> &
  Partial<Pick<ControlEndpoint, 'errors' | 'example'>>;

type Definition<E extends Declaration> = E & {
  readonly errors: { readonly unauthorized: 401 } & (E extends { readonly query: object } | { readonly body: object }
    ? { readonly invalid_parameters: 400 }
    : unknown);
  readonly example: Readonly<Record<string, unknown>>;
};

/** Declares an endpoint of the control with its exact type. Adds the errors for a wrong key and for wrong fields. */
export const defineControl = <const E extends Declaration>(endpoint: E): Definition<E> => {
  const hasFields = endpoint.query !== undefined || endpoint.body !== undefined;
  const errors = { unauthorized: 401, ...(hasFields && { invalid_parameters: 400 }), ...endpoint.errors };
  return { example: {}, ...endpoint, ...(hasFields && { invalid: 'invalid_parameters' }), errors } as Definition<E>;
};

/** The fields of a call. Fields with a default are optional. */
export type ControlInput<E extends ControlEndpoint> = InputPart<E, 'query'> & InputPart<E, 'body'>;

type InputPart<E, K extends string> = E extends {
  readonly [P in K]: infer S extends Readonly<Record<string, z.ZodType>>;
}
  ? z.input<z.ZodObject<S>>
  : unknown;

/** The data of any success of an endpoint; `undefined` for a success without data. */
export type ControlData<E extends ControlEndpoint> = {
  [S in keyof E['success']]: E['success'][S] extends { readonly data: infer D extends z.ZodType }
    ? z.infer<D>
    : undefined;
}[keyof E['success']];

/** An object in an answer of the control, with exactly these fields. `name` is its name in the OpenAPI document. */
export const record = <S extends Readonly<Record<string, z.ZodType>>>(shape: S, description: string, name?: string) =>
  noted(z.object(shape), { description, ...(name && { id: name }) });

/** A whole number in an answer. */
export const count = (description: string) => noted(z.int(), { description });
