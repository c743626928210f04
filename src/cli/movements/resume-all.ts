import type { Client } from '../../client/call.ts';
import { Failure, type FailureCode, isFailure } from '../../core/failure.ts';
import type { MovementState } from '../../journal/movement-state.ts';
import type { Cli } from '../cli.ts';
import { asHere } from '../next-command.ts';
import type { Given } from '../options.ts';
import type { MovementArea } from './area.ts';
import { findMovement } from './find.ts';
import { openOnes, sayNothingOpen, sayTakenUp, tellDeclined, tellLeftAlone } from './open-ones.ts';
import { rowOf } from './rows.ts';

/** Brings one movement to its end. Throws where it waits for something, or its end is bad or unknown. */
export type ResumeOne = (cli: Cli, given: Given, client: Client, id: string) => Promise<unknown>;

/** What one run over many movements ends with: the worst first, then what is none of these, then what only waits. */
const WORST: readonly FailureCode[] = [
  'outcome_unknown',
  'interrupted',
  'journal_damaged',
  'payment_failed',
  'refused_by_review',
];

const worstOf = (failures: readonly Failure[]): Failure | undefined =>
  WORST.map((code) => failures.find((failure) => failure.code === code)).find((found) => found !== undefined) ??
  failures.find(({ code }) => code !== 'not_final') ??
  failures[0];

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
    if (!isFailure(error)) throw error;
    return error;
  }
};

/** Each in its turn; the trouble of one is not that of the others. */
export const resumeAll = async (cli: Cli, given: Given, area: MovementArea, resumeOne: ResumeOne): Promise<void> => {
  const client = await cli.client();
  const rows: unknown[] = [];
  const { open, declined, elsewhere, damaged } = await openOnes(cli, area, client);
  const failures: Failure[] = [...damaged];
  for (const { message } of damaged) await cli.say(`warning: ${message}`);
  let leftAlone = elsewhere.length;
  for (const [at, state] of open.entries()) {
    // What was found out of those before is told all the same.
    if (cli.io.interrupted.aborted) {
      failures.push(new Failure('interrupted', 'interrupted before all were looked at'));
      break;
    }
    const share = withShare(client, open.length - at - 1);
    await sayTakenUp(cli, state);
    const failure = await attempt(resumeOne(cli, given, share, state.id));
    if (failure?.code === 'bad_settings') {
      leftAlone += 1;
      continue;
    }
    if (failure) failures.push(failure);
    rows.push(await rowAfter(cli, area, state, failure));
  }
  await tellLeftAlone(cli, area, leftAlone);
  await tellDeclined(cli, area, declined);
  if (rows.length + damaged.length === 0) await sayNothingOpen(cli, leftAlone + declined.length);
  await cli.report(rows);
  const worst = worstOf(failures);
  if (!worst) return;
  const message = `${failures.length} of ${rows.length + damaged.length} are not at a good end; the worst: ${worst.message}`;
  throw new Failure(worst.code, message, { next: worst.details.next, isAnswered: true });
};
