import { Failure, withDetails } from '../../core/failure.ts';
import { WIRE_ID, WIRE_STARTED_AT } from '../../core/wire-names.ts';
import { namedOperation } from '../../journal/naming.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import type { OnDamage } from '../../journal/states.ts';
import { isTerminal, wireStatusOf } from '../../journal/status.ts';
import type { DeclaredFields } from '../../output/render.ts';
import { briefAge } from '../../output/terminal-text.ts';
import type { Command, CommandContext } from '../command/command.ts';
import {
  boolArg,
  isWatched,
  type Option,
  type ParsedArgs,
  stringArg,
  stringArgs,
  watchOptions,
} from '../command/options.ts';
import { findProfile, readProfiles } from '../profiles/store.ts';
import { type ListRow, type OperationArea, rowOf, statesInWords, statesOf } from './area.ts';

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

/** One row of a list: the operation that it shows, and the others of the same payment, newest first. */
type Entry = { readonly shown: OperationState; readonly others: readonly OperationState[] };

/** The services give payment ids independently of each other. */
const paymentOf = ({ id, payment_id: paymentId, started }: OperationState): string =>
  paymentId ? JSON.stringify([started.kind, started.kind === 'live' && started.base_url, paymentId]) : id;

/** One entry for each payment, by the operation that its id names. */
const byPayment = async function* (states: AsyncIterable<OperationState>): AsyncGenerator<Entry> {
  const payments = new Map<string, OperationState[]>();
  for await (const state of states) {
    const key = paymentOf(state);
    payments.set(key, [...(payments.get(key) ?? []), state]);
  }
  const entries = [...payments.values()].flatMap((all) => {
    const shown = namedOperation(all);
    return shown ? [{ shown, others: all.filter((state) => state !== shown) }] : [];
  });
  yield* entries.toSorted((one, other) => (one.shown.id < other.shown.id ? 1 : -1));
};

const byOperation = async function* (states: AsyncIterable<OperationState>): AsyncGenerator<Entry> {
  for await (const shown of states) yield { shown, others: [] };
};

const OF_PAYMENT =
  'A terminal has a row for each payment: its operation in doubt, or else its end, or else the newest that is unfinished. --per operation shows each operation.';

const PER: Option = {
  flag: '--per',
  value: 'WHAT',
  choices: ['payment', 'operation'],
  usual: 'payment on a terminal, operation elsewhere and with --json',
  description: 'A row for each payment, or for each of its operations',
};

const isPerPayment = ({ area }: OperationArea, { io, globals }: CommandContext, given: ParsedArgs): boolean => {
  const per = stringArg(given, 'per');
  if (per !== undefined || area !== 'pay') return per === 'payment';
  return io.stdout.isTerminal && !globals.json;
};

/** Fields that only --json has: the columns of a pipe are fixed. */
const LATER_FIELDS: readonly string[] = ['intent_key', 'receivers', 'operations'];

/** The columns of a pipe, which do not depend on the rows. */
const columnsOf = ({ factNames }: OperationArea): readonly string[] => [
  ...[WIRE_ID, WIRE_STARTED_AT, 'state'],
  ...factNames,
  ...['profile', 'kind'],
];

/** The fields of a row. */
const rowFields = (area: OperationArea): DeclaredFields => ({
  names: [...columnsOf(area), ...LATER_FIELDS],
  isOpen: false,
});

/** The row of an entry. A step of a payment lacks facts that its other steps have. */
const listRow = (area: OperationArea, { shown, others }: Entry, isOfPayment: boolean) => {
  const rows: readonly Readonly<Record<string, unknown>>[] = [shown, ...others].map(area.facts);
  const facts = Object.keys(rows[0] ?? {}).map((name) => [
    name,
    rows.find((row) => row[name] !== null)?.[name] ?? null,
  ]);
  return {
    ...rowOf(area, shown),
    ...Object.fromEntries(facts),
    intent_key: shown.started.intent_key ?? null,
    ...(area.area === 'pay' && { receivers: receiversOf([shown, ...others]) }),
    ...(isOfPayment && { operations: others.length + 1 }),
  };
};

const receiversOf = (states: readonly OperationState[]): unknown => {
  const intents = states.map(({ started }) => started.intent);
  return intents.flatMap((intent) => ('receivers' in intent ? [intent.receivers] : []))[0] ?? [];
};

