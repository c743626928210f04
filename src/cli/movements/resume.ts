import type { Client } from '../../client/call.ts';
import { Failure, type FailureCode, isFailure } from '../../core/failure.ts';
import { standingOf } from '../../journal/standing.ts';
import { isOver, type MovementState } from '../../journal/state.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import { type Given, isOn, type Option, textOf } from '../options.ts';
import type { MovementArea } from './area.ts';
import { findMovement } from './find.ts';
import { ID } from './id.ts';
import { rowOf, statesOf } from './rows.ts';
import { isOfService } from './same-service.ts';

/** What an area does to take a movement up again. */
export type Resuming = {
  readonly about: readonly string[];
  readonly options: readonly Option[];
  /** Brings one to its end and gives its receipt. Throws where it waits for something, or its end is bad or unknown. */
  readonly resumeOne: (cli: Cli, given: Given, client: Client, id: string) => Promise<unknown>;
  /** The receipt of one that is over. */
  readonly asEnded: (state: MovementState) => unknown;
};

/** Worst first: what one run over many movements ends with. */
const WORST: readonly FailureCode[] = ['outcome_unknown', 'payment_failed', 'refused_by_review', 'not_final'];

const worstOf = (failures: readonly Failure[]): Failure | undefined =>
  WORST.map((code) => failures.find((failure) => failure.code === code)).find((found) => found !== undefined) ??
  failures[0];

const openOnes = async (cli: Cli, area: MovementArea, client: Client): Promise<readonly MovementState[]> => {
  const found: MovementState[] = [];
  for await (const state of statesOf(cli, area)) {
    if (!isOver(state) && isOfService(state, client.service)) found.unshift(state);
  }
  return found;
};

const failedRow = (area: MovementArea, state: MovementState, { code, message, details }: Failure) => ({
  ...rowOf(area, state),
  state: code,
  message,
  next: details.next ?? null,
});

/** Each in its turn, the oldest first; the trouble of one is not that of the others. */
const resumeAll = async (cli: Cli, given: Given, area: MovementArea, resuming: Resuming): Promise<void> => {
  const client = await cli.client();
  const rows: unknown[] = [];
  const failures: Failure[] = [];
  for (const state of await openOnes(cli, area, client)) {
    try {
      rows.push(await resuming.resumeOne(cli, given, client, state.id));
    } catch (error) {
      if (!isFailure(error) || error.code === 'interrupted') throw error;
      failures.push(error);
      rows.push(failedRow(area, state, error));
    }
  }
  await cli.report(rows);
  const worst = worstOf(failures);
  if (!worst) return;
  const message = `${failures.length} of ${rows.length} are not at a good end; the worst: ${worst.message}`;
  throw new Failure(worst.code, message, { next: worst.details.next, isAnswered: true });
};

/** Without an id the only open one is meant. */
const chooseOne = async (cli: Cli, area: MovementArea, client: Client): Promise<MovementState | undefined> => {
  const [only, ...others] = await openOnes(cli, area, client);
  if (others.length === 0) return only;
  const ids = [only, ...others].map((state) => state?.id).join(', ');
  throw new Failure('invalid_input', `several are not finished: ${ids}`, {
    errors: [{ field: 'ID', message: 'required, for there are several', option: 'ID' }],
    next: `bursar ${area.area} resume --all`,
  });
};

const run = async (cli: Cli, given: Given, area: MovementArea, resuming: Resuming): Promise<void> => {
  const id = textOf(given, 'id');
  if (isOn(given, 'all')) {
    if (id !== undefined) throw new Failure('usage', 'give an ID or --all, one of them');
    return resumeAll(cli, given, area, resuming);
  }
  // What is over needs no service.
  const named = id === undefined ? undefined : await findMovement(cli, area, id);
  if (named && isOver(named)) return tellOver(cli, area, named, resuming);
  const client = await cli.client();
  const state = named ?? (await chooseOne(cli, area, client));
  if (state === undefined) return cli.answer([]);
  await cli.report(await resuming.resumeOne(cli, given, client, state.id));
};

/** To run it twice is safe: the second time tells how it ended. */
const tellOver = async (cli: Cli, area: MovementArea, state: MovementState, { asEnded }: Resuming): Promise<void> => {
  if (standingOf(state) !== 'error') return cli.answer(asEnded(state));
  throw new Failure('payment_failed', `the ${area.noun} ${state.id} ended in error`, { data: asEnded(state) });
};

/** Takes up what was left unfinished. */
export const resumeLeaf = (area: MovementArea, resuming: Resuming): Leaf => ({
  words: [area.area, 'resume'],
  summary: `Find out what became of a ${area.noun}, and bring it to its end`,
  about: [...resuming.about, 'Without an ID the only unfinished one is meant. It is safe to run twice, and at once.'],
  arguments: [{ ...ID, isOptional: true }],
  options: [{ flag: '--all', says: 'Every unfinished one of this service, the oldest first' }, ...resuming.options],
  examples: [`${area.area} resume 20260115T093000Z-0123abcd`, `${area.area} resume --all --json`],
  run: (cli, given) => run(cli, given, area, resuming),
});
