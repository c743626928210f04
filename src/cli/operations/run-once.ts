import type { Service } from '../../client/service.ts';
import { Failure } from '../../core/failure.ts';
import { commandLine, type NextStep, nextStep } from '../../core/next.ts';
import { deploymentOfService } from '../../flows/deployment.ts';
import { type ClaimHolder, describeClaim } from '../../io/files/claim.ts';
import { findEarlier, findUnsent, subjectOf } from '../../journal/earlier.ts';
import { storeOf } from '../../journal/file-store.ts';
import { cleanUpJournal } from '../../journal/inputs.ts';
import type { Intent } from '../../journal/intents.ts';
import { isSameIntent } from '../../journal/keys.ts';
import { recordLater } from '../../journal/operation.ts';
import { hashSent, type OperationState } from '../../journal/operation-state.ts';
import { isTerminal, mayHaveMoved, statusOf, wireStatusOf } from '../../journal/status.ts';
import { relativeTime } from '../../output/terminal-text.ts';
import type { CommandContext } from '../context/context.ts';
import { forProfile } from '../print/next-command.ts';
import { ofService } from '../prompt/confirming.ts';
import type { OperationArea } from './area.ts';
import { standsInWords } from './states.ts';

/** What is done about a wish: begun, gone on with, or told how it ended. */
export type OnceHandlers = {
  readonly start: () => Promise<void>;
  /** Throws where it may not begin, before anything is asked or set aside for it. */
  readonly assertMayStart?: () => Promise<void>;
  readonly resume: (state: OperationState) => Promise<void>;
  readonly printOutcome: (state: OperationState) => Promise<void>;
  /**
   * Settles what earlier ones leave open, before anything is asked about them; `true` where a person was asked about
   * them, and is not asked again. Throws where nothing may begin.
   */
  readonly reconcileEarlier?: () => Promise<boolean>;
};

type Requested = { readonly intent: Intent; readonly key: string | undefined };

const PATIENCE_MS = 300;

/** A key names one operation. Throws `invalid_input` for another intent under the same one. */
const runNamed = async (
  cli: CommandContext,
  area: OperationArea,
  state: OperationState,
  { intent, key }: Requested,
  handlers: OnceHandlers,
) => {
  if (!isSameIntent(state.started.intent, intent)) {
    throw new Failure('invalid_input', `--intent: "${key}" is the name of another ${area.noun}, ${state.id}`, {
      hint: 'Nothing was sent.',
      next: nextStep('operation.show', area.area, state.id),
    });
  }
  await cli.say(`--intent ${key}: this is the ${area.noun} ${state.id}, begun at ${state.started_at}`);
  return isTerminal(state) ? handlers.printOutcome(state) : handlers.resume(state);
};

/** What a person does about an earlier one: looks at it, or goes on with it. */
const commandFor = (cli: CommandContext, { area }: OperationArea, state: OperationState): Promise<NextStep> => {
  const id = isTerminal(state) ? 'operation.show' : 'operation.resume.earlier';
  return forProfile(cli, state.started.profile, nextStep(id, area, state.id));
};

/** Whoever is asked for another may rather want the first. */
const wayToEarlier = async (cli: CommandContext, area: OperationArea, state: OperationState): Promise<string> =>
  `${commandLine(await commandFor(cli, area, state))} ${isTerminal(state) ? 'shows it' : 'goes on with it'}.`;

/** When one was begun and where it stands: a person reads how long ago, a log needs the moment. */
const earlierInWords = (cli: CommandContext, { noun }: OperationArea, state: OperationState): string => {
  const { started_at, payment_id, id } = state;
  const ago = cli.io.stderr.isTerminal ? relativeTime(started_at, cli.io.clock.now()) : undefined;
  const stands = standsInWords(wireStatusOf(state));
  return `The same ${noun} was begun ${ago ?? `at ${started_at}`} (${payment_id ?? id}) and ${stands}.`;
};

