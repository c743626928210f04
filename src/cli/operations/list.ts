import { Failure } from '../../core/failure.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { isTerminal, wireStatusOf } from '../../journal/status.ts';
import type { Command } from '../command/command.ts';
import { boolArg, type ParsedArgs, stringArg, stringArgs } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';
import { findProfile, readProfiles } from '../profiles/store.ts';
import { type OperationArea, rowFields, rowOf, statesInWords, statesOf } from './area.ts';

const USUAL_LIMIT = '30';

/** The maximum number of rows. Lists of unfinished operations have no limit by default. */
const limitOf = (given: ParsedArgs): number => {
  const [limit, isAll] = [stringArg(given, 'limit'), boolArg(given, 'all')];
  if (isAll && limit !== undefined) throw new Failure('usage', '--all: it leaves --limit nothing to say');
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

const run = async (area: OperationArea, cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const [limit, isWanted] = [limitOf(given), filterOf(cli, given)];
  const rows = [];
  const seenProfiles = new Set<string>();
  for await (const state of statesOf(cli, area)) {
    seenProfiles.add(state.started.profile);
    if (!isWanted(state)) continue;
    if (rows.length === limit) {
      if (!cli.globals.json) await cli.say(`These are the newest ${limit}; --all shows the others too.`);
      break;
    }
    rows.push(rowOf(area, state));
  }
  await assertProfile(cli, seenProfiles);
  const listed = rows.map(area.inList);
  const none = isNarrowed(cli, given)
    ? `No ${area.noun} of this machine matches.`
    : `No ${area.noun} was started on this machine. To start one: ${area.begin}`;
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
  ],
  options: [
    { flag: '--open', description: 'Only what is not finished, or in doubt' },
    {
      flag: '--state',
      value: 'STATE',
      choices: area.states,
      isRepeatable: true,
      description: 'Only in this state',
    },
    { flag: '--limit', value: 'N', usual: `${USUAL_LIMIT}; with --open all`, description: `How many at most` },
    { flag: '--all', description: 'Every one' },
  ],
  examples: [`${area.area} list`, `${area.area} list --open --json`],
  run: (cli, given) => run(area, cli, given),
});
