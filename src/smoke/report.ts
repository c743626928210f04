import type { Failure, FailureCode } from '../core/failure.ts';

/**
 * A step that ran. `handled`: it failed, and an action of the flow led on. A step that passed without an HTTP status settled
 * what an earlier run left in doubt.
 */
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
  /** Why it was skipped. */
  readonly reason?: string | undefined;
  readonly steps: readonly StepReport[];
  readonly cleanup?: readonly StepReport[];
  /** The ids of the steps that were not reached. */
  readonly left?: readonly string[];
  /** Set if an earlier part of this run ended the flow, so that its steps are in the report of that part. */
  readonly kept?: true;
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

/** A step that is no step of the file: why a flow could not go on. */
export const stopped = ({ message }: Failure): StepReport => ({
  id: 'flow',
  operation: '',
  description: '',
  status: 'failed',
  attempts: 1,
  ms: 0,
  expected: 'the flow can go on',
  actual: message,
});

/** A line of a report: a step, one that did not run, or a flow without a bad step of its own. */
export type Case = Omit<StepReport, 'status'> & { readonly status: StepReport['status'] | 'skipped' };

export const isBad = ({ status }: Case): boolean => status === 'failed' || status === 'in_doubt';

/** All steps of a flow, with those of its cleanup. */
export const stepsOf = ({ steps, cleanup = [] }: FlowReport): readonly StepReport[] => [...steps, ...cleanup];

/** Whether a flow ended badly. A skipped flow did not start; after a resume nothing else says that it is to be run. */
export const endedBadly = ({ status, kept }: FlowReport): boolean =>
  status !== 'passed' && (status !== 'skipped' || kept === true);

/** Why a flow was skipped. */
export const whySkipped = ({ kept, reason = 'it was not started' }: FlowReport): string =>
  kept === true ? 'the earlier run did not start it: run the command again' : reason;

/** Of a flow that an earlier part of the run ended. */
export const KEPT = 'kept from the earlier run';

const extraCase = (id: string, status: Case['status'], actual: string, expected?: string): Case => ({
  id,
  operation: '',
  description: '',
  status,
  attempts: 0,
  ms: 0,
  expected,
  actual,
});

/** What a report shows of a flow. A flow that ended badly has at least one bad case, and a skipped one its reason. */
export const casesOf = (flow: FlowReport): readonly Case[] => {
  const { name, status, kept, left = [] } = flow;
  const steps = stepsOf(flow);
  const missing = left.filter((id) => !flow.steps.some((step) => step.id === id));
  const all = [...steps, ...missing.map((id) => extraCase(id, 'skipped', 'not reached'))];
  if (status === 'skipped' && kept !== true) return [...all, extraCase(name, 'skipped', whySkipped(flow))];
  if (status === 'passed' && kept === true) return [...all, extraCase(name, 'skipped', KEPT)];
  if (!endedBadly(flow) || steps.some(isBad)) return all;
  const ended = status.replace('_', ' ');
  const earlier =
    status === 'skipped' ? whySkipped(flow) : `${ended} in an earlier part of this run, whose report has the reason`;
  const actual = kept === true ? earlier : ended;
  return [...all, extraCase(name, status === 'in_doubt' ? 'in_doubt' : 'failed', actual, 'the flow passes')];
};

/** A number with its noun: `1 step`, `2 steps`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
