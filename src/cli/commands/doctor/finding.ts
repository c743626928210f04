import { type Failure, type FailureCode, isFailure } from '../../../core/failure.ts';
import { commandLine, type NextStep, nextStep } from '../../../core/next.ts';
import { wrap } from '../../../core/screen.ts';
import { escapeText } from '../../../core/text.ts';
import { palette, wantsColour } from '../../../output/colour.ts';
import type { CommandContext } from '../../command/command.ts';

/** `skip` means that the check was not done. */
type State = 'ok' | 'warn' | 'fail' | 'skip';

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
  const message = details.hint ? `${sentence}. ${details.hint}` : sentence;
  const next = details.next?.id === 'doctor' ? undefined : details.next;
  return { check, state: 'fail', message, next: next ?? nextStep('explain', code), code };
};

/** The findings of a check, or its failure as a finding. Rethrows faults of bursar and interrupts. */
export const orFailed = async (check: string, work: () => Promise<readonly Finding[]>) => {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error) || error.code === 'internal' || error.code === 'interrupted') throw error;
    return [failed(check, error)];
  }
};

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const satisfies Record<State, string>;

const WIDEST_CHECK = 12;
const INDENT = ' '.repeat(WIDEST_CHECK + 6);

/** Findings as lines for a terminal: state, name of the check, message and next command. */
export const findingLines = ({ io, globals }: CommandContext, found: readonly Finding[]): string => {
  const { columns } = io.stdout;
  const paint = palette(wantsColour(io.env, io.stdout, globals.noColour));
  return found
    .map(({ check, state, message, next }) => {
      const start = `${state.padEnd(4)}  ${check.padEnd(WIDEST_CHECK)}`;
      const body = wrap(INDENT + escapeText(message), columns, INDENT).slice(INDENT.length);
      const command = next ? `${INDENT}${escapeText(commandLine(next))}\n` : '';
      return `${paint[COLOURS[state]](start.slice(0, 4))}${start.slice(4)}${body}\n${command}`;
    })
    .join('');
};
