import { Failure } from '../../core/failure.ts';
import { commandLine } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import { assertMayForget } from '../../flows/policy/day.ts';
import { forgetOperation } from '../../journal/operation.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { cardSent, isTerminal, mayHaveMoved, wireStatusOf } from '../../journal/status.ts';
import { readOperation, wireStepOf } from '../../journal/wire.ts';
import type { Command, CommandContext } from '../command/command.ts';
import {
  boolArg,
  isWatched,
  type ParsedArgs,
  required,
  stringArg,
  stringArgs,
  watchOptions,
} from '../command/options.ts';
import { forProfile } from '../print/next-command.ts';
import { findProfile, readProfiles } from '../profiles/store.ts';
import { askToType, ofService, serviceInWords } from '../prompt/confirming.ts';
import {
  article,
  findOperation,
  idOf,
  type OperationArea,
  resumeCommand,
  rowFields,
  rowOf,
  statesInWords,
  statesOf,
  usualId,
} from './area.ts';

const USUAL_LIMIT = '30';

/** The maximum number of rows. Lists of unfinished operations have no limit by default. */
const limitOf = (given: ParsedArgs): number => {
  const [limit, isAll] = [stringArg(given, 'limit'), boolArg(given, 'all')];
  if (isAll && limit !== undefined) throw new Failure('usage', '--all: it cannot be combined with --limit');
  if (isAll || (boolArg(given, 'open') && limit === undefined)) return Number.MAX_SAFE_INTEGER;
  const text = limit ?? USUAL_LIMIT;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Failure('usage', `--limit: "${text}" is not a whole number above 0`);
};

/** Throws for a profile that is neither set up nor in the journal: it is probably mistyped. */
const assertProfile = async ({ io, globals }: CommandContext, seenProfiles: ReadonlySet<string>): Promise<void> => {
  const { profile } = globals;
  if (profile === undefined || seenProfiles.has(profile)) return;
  findProfile(await readProfiles(io), profile);
};

/** The filter of the options: an operation must match all of them. */
const filterOf = ({ globals }: CommandContext, given: ParsedArgs): ((state: OperationState) => boolean) => {
  const wanted = stringArgs(given, 'state');
  return (state) =>
    (!boolArg(given, 'open') || !isTerminal(state)) &&
    (wanted.length === 0 || wanted.includes(wireStatusOf(state))) &&
    (globals.profile === undefined || state.started.profile === globals.profile);
};

const isNarrowed = ({ globals }: CommandContext, given: ParsedArgs): boolean =>
  boolArg(given, 'open') || stringArgs(given, 'state').length > 0 || globals.profile !== undefined;

/** The rows of the list, the newest first, and whether there are more. */
const readRows = async (area: OperationArea, cli: CommandContext, given: ParsedArgs) => {
  const [limit, isWanted] = [limitOf(given), filterOf(cli, given)];
  const rows: ReturnType<typeof rowOf>[] = [];
  let isCut = false;
  const seenProfiles = new Set<string>();
  for await (const state of statesOf(cli, area)) {
    seenProfiles.add(state.started.profile);
    if (!isWanted(state)) continue;
    isCut = rows.length === limit;
    if (isCut) break;
    rows.push(rowOf(area, state));
  }
  await assertProfile(cli, seenProfiles);
  return { rows, isCut };
};

const noneOf = (area: OperationArea, cli: CommandContext, given: ParsedArgs): string =>
  isNarrowed(cli, given)
    ? `No ${area.noun} of this machine matches.`
    : `No ${area.noun} was started on this machine. To start one: ${area.begin}`;

const INTERVAL = '1';

const watchOperations = async (area: OperationArea, cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { watchValue } = await import('../print/watch.ts');
  const { renderFor, selectFields } = await import('../../output/render.ts');
  const { fields } = cli.globals;
  await watchValue(cli, given, INTERVAL, {
    read: async () => (await readRows(area, cli, given)).rows,
    screen: (rows, style) => {
      if (rows.length === 0) return noneOf(area, cli, given);
      const listed = rows.map(area.inList);
      if (fields) return renderFor(style, selectFields(rows, fields)).text;
      return renderFor(style, listed, Object.keys(listed[0] ?? {})).text;
    },
    entries: (rows) =>
      rows.toReversed().map((row) => ({
        key: row[WIRE_ID],
        state: row,
        document: row,
        line: Object.values(area.inList(row)).slice(0, 3).filter(Boolean).join('  '),
      })),
  });
};

const listOperations = async (area: OperationArea, cli: CommandContext, given: ParsedArgs): Promise<void> => {
  if (isWatched(given)) return watchOperations(area, cli, given);
  const { rows, isCut } = await readRows(area, cli, given);
  if (isCut && !cli.globals.json) {
    await cli.printNote(`These are the newest ${rows.length}; --all shows the others too.`);
  }
  const listed = rows.map(area.inList);
  const none = noneOf(area, cli, given);
  await cli.printResult(rows, rows, {
    entry: () => rowFields(area),
    none,
    listed: () => ({ rows: listed, brief: Object.keys(listed[0] ?? {}) }),
  });
};

