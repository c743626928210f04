import { deploymentOfService, type Service } from '../../client/service.ts';
import type { Kind } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { commandLine, type NextStep, nextStep, variable } from '../../core/next.ts';
import { escapeText } from '../../core/text.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { ClaimHolder } from '../../io/files/claim.ts';
import { supersede } from '../../journal/amend.ts';
import { doubtData } from '../../journal/doubt.ts';
import { findEarlier, findUnsent, mayRepeat, subjectOf } from '../../journal/earlier.ts';
import { type Intent, isPixIntent } from '../../journal/intents.ts';
import { isSameIntent } from '../../journal/keys.ts';
import { isJournalEmpty } from '../../journal/look-up.ts';
import { newestId } from '../../journal/naming.ts';
import { CLAIM_PATIENCE_MS, storeOf } from '../../journal/open-store.ts';
import { cleanUpJournal } from '../../journal/operation.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { isInDoubtStill, isTerminal, statusOf, wireStatusOf } from '../../journal/status.ts';
import { progressOf } from '../../journal/yield-progress.ts';
import { relativeTime } from '../../output/terminal-text.ts';
import type { CommandContext } from '../command/command.ts';
import { type Option, type ParsedArgs, stringArg } from '../command/options.ts';
import { forProfile } from '../print/next-command.ts';
import { assertCanConfirm, canConfirm, ofService } from '../prompt/confirming.ts';
import { listedOperation, type OperationArea, standsInWords, supersededEarly, usualId } from './area.ts';
import type { WithWarnings } from './with-operation.ts';

/** What `runOnce` calls: one handler for each state of an operation with the same key. */
export type OnceHandlers = {
  readonly start: () => Promise<void>;
  /** Throws if a policy or the password file prevents the operation: before any question, and before one is superseded. */
  readonly assertMayStart?: () => Promise<void>;
  readonly resume: (state: OperationState) => Promise<void>;
  readonly printOutcome: (state: OperationState) => Promise<void>;
  /**
   * Settles earlier operations that are still open. Returns `true` if the user confirmed the new operation.
   * Throws if an earlier operation can still land.
   */
  readonly reconcileEarlier?: () => Promise<boolean>;
  /** A new operation needs a confirmation. One that was made before does not. */
  readonly needsConfirmation?: boolean;
};

type KeyedIntent = { readonly intent: Intent; readonly key: string | undefined };

const hasLandedWhole = (state: OperationState): boolean => {
  const { signed, landed } = progressOf(state);
  return landed > 0 && landed === signed.length;
};

/**
 * Continues the operation of a key. Throws `invalid_input` for another intent under the same key, and as
 * `supersededEarly`.
 */
const runNamed = async (
  cli: CommandContext,
  area: OperationArea,
  state: OperationState,
  { intent, key }: KeyedIntent,
  handlers: OnceHandlers,
) => {
  const id = await usualId(cli, state);
  if (!isSameIntent(state.started.intent, intent)) {
    const { differenceInWords } = await import('./intent-differences.ts');
    const { was, is } = differenceInWords(state.started.intent, intent);
    throw new Failure('invalid_input', `--intent: "${key}" is the name of another ${area.noun}, ${id}`, {
      hint: `It has ${was}; this command has ${is}. Nothing was sent.`,
      next: nextStep('operation.show', area.area, id),
    });
  }
  await cli.printNote(`--intent ${key}: this is the ${area.noun} ${id}, started at ${state.started_at}`);
  if (statusOf(state) === 'superseded' && !hasLandedWhole(state)) {
    const hint = `To make the ${area.noun}, give another name than --intent ${key}.`;
    throw supersededEarly(area, state, id, hint);
  }
  return isTerminal(state) ? handlers.printOutcome(state) : handlers.resume(state);
};

