import type { ControlEndpoint } from '../../contract/control/define.ts';
import type { Health } from '../../contract/control/process.ts';
import type { InputOf } from '../../contract/define.ts';
import { fail, type Handler, type Outcome } from '../handlers/handler.ts';
import type { Links } from '../pages/links.ts';
import type { Services } from '../services.ts';
import type { RestoreResult, SnapshotView } from '../snapshots/snapshots.ts';

/** The functions by which handlers of the control act on the running sandbox. */
export type Control = {
  readonly key: string;
  /** Called for every request. A sandbox without requests stops. */
  readonly onRequest: () => void;
  readonly health: () => Promise<Health>;
  readonly reset: () => Promise<void>;
  readonly snapshot: (name: string) => Promise<SnapshotView>;
  /** Restores a snapshot. A failed write ends the sandbox. */
  readonly restore: (name: string) => Promise<RestoreResult>;
  readonly snapshots: () => Promise<readonly SnapshotView[]>;
  /** Writes the address file again after a change of the values that completion offers. Never rejects. */
  readonly publish: () => Promise<void>;
  readonly stop: () => void;
  /** The one-time links to the dashboard. */
  readonly links: Links;
  /** Aborts when the sandbox ends, so that open connections close. */
  readonly ended: AbortSignal;
};

/** The parts of the sandbox for a handler of the control. */
export type ControlCall = { readonly services: Services; readonly control: Control };

/** A handler without the exact types of its endpoint, so that one table can hold all handlers. */
export type ControlHandler = {
  readonly endpoint: ControlEndpoint;
  readonly run: (call: ControlCall, input: never) => ReturnType<Handler['run']>;
};

/** Joins a handler to its endpoint. Its input has the endpoint's type, and it can only answer the documented statuses. */
export const handleControl = <const E extends ControlEndpoint>(
  endpoint: E,
  run: (call: ControlCall, input: InputOf<E>) => Promise<Outcome<E>>,
): ControlHandler => ({ endpoint, run });

/** The answer to a wrong field that passed its schema. */
export const invalid = (field: string, message: string) =>
  fail('invalid_parameters', `${field}: ${message}`, [{ field, message }]);
