import { Failure } from '../../core/failure.ts';
import type { MovementState } from '../../journal/movement-state.ts';
import { isOver } from '../../journal/over.ts';
import { standingOf } from '../../journal/standing.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import { type Given, isOn, textOf, textsOf } from '../options.ts';
import { findProfile, readProfiles } from '../profiles/store.ts';
import type { MovementArea } from './area.ts';
import { rowFields, rowOf, statesOf } from './rows.ts';
import { statesInWords } from './states.ts';

const USUAL_LIMIT = '30';

/** Money that is under way is never left out of a list because there is much of it. */
const limitOf = (given: Given): number => {
  const [asked, isAll] = [textOf(given, 'limit'), isOn(given, 'all')];
  if (isAll && asked !== undefined) throw new Failure('usage', '--all: it leaves --limit nothing to say');
  if (isAll || (isOn(given, 'open') && asked === undefined)) return Number.MAX_SAFE_INTEGER;
  const text = asked ?? USUAL_LIMIT;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Failure('usage', `--limit: "${text}" is not a whole number above 0`);
};

/** A profile that is neither set up nor in the journal is a typing error, and no empty list. */
const assertProfile = async ({ io, globals }: Cli, begunUnder: ReadonlySet<string>): Promise<void> => {
  const { profile } = globals;
  if (profile === undefined || begunUnder.has(profile)) return;
  findProfile(await readProfiles(io), profile);
};

/** What the options ask for; each narrows it. */
const filterOf = ({ globals }: Cli, given: Given): ((state: MovementState) => boolean) => {
  const wanted = textsOf(given, 'state');
  return (state) =>
    (!isOn(given, 'open') || !isOver(state)) &&
    (wanted.length === 0 || wanted.includes(standingOf(state))) &&
    (globals.profile === undefined || state.begun.profile === globals.profile);
};

const isNarrowed = ({ globals }: Cli, given: Given): boolean =>
  isOn(given, 'open') || textsOf(given, 'state').length > 0 || globals.profile !== undefined;

const run = async (area: MovementArea, cli: Cli, given: Given): Promise<void> => {
  const [limit, isWanted] = [limitOf(given), filterOf(cli, given)];
  const rows = [];
  const begunUnder = new Set<string>();
  for await (const state of statesOf(cli, area)) {
    begunUnder.add(state.begun.profile);
    if (!isWanted(state)) continue;
    if (rows.length === limit) {
      if (!cli.globals.json) await cli.say(`These are the newest ${limit}; --all shows the others too.`);
      break;
    }
    rows.push(rowOf(area, state));
  }
  await assertProfile(cli, begunUnder);
  const listed = rows.map(area.inList);
  const none = isNarrowed(cli, given)
    ? `No ${area.noun} of this machine is like that.`
    : `No ${area.noun} was begun on this machine. To begin one: ${area.begin}`;
  await cli.answer(rows, rows, {
    entry: () => rowFields(area),
    none,
    listed: () => ({ rows: listed, brief: Object.keys(listed[0] ?? {}) }),
  });
};

/** Lists the movements of an area that this machine began. */
export const listOf = (area: MovementArea): Leaf => ({
  words: [area.area, 'list'],
  summary: `List the ${area.noun}s that were begun on this machine`,
  about: [
    'From the journal; no service is asked. Of all profiles, or of that of --profile.',
    `States: ${statesInWords(area.states)}.`,
  ],
  options: [
    { flag: '--open', says: 'Only what is not finished, or in doubt' },
    {
      flag: '--state',
      value: 'STATE',
      choices: area.states,
      isRepeatable: true,
      says: 'Only in this state (repeatable)',
    },
    { flag: '--limit', value: 'N', says: `How many at most (default ${USUAL_LIMIT}; with --open all)` },
    { flag: '--all', says: 'Every one' },
  ],
  examples: [`${area.area} list`, `${area.area} list --open --json`],
  run: (cli, given) => run(area, cli, given),
});
