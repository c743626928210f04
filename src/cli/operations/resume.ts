import type { Client } from '../../client/call.ts';
import { Failure, type FailureCode, isFailure, withDetails } from '../../core/failure.ts';
import { commandLine, nextStep } from '../../core/next.ts';
import { escapeText, inChoice } from '../../core/text.ts';
import { WIRE_ID, WIRE_STARTED_AT } from '../../core/wire-names.ts';
import { cleanUpJournal } from '../../journal/operation.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { isTerminal } from '../../journal/status.ts';
import type { Command, CommandContext } from '../command/command.ts';
import { type Argument, boolArg, type Option, type ParsedArgs, stringArg } from '../command/options.ts';
import { completeNext, withScriptOptions } from '../print/next-command.ts';
import { printsSteps } from '../print/steps.ts';
import { article, findOperation, idOf, type OperationArea, printReceipt, rowOf, stateAfter, usualId } from './area.ts';
import { choiceOf, resumedInWords } from './in-words.ts';
import { type AreaResume, openOnes, printTerminal, reportSkipped, resumeOne } from './resumable.ts';
import { assertOwnKey } from './signing-key.ts';

/** The resume command of an area. */
type ResumeSpec = Pick<Command, 'calls' | 'fails'> & {
  readonly resuming: AreaResume;
  readonly about: readonly string[];
  readonly options: readonly Option[];
};

const pickOne = (cli: CommandContext, { noun }: OperationArea, open: readonly OperationState[]) =>
  cli.io.prompt.select(
    `Resume which ${noun}?`,
    open.map((state) => ({ name: inChoice(choiceOf(state, cli.io.clock.now())), value: state, alias: state.id })),
  );

/** Prints which operation is resumed, before the question for a password. */
const printResumed = async (cli: CommandContext, state: OperationState): Promise<void> => {
  if (printsSteps(cli)) await cli.printNote(escapeText(resumedInWords(state, cli.io.clock.now())));
};

/** Prints on a terminal that there is nothing to resume; an empty screen would look like a failure. */
const printNothingOpen = async (cli: CommandContext, others: number): Promise<void> => {
  if (others === 0 && cli.io.stderr.isTerminal) await cli.printNote('Nothing is open.');
};

/** Reports the operations that the user declined. They are not resumed: `--yes` of a script does not revoke a no. */
const reportDeclined = async (
  cli: CommandContext,
  { area }: OperationArea,
  declined: readonly OperationState[],
): Promise<void> => {
  for (const state of declined) {
    const id = await usualId(cli, state);
    await cli.printNote(`note: ${id} waits for your confirmation, and is left alone: bursar ${area} resume ${id}`);
  }
};

/** Without an id: the only unfinished operation, or the one that the user selects. */
const chooseOne = async (cli: CommandContext, area: OperationArea, client: Client) => {
  const { open: undeclined, declined, elsewhere } = await openOnes(cli, area, client);
  const open = cli.io.prompt.isPossible ? [...undeclined, ...declined] : undeclined;
  const [only, ...others] = open;
  if (only === undefined) {
    await reportSkipped(cli, area, elsewhere);
    await reportDeclined(cli, area, declined);
    await printNothingOpen(cli, elsewhere.length + declined.length);
  }
  if (others.length === 0) return only;
  if (cli.io.prompt.isPossible) return pickOne(cli, area, open);
  const ids = (await Promise.all(open.map((state) => usualId(cli, state)))).join(', ');
  throw new Failure('invalid_input', `several are not finished: ${ids}`, {
    errors: [{ field: 'ID', message: 'required, for there are several', option: 'ID' }],
    next: nextStep('operation.resume.all', area.area),
  });
};

/** Adds the selected id to a failure about missing input, so that the next attempt does not ask for it again. */
const choosing = async (cli: CommandContext, error: unknown, { name }: Argument, state: OperationState) =>
  isFailure(error, 'invalid_input')
    ? withDetails(error, { choice: { flag: name, name: name.toLowerCase(), value: await usualId(cli, state) } })
    : error;

const run = async (cli: CommandContext, given: ParsedArgs, spec: ResumeSpec): Promise<void> => {
  const { area } = spec.resuming;
  const id = stringArg(given, 'id');
  await cleanUpJournal(cli.io);
  if (boolArg(given, 'all')) {
    if (id !== undefined) throw new Failure('usage', 'give an ID or --all, one of them');
    if (boolArg(given, 'new-api-key')) {
      throw new Failure('usage', '--new-api-key is for one operation: give its ID, not --all');
    }
    return resumeAll(cli, given, spec);
  }
  // An operation that is over needs no service.
  const named = id === undefined ? undefined : await findOperation(cli, area, id);
  if (named) await assertOwnKey(cli, given, area, named.started);
  if (named && isTerminal(named)) return printTerminal(cli, given, spec.resuming, named);
  const client = await cli.client();
  const state = named ?? (await chooseOne(cli, area, client));
  if (state === undefined) return cli.printResult([], [], { none: '' });
  if (!named) await assertOwnKey(cli, given, area, state.started);
  await printResumed(cli, state);
  const print = (receipt: unknown) => printReceipt(area, cli.printCommitted, receipt);
  await resumeOne(cli, given, spec.resuming, { client, id: state.id, print }).catch(async (error: unknown) => {
    throw named ? error : await choosing(cli, error, idOf(area.area), state);
  });
};

