import type { Client } from '../../client/call.ts';
import { escapeText } from '../../core/escape.ts';
import { Failure, type FailureCode, isFailure } from '../../core/failure.ts';
import type { MovementState } from '../../journal/movement-state.ts';
import { isOver, mayHaveMoved } from '../../journal/over.ts';
import { allStates } from '../../journal/overview.ts';
import { tidyJournal } from '../../journal/tidy.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import { asHere } from '../next-command.ts';
import { type Given, isOn, type Option, textOf } from '../options.ts';
import { tellsSteps } from '../steps.ts';
import { article, type MovementArea, tellReceipt } from './area.ts';
import { findMovement } from './find.ts';
import { ID } from './id.ts';
import { choiceOf, takenUp } from './in-words.ts';
import { tellOver } from './over.ts';
import { rowOf } from './rows.ts';
import { isOfService } from './same-service.ts';

/** What an area does to take a movement up again. */
export type Resuming = Pick<Leaf, 'calls' | 'fails'> & {
  readonly about: readonly string[];
  readonly options: readonly Option[];
  /** Brings one to its end and gives its receipt. Throws where it waits for something, or its end is bad or unknown. */
  readonly resumeOne: (cli: Cli, given: Given, client: Client, id: string) => Promise<unknown>;
  /** The receipt of one that is over. */
  readonly asEnded: (state: MovementState) => unknown;
};

/** What one run over many movements ends with: the worst first, then what is none of these, then what only waits. */
const WORST: readonly FailureCode[] = ['outcome_unknown', 'journal_damaged', 'payment_failed', 'refused_by_review'];

const worstOf = (failures: readonly Failure[]): Failure | undefined =>
  WORST.map((code) => failures.find((failure) => failure.code === code)).find((found) => found !== undefined) ??
  failures.find(({ code }) => code !== 'not_final') ??
  failures[0];

/** What is not finished, what is in doubt first, otherwise the oldest, and what could not be looked at. */
type Open = {
  readonly open: readonly MovementState[];
  readonly elsewhere: readonly MovementState[];
  readonly damaged: readonly Failure[];
};

const openOnes = async (cli: Cli, area: MovementArea, client: Client): Promise<Open> => {
  const damaged: Failure[] = [];
  const found: MovementState[] = [];
  const isOpen = (state: MovementState) => area.isOwn(state.begun.intent) && !isOver(state);
  for await (const state of allStates(cli.io, (damage) => void damaged.push(damage))) {
    if (isOpen(state)) found.unshift(state);
  }
  const isHere = (state: MovementState) => isOfService(state, client.service);
  const here = found.filter(isHere).toSorted((one, other) => rankOf(one) - rankOf(other));
  return { open: here, elsewhere: found.filter((state) => !isHere(state)), damaged };
};

/** What is in doubt is looked at first, and last what waits for somebody else. */
const rankOf = (state: MovementState): number => {
  if (mayHaveMoved(state)) return 0;
  return state.pix ? 2 : 1;
};

/** Whoever is asked for a password wants to know what for. */
const sayTakenUp = async (cli: Cli, state: MovementState): Promise<void> => {
  if (tellsSteps(cli)) await cli.say(escapeText(takenUp(state, cli.io.clock.now())));
};

const sayNothingOpen = async (cli: Cli, others: number): Promise<void> => {
  if (others === 0 && cli.io.stderr.isTerminal) await cli.say('Nothing is open.');
};

/** Where one stands after it was taken up: every row has the same fields. */
const rowAfter = async (cli: Cli, area: MovementArea, { id }: MovementState, failure: Failure | undefined) => {
  const row = rowOf(area, await findMovement(cli, area, id));
  const { code = null, message = null, details } = failure ?? {};
  return {
    ...row,
    status: row.state,
    code,
    message,
    next: details?.next === undefined ? null : asHere(cli.io, details.next),
  };
};

/** Each has its part of the time: one that the service takes long over does not use up that of the others. */
const withShare = (client: Client, others: number): Client => {
  const now = client.io.clock.monotonic();
  return { ...client, deadline: now + (client.deadline - now) / (others + 1) };
};

/** Tries one; what stopped it, if anything did. */
const attempt = async (work: Promise<unknown>): Promise<Failure | undefined> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!isFailure(error) || error.code === 'interrupted') throw error;
    return error;
  }
};

