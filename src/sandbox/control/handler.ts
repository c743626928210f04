import type { ControlEndpoint } from '../../contract/control/define.ts';
import type { Health } from '../../contract/control/process.ts';
import type { InputOf } from '../../contract/define.ts';
import { fail, type Handler, type Outcome } from '../handlers/handler.ts';
import type { Links } from '../pages/links.ts';
import type { Services } from '../services.ts';

/** How the control acts on the process that it runs in. */
export type Control = {
  readonly key: string;
  /** Called for every request: an idle sandbox stops. */
  readonly onRequest: () => void;
  readonly health: () => Promise<Health>;
  readonly reset: () => Promise<void>;
  /** Writes the address file again, after a change of what completion offers. Never rejects. */
  readonly publish: () => Promise<void>;
  readonly stop: () => void;
  /** The links that open the dashboard once. */
  readonly links: Links;
  /** Aborts when the sandbox ends: open connections are then closed. */
  readonly ended: AbortSignal;
};

/** The input of a handler of the control. */
export type ControlCall = { readonly services: Services; readonly control: Control };

/** A handler whose endpoint's type has been checked and forgotten, so that all fit into one table. */
export type ControlHandler = {
  readonly endpoint: ControlEndpoint;
  readonly run: (call: ControlCall, input: never) => ReturnType<Handler['run']>;
};

/** Ties a handler to its endpoint: it gets the endpoint's input and can answer its documented statuses only. */
export const handleControl = <const E extends ControlEndpoint>(
  endpoint: E,
  run: (call: ControlCall, input: InputOf<E>) => Promise<Outcome<E>>,
): ControlHandler => ({ endpoint, run });

/** The answer to a field that is wrong for a reason that its schema cannot state. */
export const invalid = (field: string, message: string) =>
  fail('invalid_parameters', `${field}: ${message}`, [{ field, message }]);
