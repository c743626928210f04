import { Failure } from '../../core/failure.ts';
import type { MovementState } from '../../journal/movement-state.ts';
import { isOver } from '../../journal/over.ts';
import { standingOf } from '../../journal/standing.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import { type Given, isOn, textOf, textsOf } from '../options.ts';
import type { MovementArea } from './area.ts';
import { rowOf, statesOf } from './rows.ts';

const USUAL_LIMIT = '30';

const limitOf = (given: Given): number => {
  if (isOn(given, 'all')) return Number.MAX_SAFE_INTEGER;
  const text = textOf(given, 'limit') ?? USUAL_LIMIT;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Failure('usage', `--limit: "${text}" is not a whole number above 0`);
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
  for await (const state of statesOf(cli, area)) {
    if (!isWanted(state)) continue;
    if (rows.length === limit) {
      if (!cli.globals.json) await cli.say(`These are the newest ${limit}; --all shows the others too.`);
      break;
    }
    rows.push(rowOf(area, state));
  }
  const listed = rows.map(area.inList);
  const none = isNarrowed(cli, given)
    ? `No ${area.noun} of this machine is like that.`
    : `No ${area.noun} was begun on this machine. To begin one: ${area.begin}`;
  await cli.answer(rows, rows, { listed: () => ({ rows: listed, brief: Object.keys(listed[0] ?? {}) }), none });
};

/** Lists the movements of an area that this machine began. */
export const listOf = (area: MovementArea): Leaf => ({
  words: [area.area, 'list'],
  summary: `List the ${area.noun}s that were begun on this machine`,
  about: [
    'From the journal; no service is asked. Of all profiles, or of that of --profile. States: a final state of the',
    'service, sent, in_doubt (its transaction or card may have been sent), payable (a Pix that waits for its payer),',
    'needs_identity (its payer is to be verified),',
    'unfinished, refused, failed.',
  ],
  options: [
    { flag: '--open', says: 'Only what is not finished, or in doubt' },
    { flag: '--state', value: 'STATE', isRepeatable: true, says: 'Only in this state (repeatable)' },
    { flag: '--limit', value: 'N', says: `How many at most (default ${USUAL_LIMIT})` },
    { flag: '--all', says: 'Every one' },
  ],
  examples: [`${area.area} list`, `${area.area} list --open --json`],
  run: (cli, given) => run(area, cli, given),
});
