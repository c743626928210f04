import type { Service } from '../../client/service.ts';
import { Failure } from '../../core/failure.ts';
import { commandLine, type NextStep, nextStep } from '../../core/next.ts';
import { begunWith } from '../../flows/begun-with.ts';
import { claimWithin, claimWords, type Holder } from '../../io/claim.ts';
import { earlierOf, isSameIntent, leftUnsent, wishPath } from '../../journal/earlier.ts';
import type { Intent } from '../../journal/intents.ts';
import { recordLater } from '../../journal/movement.ts';
import { hashSent, type MovementState } from '../../journal/movement-state.ts';
import { isOver, mayHaveMoved } from '../../journal/over.ts';
import { standingOf } from '../../journal/standing.ts';
import { tidyJournal } from '../../journal/tidy.ts';
import { unwritable } from '../../journal/unwritable.ts';
import { relativeTime } from '../../output/relative.ts';
import type { Cli } from '../cli.ts';
import { ofService } from '../confirming.ts';
import { forProfile } from '../next-command.ts';
import type { MovementArea } from './area.ts';
import { standsInWords } from './states.ts';

/** What is done about a wish: begun, gone on with, or told how it ended. */
export type Ways = {
  readonly begin: () => Promise<void>;
  /** Throws where it may not begin, before anything is asked or set aside for it. */
  readonly mayBegin?: () => Promise<void>;
  readonly goOn: (state: MovementState) => Promise<void>;
  readonly tell: (state: MovementState) => Promise<void>;
  /**
   * Settles what earlier ones leave open, before anything is asked about them; `true` where a person was asked about
   * them, and is not asked again. Throws where nothing may begin.
   */
  readonly lookBack?: () => Promise<boolean>;
};

type Wished = { readonly intent: Intent; readonly key: string | undefined };

const PATIENCE_MS = 300;

/** A key names one movement. Throws `invalid_input` for another intent under the same one. */
const byKey = async (cli: Cli, area: MovementArea, state: MovementState, { intent, key }: Wished, ways: Ways) => {
  if (!isSameIntent(state.begun.intent, intent)) {
    throw new Failure('invalid_input', `--intent: "${key}" is the name of another ${area.noun}, ${state.id}`, {
      hint: 'Nothing was sent.',
      next: nextStep('operation.show', area.area, state.id),
    });
  }
  await cli.say(`--intent ${key}: this is the ${area.noun} ${state.id}, begun at ${state.begun_at}`);
  return isOver(state) ? ways.tell(state) : ways.goOn(state);
};

/** What a person does about an earlier one: looks at it, or goes on with it. */
const commandFor = (cli: Cli, { area }: MovementArea, state: MovementState): Promise<NextStep> => {
  const id = isOver(state) ? 'operation.show' : 'operation.resume.earlier';
  return forProfile(cli, state.begun.profile, nextStep(id, area, state.id));
};

/** Whoever is asked for another may rather want the first. */
const wayTo = async (cli: Cli, area: MovementArea, state: MovementState): Promise<string> =>
  `${commandLine(await commandFor(cli, area, state))} ${isOver(state) ? 'shows it' : 'goes on with it'}.`;

/** When one was begun and where it stands: a person reads how long ago, a log needs the moment. */
const earlierInWords = (cli: Cli, { noun }: MovementArea, state: MovementState): string => {
  const { begun_at, payment_id, id } = state;
  const ago = cli.io.stderr.isTerminal ? relativeTime(begun_at, cli.io.clock.now()) : undefined;
  const stands = standsInWords(standingOf(state));
  return `The same ${noun} was begun ${ago ?? `at ${begun_at}`} (${payment_id ?? id}) and ${stands}.`;
};

/** Bytes that may have been sent are not made up for by a second payment: a person may say that they have looked. */
const assertVouched = async (cli: Cli, area: MovementArea, state: MovementState, says: string): Promise<void> => {
  const next = await commandFor(cli, area, state);
  const hash = hashSent(state);
  if (
    cli.io.prompt.isPossible &&
    (await cli.io.prompt.confirm(
      ofService(state.begun, `${says} ${await wayTo(cli, area, state)} Make another all the same?`),
    ))
  )
    return;
  throw new Failure('outcome_unknown', says, {
    data: { movement: state.id, payment_id: state.payment_id ?? null, tid_hash: hash, hash, live: hash !== undefined },
    hint: `Nothing was sent now. --yes cannot override this. To make another ${area.noun} on purpose, use --intent NAME.`,
    next,
  });
};

/** `isSettled`: a look back has found that nothing of it can land any more. */
const askAgain = async (cli: Cli, area: MovementArea, state: MovementState, isSettled: boolean): Promise<void> => {
  const payable = isOver(state) || !state.pix ? '' : ` Its Pix can be paid until ${state.pix.expires_at}.`;
  const says = `${earlierInWords(cli, area, state)}${payable}`;
  // That the service gave a payment up does not take back what it was handed.
  const isOpen = !isSettled && mayHaveMoved(state) && (!isOver(state) || standingOf(state) === 'error');
  if (isOpen) return assertVouched(cli, area, state, says);
  if (cli.globals.yes) await cli.warn(`${says} --yes makes another.`);
  else if (!(await cli.confirm(ofService(state.begun, `${says} ${await wayTo(cli, area, state)} Make another?`)))) {
    throw new Failure('declined', 'not confirmed; nothing was sent', { next: await commandFor(cli, area, state) });
  }
  // Who has the code of a Pix may pay it whatever is begun beside it: it is followed all the same.
  if (!isOver(state) && !state.pix) await setAside(cli, state.id);
};

/** Another takes its place: were it gone on with later, both would be made. */
const setAside = async (cli: Cli, id: string): Promise<void> => {
  await recordLater(cli.io, id, { step: 'set_aside', hash: undefined });
  await cli.say(`note: ${id} was set aside, and is not taken up again`);
};

const busy = ({ area, noun }: MovementArea, holder: Holder): Failure =>
  new Failure(
    'not_final',
    `${holder.process ? `process ${holder.process.pid}` : 'another process'} is making the same ${noun}`,
    {
      data: { pid: holder.process?.pid ?? null },
      hint: `Nothing was sent from here. ${claimWords(holder)} --intent KEY names another that is meant.`,
      next: nextStep('operation.list.open', area),
    },
  );

/**
 * Does what is wished, once. What was wished before under the same key is gone on with, or told; the same without a
 * key, within a day or not brought to its end, is asked about. Of two processes that come at once, one does it.
 */
export const once = async (
  cli: Cli,
  area: MovementArea,
  service: Service,
  wished: Wished,
  ways: Ways,
): Promise<void> => {
  const wish = { ...wished, deployment: begunWith(service) };
  await tidyJournal(cli.io);
  const claiming = await claimWithin(cli.io, wishPath(cli.io, wish), PATIENCE_MS).catch((error: unknown) => {
    throw unwritable(wishPath(cli.io, wish), error);
  });
  if ('holder' in claiming) {
    throw busy(area, claiming.holder);
  }
  try {
    const named = wished.key === undefined ? undefined : await earlierOf(cli.io, wish);
    if (named) return await byKey(cli, area, named, wished, ways);
    await ways.mayBegin?.();
    const wasAsked = await ways.lookBack?.();
    const earlier = wished.key === undefined && !wasAsked ? await earlierOf(cli.io, wish) : undefined;
    if (earlier) await askAgain(cli, area, earlier, wasAsked !== undefined);
    for (const id of wished.key === undefined ? await leftUnsent(cli.io, wish) : []) await setAside(cli, id);
    return await ways.begin();
  } finally {
    await claiming.claim.release();
  }
};
