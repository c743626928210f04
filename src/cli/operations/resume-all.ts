import type { Client } from '../../client/call.ts';
import { Failure, type FailureCode, isFailure } from '../../core/failure.ts';
import { commandLine } from '../../core/next.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import type { ParsedArgs } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';
import { asHere } from '../print/next-command.ts';
import type { OperationArea } from './area.ts';
import { findOperation } from './find.ts';
import { openOnes, reportDeclined, reportSkipped, sayNothingOpen, sayTakenUp } from './open-ones.ts';
import { rowOf } from './rows.ts';

/** Brings one movement to its end. Throws where it waits for something, or its end is bad or unknown. */
export type ResumeOne = (cli: CommandContext, given: ParsedArgs, client: Client, id: string) => Promise<unknown>;

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
const rowAfter = async (
  cli: CommandContext,
  area: OperationArea,
  { id }: OperationState,
  failure: Failure | undefined,
) => {
  const row = rowOf(area, await findOperation(cli, area, id));
  const { code = null, message = null, details } = failure ?? {};
  return {
    ...row,
    status: row.state,
    code,
    message,
    next: details?.next === undefined ? null : commandLine(asHere(cli.io, details.next)),
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

const STOPPED = new Failure('interrupted', 'interrupted before all were looked at');

/** Ctrl-C means all of them, also where it came to a question about one. */
const isStopped = ({ io }: CommandContext, failures: readonly Failure[]): boolean =>
  io.interrupted.aborted || failures.some(({ code }) => code === 'interrupted');

/** How a run over `count` ended, of which it did not come to `missed`; `undefined` where all is well. */
const endOf = (failures: readonly Failure[], count: number, missed: number): Failure | undefined => {
  const worst = worstOf(missed > 0 ? [...failures, STOPPED] : failures);
  if (!worst) return undefined;
  const bad = `${failures.length} of ${count} need attention`;
  const message =
    missed > 0
      ? `interrupted: ${missed} of ${missed + count} were not looked at${failures.length > 0 ? `, and ${bad}` : ''}`
      : bad;
  const isSaid = worst === STOPPED;
  return new Failure(worst.code, isSaid ? message : `${message}. Most serious: ${worst.sentence}`, {
    next: worst.details.next,
    isAnswered: true,
  });
};

/** Each in its turn; the trouble of one is not that of the others. */
export const resumeAll = async (
  cli: CommandContext,
  given: ParsedArgs,
  area: OperationArea,
  resumeOne: ResumeOne,
): Promise<void> => {
  const client = await cli.client();
  const rows: unknown[] = [];
  const { open, declined, elsewhere, damaged } = await openOnes(cli, area, client);
  const failures: Failure[] = [...damaged];
  for (const { message } of damaged) await cli.warn(message);
  const leftAlone = [...elsewhere];
  let missed = open.length;
  for (const [at, state] of open.entries()) {
    // What was found out of those before is told all the same.
    if (isStopped(cli, failures)) break;
    missed -= 1;
    const share = withShare(client, open.length - at - 1);
    await sayTakenUp(cli, state);
    const failure = await attempt(resumeOne(cli, given, share, state.id));
    if (failure?.code === 'bad_settings') {
      leftAlone.push(state);
      continue;
    }
    if (failure) failures.push(failure);
    rows.push(await rowAfter(cli, area, state, failure));
  }
  await reportSkipped(cli, area, leftAlone);
  await reportDeclined(cli, area, declined);
  if (rows.length + damaged.length === 0) await sayNothingOpen(cli, leftAlone.length + declined.length);
  await cli.printCommitted(rows);
  const end = endOf(failures, rows.length + damaged.length, missed);
  if (end) throw end;
};