/** The command that lists the operations of an area that were started on this machine. */
export const listOf = (area: OperationArea): Command => ({
  words: [area.area, 'list'],
  summary: `List the ${area.noun}s that were started on this machine`,
  about: [
    'From the journal; no service is asked. Of all profiles, or of that of --profile.',
    `States: ${statesInWords(area.states)}.`,
    '--watch repeats the read until Ctrl-C or the end of --timeout. A terminal updates one screen.',
    `A pipe gets a line of JSON for each ${area.noun}, and another one after each change.`,
  ],
  options: [
    { flag: '--open', description: 'Only what is not finished, or in doubt' },
    { flag: '--state', value: 'STATE', choices: area.states, isRepeatable: true, description: 'Only in this state' },
    { flag: '--limit', value: 'N', usual: `${USUAL_LIMIT}; with --open all`, description: `How many at most` },
    { flag: '--all', description: 'Every one' },
    ...watchOptions('Show the list again after each change', INTERVAL),
  ],
  examples: [`${area.area} list`, `${area.area} list --open --json`, `${area.area} list --watch`],
  run: (cli, given) => listOperations(area, cli, given),
});

/** The entries of an operation without signed bytes: another program could send those. */
const stepsOf = async (cli: CommandContext, { id }: OperationState) =>
  ((await readOperation(cli.io, id))?.events ?? []).map((event) => ({
    at: event.at,
    step: wireStepOf(event),
    ...('hash' in event && { hash: event.hash }),
    ...('status' in event && event.status !== undefined && { status: event.status }),
    ...('message' in event && { message: event.message }),
    ...(event.step === 'failed' && { code: event.code }),
  }));

const showOperation = async (area: OperationArea, cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { ID: id } = required({ ID: stringArg(given, 'id') });
  const state = await findOperation(cli, area, id);
  const { started, last_at, signed, stop } = state;
  const steps = await stepsOf(cli, state);
  const next = resumeCommand(area, state, await usualId(cli, state));
  const shown = {
    ...rowOf(area, state),
    last_at,
    base_url: started.base_url,
    intent: started.intent,
    transactions: signed.map(({ part, hash, from, sent, isDead }) => ({ part, hash, from, sent, is_dead: isDead })),
    stopped: stop ?? null,
    next: next === undefined ? null : commandLine(await forProfile(cli, started.profile, next)),
  };
  const story = steps.map(({ at, step, ...rest }) => [at, step, ...Object.values(rest)].join(' '));
  const summary = async () =>
    (await import('../summaries/operation-summary.ts')).operationSummary(area.noun, shown, steps);
  await cli.printResult({ ...shown, steps }, { ...shown, steps: story }, { summary });
};

/** The command that shows one operation: its intent, its steps and the next command. */
export const showOf = (area: OperationArea): Command => ({
  words: [area.area, 'show'],
  summary: `Show what the journal has of one ${area.noun}`,
  about: ['From the journal; no service is asked. The times are UTC.'],
  arguments: [idOf(area.area)],
  fails: ['not_found'],
  examples: [`${area.area} show 20260115T093000Z-0123abcd`, `${area.area} show 20260115T093000Z-0123abcd --json`],
  run: (cli, given) => showOperation(area, cli, given),
});

const dangerOf = (area: OperationArea, state: OperationState): string => {
  const { id, signed } = state;
  const sent = signed.filter((part) => part.sent !== 'no').map(({ hash }) => hash);
  const hashes = cardSent(state) === 'no' ? sent : [...sent, 'a card'];
  if (isTerminal(state)) return `The record of the ${area.noun} ${id} cannot be restored after this.`;
  if (hashes.length === 0) return `The ${area.noun} ${id} is unfinished. Without its record it cannot be resumed.`;
  return `The ${area.noun} ${id} may have moved money (${hashes.join(', ')}). Without its record nothing prevents a second one.`;
};

/** Asks before a record is removed. If money may have moved, the user types the id. */
const confirmForgetting = async (cli: CommandContext, area: OperationArea, state: OperationState): Promise<void> => {
  const { id, started } = state;
  const danger = dangerOf(area, state);
  const isOpen = !isTerminal(state) && mayHaveMoved(state);
  const isYesEnough = !isOpen && cli.io.prompt.isPossible && !cli.globals.yes;
  const isSure = isYesEnough
    ? await cli.io.prompt.confirm(ofService(started, `${danger} Forget it?`))
    : ((await askToType(cli, danger, `Type ${id} to forget it (${serviceInWords(started)}):`)) ?? id) === id;
  if (!isSure) throw new Failure('declined', 'not confirmed; nothing was done');
};

const forgetRecord = async (area: OperationArea, cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { ID: id } = required({ ID: stringArg(given, 'id') });
  const state = await findOperation(cli, area, id);
  const hashes = state.signed.filter(({ sent }) => sent !== 'no').map(({ hash }) => hash);
  await assertMayForget(cli.io, state.id);
  await confirmForgetting(cli, area, state);
  await forgetOperation(cli.io, state.id);
  await cli.printCommitted({
    [WIRE_ID]: state.id,
    state: wireStatusOf(state),
    payment_id: state.payment_id ?? null,
    hashes,
    forgotten: true,
  });
};

/** Removes an operation from the journal. */
export const forgetOf = (area: OperationArea): Command => ({
  words: [area.area, 'forget'],
  summary: `Remove ${article(area.noun)} ${area.noun} from the journal`,
  about: [
    "Nothing is undone, and no request is sent. A forgotten record cannot be resumed, and does not count to the limits of a profile's policy. Without the record the same command can run again without a question. A record that counts to the day of a key's policy stays until the day is over.",
  ],
  arguments: [idOf(area.area)],
  fails: ['not_found', 'not_final', 'refused_by_review'],
  examples: [`${area.area} forget 20260115T093000Z-0123abcd`],
  run: (cli, given) => forgetRecord(area, cli, given),
});