/** The command for an earlier operation: shows it if it is over, and resumes it otherwise. */
const commandFor = async (cli: CommandContext, { area }: OperationArea, state: OperationState): Promise<NextStep> => {
  const step = isTerminal(state) ? 'operation.show' : 'operation.resume.earlier';
  return forProfile(cli, state.started.profile, nextStep(step, area, await usualId(cli, state)));
};

/** The hint of a question about a duplicate: the command for the earlier operation. */
const earlierHint = (next: NextStep, state: OperationState): string =>
  `${commandLine(next)} ${isTerminal(state) ? 'shows it' : 'resumes it'}.`;

/** The start and the state of an earlier operation, as the list of its area shows them. A log gets a time, no age. */
const earlierInWords = async (cli: CommandContext, { noun }: OperationArea, state: OperationState): Promise<string> => {
  const { started_at, payment_id, id } = await listedOperation(cli, state);
  const ago = cli.io.stderr.isTerminal ? relativeTime(started_at, cli.io.clock.now()) : undefined;
  const stands = standsInWords(wireStatusOf(state));
  return `The same ${noun} was started ${ago ?? `at ${started_at}`} (${payment_id ?? id}) and ${stands}.`;
};

/** Confirms another operation although money may have moved. Only a terminal can ask. Throws `outcome_unknown`. */
const confirmDespiteDoubt = async (
  cli: CommandContext,
  area: OperationArea,
  state: OperationState,
  summary: string,
): Promise<void> => {
  const next = await commandFor(cli, area, state);
  const question = `${summary} ${earlierHint(next, state)} Make another all the same?`;
  if (cli.io.prompt.isPossible && (await cli.io.prompt.confirm(ofService(state.started, question)))) return;
  throw new Failure('outcome_unknown', summary, {
    data: doubtData(state),
    hint: `Nothing was sent now. --yes cannot override this. To make another ${area.noun} on purpose, use --intent NAME.`,
    next,
  });
};

/** Asks whether to repeat an operation. `isSettled`: the earlier one can no longer land. */
const confirmDuplicate = async (
  cli: CommandContext,
  area: OperationArea,
  state: OperationState,
  isSettled: boolean,
): Promise<void> => {
  const payable = isTerminal(state) || !state.pix ? '' : ` Its Pix expires at ${state.pix.expires_at}.`;
  const summary = `${await earlierInWords(cli, area, state)}${payable}`;
  // It may have come to be in doubt after it was settled.
  const isOpen = isSettled ? statusOf(state) === 'in_doubt' : isInDoubtStill(state);
  if (isOpen) return confirmDespiteDoubt(cli, area, state, summary);
  if (cli.globals.yes) await cli.warn(`${summary} --yes makes another.`);
  else {
    // It shows or resumes the earlier one: a repeat with --yes would pay again.
    const next = await commandFor(cli, area, state);
    if (!cli.io.prompt.isPossible) {
      throw new Failure('confirmation_needed', summary, {
        data: { [WIRE_ID]: state.id, payment_id: state.payment_id ?? null },
        hint: 'Nothing was sent now. --yes makes another.',
        next,
      });
    }
    const question = `${summary} ${earlierHint(next, state)} Make another?`;
    // The user ran the printed command that pays again. In the sandbox Enter makes the Pix, which asks nothing else.
    const isTest = isPixIntent(state.started.intent) && state.started.kind === 'sandbox';
    const isAgain = isTest && ['error', 'expired'].includes(statusOf(state));
    if (!(await cli.confirm(ofService(state.started, question), isAgain)))
      throw new Failure('declined', 'not confirmed; nothing was sent', { next });
  }
  // The payer can still pay an open Pix, so its operation stays open.
  if (!isTerminal(state) && !state.pix) await replace(cli, state);
};

/** Ends an earlier operation, so that a later resume does not execute it next to the new one. */
export const replace = async (cli: CommandContext, state: OperationState): Promise<void> => {
  await supersede(cli.io, state);
  await cli.printNote(`note: ${newestId(state)} was superseded, and cannot be resumed`);
};