/** The command that resumes unfinished operations of an area. */
export const resumeLeaf = ({ resuming, ...spec }: ResumeSpec): Command => {
  const { area } = resuming;
  return {
    words: [area.area, 'resume'],
    summary: `Find out what became of ${article(area.noun)} ${area.noun}, and bring it to its end`,
    about: [
      ...spec.about,
      'Without an ID it resumes the only unfinished one; at a terminal you select one of several. It is safe to run twice, also at the same time.',
    ],
    arguments: [{ ...idOf(area.area, 'open'), isOptional: true }],
    options: [
      { flag: '--all', description: 'Every unfinished one of this service, those in doubt first' },
      ...spec.options,
    ],
    calls: spec.calls ?? [],
    fails: spec.fails ?? [],
    examples: [`${area.area} resume 20260115T093000Z-0123abcd`, `${area.area} resume --all --json`],
    run: (cli, given) => run(cli, given, { resuming, ...spec }),
  };
};

/** Codes that decide how a run over many operations ends, the most serious first. `not_final` comes last of all. */
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

/** The row of an operation after its resume. Every row has the same fields. */
const rowAfter = async (
  cli: CommandContext,
  area: OperationArea,
  { id }: OperationState,
  failure: Failure | undefined,
) => {
  const row = rowOf(area, await findOperation(cli, area, id));
  const { code = null, message = null, details } = failure ?? {};
  const status = stateAfter(row.state, failure);
  return {
    ...row,
    state: status,
    status,
    code,
    message,
    next: details?.next ? commandLine(completeNext(cli.typed, withScriptOptions(cli.io, details.next))) : null,
  };
};

/** The row of an operation whose record cannot be read: its state is not known. */
const damagedRow = (area: OperationArea, { id, failure }: { readonly id: string; readonly failure: Failure }) => ({
  ...Object.fromEntries(
    [WIRE_STARTED_AT, ...area.factNames, 'profile', 'kind', 'state', 'status'].map((name) => [name, null]),
  ),
  [WIRE_ID]: id,
  code: failure.code,
  message: failure.message,
  next: commandLine(nextStep('doctor')),
});

/** Gives an operation its share of the time that is left, so that a slow one does not use up the time of the others. */
const withShare = (client: Client, others: number): Client => {
  const left = client.deadline - client.io.clock.monotonic();
  const kept = (left * others) / (others + 1);
  return {
    ...client,
    get deadline() {
      return client.deadline - kept;
    },
  };
};

/** Awaits some work and returns its failure, if any. */
const attempt = async (work: Promise<unknown>): Promise<Failure | undefined> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return error;
  }
};

/** The output has a row for each operation in place of its receipt. */
const printNothing = () => Promise.resolve();

const STOPPED = new Failure('interrupted', 'interrupted before all were looked at');

/** The failure of a run over `count` operations, if any. `missed` operations were not reached. */
const endOf = (failures: readonly Failure[], count: number, missed: number): Failure | undefined => {
  const worst = worstOf(missed > 0 ? [...failures, STOPPED] : failures);
  if (!worst) return undefined;
  const bad = `${failures.length} of ${count} need attention`;
  const message =
    missed > 0
      ? `interrupted: ${missed} of ${missed + count} were not looked at${failures.length > 0 ? `, and ${bad}` : ''}`
      : bad;
  const isInterruptOnly = worst === STOPPED;
  return new Failure(worst.code, isInterruptOnly ? message : `${message}. Most serious: ${worst.sentence}`, {
    next: worst.details.next,
    isPrinted: true,
  });
};

/**
 * Resumes all unfinished operations, one after the other. A failure of one does not stop the others. Each is closed
 * before the next, which may depend on its end, so the journal has the ends before the output.
 */
const resumeAll = async (cli: CommandContext, given: ParsedArgs, { resuming }: ResumeSpec): Promise<void> => {
  const { area } = resuming;
  const client = await cli.client();
  const rows: unknown[] = [];
  const { open, declined, elsewhere, damaged } = await openOnes(cli, area, client);
  const failures = damaged.map(({ failure }) => failure);
  for (const { message } of failures) await cli.warn(message);
  const skipped = [...elsewhere];
  let missed = open.length;
  for (const [at, state] of open.entries()) {
    // The rows of earlier operations are still printed.
    // Ctrl-C stops the whole run, also at a question about one operation.
    if (cli.io.interrupted.aborted || failures.some(({ code }) => code === 'interrupted')) break;
    missed -= 1;
    const share = withShare(client, open.length - at - 1);
    await printResumed(cli, state);
    const one = { client: share, id: state.id, print: printNothing };
    const failure = await attempt(resumeOne(cli, given, resuming, one));
    if (failure?.code === 'bad_settings') {
      skipped.push(state);
      continue;
    }
    if (failure) failures.push(failure);
    rows.push(await rowAfter(cli, area, state, failure));
  }
  await reportSkipped(cli, area, skipped);
  await reportDeclined(cli, area, declined);
  if (rows.length + damaged.length === 0) await printNothingOpen(cli, skipped.length + declined.length);
  await cli.printCommitted([...rows, ...damaged.map((one) => damagedRow(area, one))]);
  const end = endOf(failures, rows.length + damaged.length, missed);
  if (end) throw end;
};
