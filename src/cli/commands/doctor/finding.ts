import { type Failure, type FailureCode, isFailure } from '../../../core/failure.ts';
import { type NextStep, nextStep } from '../../../core/next.ts';
import type { CommandContext } from '../../context/context.ts';

/** `skip` is what was not looked at, and why. */
export type State = 'ok' | 'warn' | 'fail' | 'skip';

/** What was found out about one thing. `code` of a `fail` gives the exit code. */
export type Finding = {
  readonly check: string;
  readonly state: State;
  readonly message: string;
  /** The command that helps, where one does. */
  readonly next?: NextStep | undefined;
  readonly code?: FailureCode;
};

/** What a check may wish: nothing is asked of the network with `isOffline`. */
export type Improvement = { readonly isOffline: boolean };

/** Looks at one thing, or at a few of a kind. Changes nothing. */
export type Check = (cli: CommandContext, improvement: Improvement) => Promise<readonly Finding[]>;

/** What is as it should be. */
export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });

/** What was not looked at, and why. */
export const skip = (check: string, message: string): Finding => ({ check, state: 'skip', message });

/** What works and should be otherwise; `next` mends it. */
export const warn = (check: string, message: string, next?: NextStep): Finding => ({
  check,
  state: 'warn',
  message,
  next,
});

/** A failure as a finding: what a command would end with. Where no command but this one helps, its code is explained. */
export const failed = (check: string, { code, sentence, details }: Failure): Finding => {
  const message = details.hint ? `${sentence}; ${details.hint}` : sentence;
  const next = details.next?.id === 'doctor' ? undefined : details.next;
  return { check, state: 'fail', message, next: next ?? nextStep('explain', code), code };
};

/** The findings of a check, or what stopped it; a fault in bursar stays one. */
export const orFailed = async (check: string, work: Promise<readonly Finding[]>): Promise<readonly Finding[]> => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error) || error.code === 'internal' || error.code === 'interrupted') throw error;
    return [failed(check, error)];
  }
};