/** The failure while another process makes the same operation. `key` is the user's name for it. */
export const busy = ({ area, noun }: OperationArea, holder: ClaimHolder, key?: string): Failure => {
  const who = holder.process ? `process ${holder.process.pid}` : 'another process';
  return new Failure('not_final', `${who} is making the same ${noun}`, {
    data: { pid: holder.process?.pid ?? null },
    hint: `Nothing was sent from here. ${holder.advice}${key === undefined ? ' To make another on purpose, use --intent KEY.' : ''}`,
    next: nextStep('operation.list.open', area),
  });
};

/**
 * Runs an operation once. An operation with the same key is resumed, or its outcome is printed. Without a key it asks
 * before it repeats an operation of the last day, or an older one that was not accepted yet. Of two processes at once,
 * only one runs.
 */
export const runOnce = async (
  cli: CommandContext,
  area: OperationArea,
  service: Service,
  requested: KeyedIntent,
  handlers: OnceHandlers,
): Promise<void> => {
  const operationKey = { ...requested, deployment: deploymentOfService(service) };
  await cleanUpJournal(cli.io);
  const claiming = await (await storeOf(cli.io)).claim(subjectOf(operationKey), CLAIM_PATIENCE_MS);
  if ('holder' in claiming) throw busy(area, claiming.holder, requested.key);
  try {
    const named = requested.key === undefined ? undefined : await findEarlier(cli.io, operationKey);
    if (named) return await runNamed(cli, area, named, requested, handlers);
    await handlers.assertMayStart?.();
    const wasAsked = await handlers.reconcileEarlier?.();
    const earlier = requested.key === undefined && !wasAsked ? await findEarlier(cli.io, operationKey) : undefined;
    if (earlier) await confirmDuplicate(cli, area, earlier, wasAsked !== undefined);
    if (handlers.needsConfirmation) assertCanConfirm(cli);
    // Who repeats the printed command means this operation, unless they give another name.
    if (requested.key === undefined) cli.impliedOptions.set('--intent', variable('INTENT'));
    for (const unsent of requested.key === undefined ? await findUnsent(cli.io, operationKey) : [])
      await replace(cli, unsent);
    return await handlers.start();
  } finally {
    await claiming.claim.release();
  }
};

/**
 * Throws if a new operation cannot be confirmed, before the service is used. The journal may have the same operation,
 * which needs no confirmation: then `runOnce` decides.
 */
export const assertConfirmableOrRepeat = async (
  cli: CommandContext,
  requested: () => KeyedIntent | Promise<KeyedIntent>,
): Promise<void> => {
  if (!canConfirm(cli) && !(await mayRepeat(cli.io, await requested()))) assertCanConfirm(cli);
};

/** The user's own name for an operation. */
export const INTENT_OPTION: Option = {
  flag: '--intent',
  heading: 'Signing and sending',
  value: 'KEY',
  description: 'Your own name for this operation: with the same journal, the same name gets the first one again',
};

/** The value of `--intent`. Throws `invalid_input` for an empty one: an unset variable would name all operations. */
export const intentKey = (given: ParsedArgs): string | undefined => {
  const key = stringArg(given, 'intent');
  if (key === undefined || key.trim() !== '') return key;
  throw new Failure('invalid_input', 'nothing was sent: --intent is empty', {
    errors: [{ field: 'intent', message: 'is empty, and would be the name of every operation', option: '--intent' }],
  });
};

/**
 * A name protects only against duplicates in the same journal. So this warns on a live service if the journal is
 * new; in a run of many rows the run itself does, once. Returns the warning for the result.
 */
export const warnOfNewJournal = async (
  cli: CommandContext,
  kind: Kind,
  key: string | undefined,
  name = `--intent ${escapeText(key ?? '')}`,
): Promise<WithWarnings> => {
  if (key === undefined || cli.batch || kind !== 'live' || !(await isJournalEmpty(cli.io))) return {};
  const text = `the journal is new: ${name} does not know of runs that used another folder`;
  await cli.warn(text);
  return { warnings: [text] };
};
