import { type Failure, type FailureCode, isFailure } from '../../../core/failure.ts';
import { type NextStep, nextStep } from '../../../core/next.ts';
import type { CommandContext } from '../../context/context.ts';

/** `skip` means that the check was not done. */
export type State = 'ok' | 'warn' | 'fail' | 'skip';

/** One result of a check. The `code` of a `fail` gives the exit code. */
export type Finding = {
  readonly check: string;
  readonly state: State;
  readonly message: string;
  /** The command that helps, if there is one. */
  readonly next?: NextStep | undefined;
  readonly code?: FailureCode;
};

/** With `isOffline` a check does not use the network. */
export type CheckOptions = { readonly isOffline: boolean };

/** Checks one part of the setup. Changes nothing. */
export type Check = (cli: CommandContext, options: CheckOptions) => Promise<readonly Finding[]>;

/** A check that passed. */
export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });

/** A check that was not done, and why. */
export const skip = (check: string, message: string): Finding => ({ check, state: 'skip', message });

/** A setting that works but should be changed; `next` fixes it. */
export const warn = (check: string, message: string, next?: NextStep): Finding => ({
  check,
  state: 'warn',
  message,
  next,
});

/** A failure as a finding. Its next command is `explain` if the failure names none, or `doctor` itself. */
export const failed = (check: string, { code, sentence, details }: Failure): Finding => {
  const message = details.hint ? `${sentence}; ${details.hint}` : sentence;
  const next = details.next?.id === 'doctor' ? undefined : details.next;
  return { check, state: 'fail', message, next: next ?? nextStep('explain', code), code };
};

/** The findings of a check, or its failure as a finding. Rethrows faults of bursar and interrupts. */
export const orFailed = async (check: string, work: Promise<readonly Finding[]>): Promise<readonly Finding[]> => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error) || error.code === 'internal' || error.code === 'interrupted') throw error;
    return [failed(check, error)];
  }
};