const tellLeftAlone = async (cli: Cli, { area }: MovementArea, count: number): Promise<void> => {
  if (count === 0) return;
  const way = `bursar ${area} list --open names them, and bursar ${area} resume ID says what each needs`;
  await cli.say(`note: ${count} unfinished of other services or API keys were left alone; ${way}`);
};

/** Each in its turn; the trouble of one is not that of the others. */
const resumeAll = async (cli: Cli, given: Given, area: MovementArea, resuming: Resuming): Promise<void> => {
  const client = await cli.client();
  const rows: unknown[] = [];
  const { open, elsewhere, damaged } = await openOnes(cli, area, client);
  const failures: Failure[] = [...damaged];
  for (const { message } of damaged) await cli.say(`warning: ${message}`);
  let leftAlone = elsewhere.length;
  for (const [at, state] of open.entries()) {
    const share = withShare(client, open.length - at - 1);
    await sayTakenUp(cli, state);
    const failure = await attempt(resuming.resumeOne(cli, given, share, state.id));
    if (failure?.code === 'bad_settings') {
      leftAlone += 1;
      continue;
    }
    if (failure) failures.push(failure);
    rows.push(await rowAfter(cli, area, state, failure));
  }
  await tellLeftAlone(cli, area, leftAlone);
  if (rows.length + damaged.length === 0) await sayNothingOpen(cli, leftAlone);
  await cli.report(rows);
  const worst = worstOf(failures);
  if (!worst) return;
  const message = `${failures.length} of ${rows.length + damaged.length} are not at a good end; the worst: ${worst.message}`;
  throw new Failure(worst.code, message, { next: worst.details.next, isAnswered: true });
};

const pickOne = (cli: Cli, open: readonly MovementState[]): Promise<MovementState> =>
  cli.io.prompt.select(
    'Which of these is taken up?',
    open.map((state) => ({ name: escapeText(choiceOf(state, cli.io.clock.now())), value: state })),
  );

/** Without an id the only open one is meant. */
const chooseOne = async (cli: Cli, area: MovementArea, client: Client): Promise<MovementState | undefined> => {
  const { open, elsewhere } = await openOnes(cli, area, client);
  const [only, ...others] = open;
  if (only === undefined) {
    await tellLeftAlone(cli, area, elsewhere.length);
    await sayNothingOpen(cli, elsewhere.length);
  }
  if (others.length === 0) return only;
  if (cli.io.prompt.isPossible) return pickOne(cli, open);
  const ids = [only, ...others].map((state) => state?.id).join(', ');
  throw new Failure('invalid_input', `several are not finished: ${ids}`, {
    errors: [{ field: 'ID', message: 'required, for there are several', option: 'ID' }],
    next: `bursar ${area.area} resume --all`,
  });
};

const run = async (cli: Cli, given: Given, area: MovementArea, resuming: Resuming): Promise<void> => {
  const id = textOf(given, 'id');
  await tidyJournal(cli.io);
  if (isOn(given, 'all')) {
    if (id !== undefined) throw new Failure('usage', 'give an ID or --all, one of them');
    if (isOn(given, 'new-api-key')) {
      throw new Failure('usage', '--new-api-key is the word on one movement: give its ID, not --all');
    }
    return resumeAll(cli, given, area, resuming);
  }
  // What is over needs no service.
  const named = id === undefined ? undefined : await findMovement(cli, area, id);
  if (named && isOver(named)) return tellOver(cli, area, named, resuming.asEnded);
  const client = await cli.client();
  const state = named ?? (await chooseOne(cli, area, client));
  if (state === undefined) return cli.answer([]);
  await sayTakenUp(cli, state);
  await tellReceipt(area, cli.report, await resuming.resumeOne(cli, given, client, state.id));
};

/** Takes up what was left unfinished. */
export const resumeLeaf = (area: MovementArea, resuming: Resuming): Leaf => ({
  words: [area.area, 'resume'],
  summary: `Find out what became of ${article(area.noun)} ${area.noun}, and bring it to its end`,
  about: [...resuming.about, 'Without an ID the only unfinished one is meant. It is safe to run twice, and at once.'],
  arguments: [{ ...ID, isOptional: true }],
  options: [{ flag: '--all', says: 'Every unfinished one of this service, those in doubt first' }, ...resuming.options],
  calls: resuming.calls ?? [],
  fails: resuming.fails ?? [],
  examples: [`${area.area} resume 20260115T093000Z-0123abcd`, `${area.area} resume --all --json`],
  run: (cli, given) => run(cli, given, area, resuming),
});