/** The rows of the list, the newest first, and whether there are more. A record that cannot be read goes to `onDamage`. */
const readRows = async (area: OperationArea, cli: CommandContext, given: ParsedArgs, onDamage?: OnDamage) => {
  const [limit, isWanted] = [limitOf(given), filterOf(cli, given)];
  const isOfPayment = isPerPayment(area, cli, given);
  const rows: ReturnType<typeof listRow>[] = [];
  let isCut = false;
  const seenProfiles = new Set<string>();
  for await (const entry of (isOfPayment ? byPayment : byOperation)(statesOf(cli, area, onDamage))) {
    seenProfiles.add(entry.shown.started.profile);
    if (!isWanted(entry.shown)) continue;
    isCut = rows.length === limit;
    if (isCut) break;
    rows.push(listRow(area, entry, isOfPayment));
  }
  await assertProfile(cli, seenProfiles);
  return { rows, isCut };
};

/** The rows for a terminal. An age is shorter than a time, and leaves room for the differences of operations. */
const onTerminal = (area: OperationArea, { talkStyle: { now } }: CommandContext, rows: readonly ListRow[]) =>
  area.inList(rows, (startedAt) => (now === undefined ? startedAt : briefAge(startedAt, now)));

const NONE_READ = 'Nothing that can be read matches.';

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
    source: 'the journal',
    screen: (rows, style) => {
      if (rows.length === 0) return noneOf(area, cli, given);
      const listed = onTerminal(area, cli, rows);
      if (fields) return renderFor(style, selectFields(rows, fields)).text;
      return renderFor(style, listed, Object.keys(listed[0] ?? {})).text;
    },
    entries: (rows) =>
      rows.toReversed().map((row) => ({
        key: row[WIRE_ID],
        state: row,
        document: row,
        line: Object.values(onTerminal(area, cli, [row])[0] ?? {})
          .slice(0, 3)
          .filter(Boolean)
          .join('  '),
      })),
  });
};

const listOperations = async (area: OperationArea, cli: CommandContext, given: ParsedArgs): Promise<void> => {
  if (isWatched(given)) return watchOperations(area, cli, given);
  const damaged: Failure[] = [];
  const { rows, isCut } = await readRows(area, cli, given, (damage) => void damaged.push(damage));
  if (isCut && !cli.globals.json) {
    const shown = rows.length === 1 ? 'This is the newest one' : `These are the newest ${rows.length}`;
    await cli.printNote(`${shown}; --all shows the others too.`);
  }
  const listed = onTerminal(area, cli, rows);
  const none = damaged.length > 0 ? NONE_READ : noneOf(area, cli, given);
  await cli.printResult(rows, rows, {
    entry: () => rowFields(area),
    none,
    listed: () => ({ rows: listed, brief: Object.keys(listed[0] ?? {}) }),
    piped: () => ({ rows, columns: columnsOf(area) }),
  });
  const [first, ...others] = damaged;
  // A JSON document has been printed, so nothing else reports the failure.
  for (const { message } of cli.globals.json ? damaged : others) await cli.warn(message);
  // An operation that is left out may be in doubt, so the list is no success.
  if (first) throw withDetails(first, { isPrinted: true });
};

/** The command that lists the operations of an area that were started on this machine. */
export const listOf = (area: OperationArea): Command => ({
  words: [area.area, 'list'],
  summary: `List the ${area.noun}s that were started on this machine`,
  about: [
    'From the journal; no service is asked. Of all profiles, or of that of --profile.',
    ...(area.area === 'pay' ? [OF_PAYMENT] : []),
    `States: ${statesInWords(area.states)}.`,
    '--watch repeats the read until Ctrl-C or the end of --timeout. A terminal updates one screen.',
    `A pipe gets a line of JSON for each ${area.noun}, and another one after each change.`,
    `Without --watch the columns of a pipe are ${columnsOf(area).join(', ')}.`,
  ],
  options: [
    { flag: '--open', description: 'Only what is not finished, or in doubt' },
    { flag: '--state', value: 'STATE', choices: area.states, isRepeatable: true, description: 'Only in this state' },
    { flag: '--limit', value: 'N', usual: `${USUAL_LIMIT}; with --open all`, description: `How many at most` },
    { flag: '--all', description: 'Every one' },
    ...(area.area === 'pay' ? [PER] : []),
    ...watchOptions('Show the list again after each change', INTERVAL),
  ],
  fails: ['journal_unreachable'],
  examples: [`${area.area} list`, `${area.area} list --open --json`, `${area.area} list --watch`],
  run: (cli, given) => listOperations(area, cli, given),
});
