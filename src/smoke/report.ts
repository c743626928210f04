import type { FailureCode } from '../core/failure.ts';

/** A step that ran. `handled`: it failed, and an action of the flow led on. */
export type StepReport = {
  readonly id: string;
  /** Method and path. */
  readonly operation: string;
  readonly description: string;
  readonly status: 'passed' | 'handled' | 'failed' | 'in_doubt';
  readonly attempts: number;
  readonly ms: number;
  readonly http?: number | undefined;
  /** The status of the service's answer. */
  readonly code?: string | undefined;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** The request and its answer, with secrets masked. */
  readonly lines?: readonly string[] | undefined;
  readonly failure?: FailureCode | undefined;
  readonly hint?: string | undefined;
  /** The command that settles this step, or goes on from it. */
  readonly next?: string | undefined;
};

/** A flow that ran, or was skipped because another one failed. */
export type FlowReport = {
  readonly name: string;
  readonly summary: string;
  readonly status: 'passed' | 'failed' | 'in_doubt' | 'interrupted' | 'skipped';
  readonly ms: number;
  readonly steps: readonly StepReport[];
  readonly cleanup?: readonly StepReport[];
};

/** A run: its id, the service, and all flows. */
export type RunReport = {
  readonly run: string;
  readonly profile: string;
  readonly kind: string;
  readonly status: FlowReport['status'];
  readonly ms: number;
  readonly flows: readonly FlowReport[];
};

/** From harmless to most serious. */
const ORDER: readonly FlowReport['status'][] = ['passed', 'skipped', 'failed', 'interrupted', 'in_doubt'];

/** The most serious of several statuses; `passed` for none. */
export const worstOf = (statuses: readonly FlowReport['status'][]): FlowReport['status'] =>
  ORDER.findLast((status) => statuses.includes(status)) ?? 'passed';

/** A number with its noun: `1 step`, `2 steps`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