/** Bytes that may have been sent are not made up for by a second payment: a person may say that they have looked. */
const confirmDespiteDoubt = async (
  cli: CommandContext,
  area: OperationArea,
  state: OperationState,
  summary: string,
): Promise<void> => {
  const next = await commandFor(cli, area, state);
  const hash = hashSent(state);
  if (
    cli.io.prompt.isPossible &&
    (await cli.io.prompt.confirm(
      ofService(state.started, `${summary} ${await wayToEarlier(cli, area, state)} Make another all the same?`),
    ))
  )
    return;
  throw new Failure('outcome_unknown', summary, {
    data: { movement: state.id, payment_id: state.payment_id ?? null, tid_hash: hash, hash, live: hash !== undefined },
    hint: `Nothing was sent now. --yes cannot override this. To make another ${area.noun} on purpose, use --intent NAME.`,
    next,
  });
};

/** `isSettled`: a look back has found that nothing of it can land any more. */
const confirmDuplicate = async (
  cli: CommandContext,
  area: OperationArea,
  state: OperationState,
  isSettled: boolean,
): Promise<void> => {
  const payable = isTerminal(state) || !state.pix ? '' : ` Its Pix can be paid until ${state.pix.expires_at}.`;
  const summary = `${earlierInWords(cli, area, state)}${payable}`;
  // That the service gave a payment up does not take back what it was handed.
  const isOpen = !isSettled && mayHaveMoved(state) && (!isTerminal(state) || statusOf(state) === 'error');
  if (isOpen) return confirmDespiteDoubt(cli, area, state, summary);
  if (cli.globals.yes) await cli.warn(`${summary} --yes makes another.`);
  else if (
    !(await cli.confirm(ofService(state.started, `${summary} ${await wayToEarlier(cli, area, state)} Make another?`)))
  ) {
    throw new Failure('declined', 'not confirmed; nothing was sent', { next: await commandFor(cli, area, state) });
  }
  // Who has the code of a Pix may pay it whatever is begun beside it: it is followed all the same.
  if (!isTerminal(state) && !state.pix) await supersede(cli, state.id);
};

/** Another takes its place: were it gone on with later, both would be made. */
const supersede = async (cli: CommandContext, id: string): Promise<void> => {
  await recordLater(cli.io, id, { step: 'superseded', hash: undefined });
  await cli.say(`note: ${id} was set aside, and is not taken up again`);
};

const busy = ({ area, noun }: OperationArea, holder: ClaimHolder): Failure =>
  new Failure(
    'not_final',
    `${holder.process ? `process ${holder.process.pid}` : 'another process'} is making the same ${noun}`,
    {
      data: { pid: holder.process?.pid ?? null },
      hint: `Nothing was sent from here. ${describeClaim(holder)} --intent KEY names another that is meant.`,
      next: nextStep('operation.list.open', area),
    },
  );

/**
 * Does what is wished, once. What was wished before under the same key is gone on with, or told; the same without a
 * key, within a day or not brought to its end, is asked about. Of two processes that come at once, one does it.
 */
export const runOnce = async (
  cli: CommandContext,
  area: OperationArea,
  service: Service,
  requested: Requested,
  handlers: OnceHandlers,
): Promise<void> => {
  const operationKey = { ...requested, deployment: deploymentOfService(service) };
  await cleanUpJournal(cli.io);
  const claiming = await storeOf(cli.io).claim(subjectOf(operationKey), PATIENCE_MS);
  if ('holder' in claiming) throw busy(area, claiming.holder);
  try {
    const named = requested.key === undefined ? undefined : await findEarlier(cli.io, operationKey);
    if (named) return await runNamed(cli, area, named, requested, handlers);
    await handlers.assertMayStart?.();
    const wasAsked = await handlers.reconcileEarlier?.();
    const earlier = requested.key === undefined && !wasAsked ? await findEarlier(cli.io, operationKey) : undefined;
    if (earlier) await confirmDuplicate(cli, area, earlier, wasAsked !== undefined);
    for (const id of requested.key === undefined ? await findUnsent(cli.io, operationKey) : [])
      await supersede(cli, id);
    return await handlers.start();
  } finally {
    await claiming.claim.release();
  }
};
