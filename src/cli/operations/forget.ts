import { Failure } from '../../core/failure.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import { assertMayForget } from '../../flows/policy/day.ts';
import { forgetOperation } from '../../journal/operation.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { cardSent, isTerminal, mayHaveMoved, wireStatusOf } from '../../journal/status.ts';
import type { Command } from '../command/command.ts';
import { type ParsedArgs, stringArg } from '../command/options.ts';
import { required } from '../command/required.ts';
import type { CommandContext } from '../context/context.ts';
import { askToType, ofService, serviceInWords } from '../prompt/confirming.ts';
import { article, findOperation, idOf, type OperationArea } from './area.ts';

const dangerOf = (area: OperationArea, state: OperationState): string => {
  const { id, signed } = state;
  const sent = signed.filter((part) => part.sent !== 'no').map(({ hash }) => hash);
  const hashes = cardSent(state) === 'no' ? sent : [...sent, 'a card'];
  if (isTerminal(state)) return `The record of the ${area.noun} ${id} cannot be brought back.`;
  if (hashes.length === 0) return `The ${area.noun} ${id} is unfinished, and can then not be resumed.`;
  return `The ${area.noun} ${id} may have moved money (${hashes.join(', ')}): once forgotten, nothing keeps it from being made twice.`;
};

/** Asks before a record is removed. If money may have moved, the user types the id. */
const confirm = async (cli: CommandContext, area: OperationArea, state: OperationState): Promise<void> => {
  const { id, started } = state;
  const danger = dangerOf(area, state);
  const isOpen = !isTerminal(state) && mayHaveMoved(state);
  const isYesEnough = !isOpen && cli.io.prompt.isPossible && !cli.globals.yes;
  const isSure = isYesEnough
    ? await cli.io.prompt.confirm(ofService(started, `${danger} Forget it?`))
    : ((await askToType(cli, danger, `Type ${id} to forget it (${serviceInWords(started)}):`)) ?? id) === id;
  if (!isSure) throw new Failure('declined', 'not confirmed; nothing was done');
};

const run = async (area: OperationArea, cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { ID: id } = required({ ID: stringArg(given, 'id') });
  const state = await findOperation(cli, area, id);
  const hashes = state.signed.filter(({ sent }) => sent !== 'no').map(({ hash }) => hash);
  await assertMayForget(cli.io, state.id);
  await confirm(cli, area, state);
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
  run: (cli, given) => run(area, cli, given),
});
