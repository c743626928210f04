import type { Client } from '../../client/call.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { inChoice } from '../../core/remote-text.ts';
import { cleanUpJournal } from '../../journal/clean-up.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { isTerminal } from '../../journal/terminal.ts';
import type { Command } from '../command/command.ts';
import { boolArg, type Option, type ParsedArgs, stringArg } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';
import { article, type OperationArea, printReceipt } from './area.ts';
import { findOperation } from './find.ts';
import { ID } from './id.ts';
import { choiceOf } from './in-words.ts';
import { openOnes, reportDeclined, reportSkipped, sayNothingOpen, sayTakenUp } from './open-ones.ts';
import { type ResumeOne, resumeAll } from './resume-all.ts';
import { printTerminal } from './terminal.ts';

/** What an area does to take a movement up again. */
export type Resuming = Pick<Command, 'calls' | 'fails'> & {
  readonly about: readonly string[];
  readonly options: readonly Option[];
  /** Brings one to its end and gives its receipt. Throws where it waits for something, or its end is bad or unknown. */
  readonly resumeOne: ResumeOne;
  /** The receipt of one that is over. */
  readonly asEnded: Parameters<typeof printTerminal>[3];
};

const pickOne = (
  cli: CommandContext,
  { noun }: OperationArea,
  open: readonly OperationState[],
): Promise<OperationState> =>
  cli.io.prompt.select(
    `Resume which ${noun}?`,
    open.map((state) => ({ name: inChoice(choiceOf(state, cli.io.clock.now())), value: state, also: state.id })),
  );

/** Without an id the only open one is meant. */
const chooseOne = async (
  cli: CommandContext,
  area: OperationArea,
  client: Client,
): Promise<OperationState | undefined> => {
  const { open: unasked, declined, elsewhere } = await openOnes(cli, area, client);
  const open = cli.io.prompt.isPossible ? [...unasked, ...declined] : unasked;
  const [only, ...others] = open;
  if (only === undefined) {
    await reportSkipped(cli, area, elsewhere);
    await reportDeclined(cli, area, declined);
    await sayNothingOpen(cli, elsewhere.length + declined.length);
  }
  if (others.length === 0) return only;
  if (cli.io.prompt.isPossible) return pickOne(cli, area, open);
  const ids = [only, ...others].map((state) => state?.id).join(', ');
  throw new Failure('invalid_input', `several are not finished: ${ids}`, {
    errors: [{ field: 'ID', message: 'required, for there are several', option: 'ID' }],
    next: nextStep('operation.resume.all', area.area),
  });
};

/** What is missing for it is asked for: which one it is was said before. */
const choosing = (error: unknown, { id }: OperationState): unknown =>
  isFailure(error, 'invalid_input')
    ? new Failure(error.code, error.sentence, {
        ...error.details,
        chosen: { flag: ID.name, name: ID.name.toLowerCase(), value: id },
        cause: error,
      })
    : error;

const run = async (cli: CommandContext, given: ParsedArgs, area: OperationArea, resuming: Resuming): Promise<void> => {
  const id = stringArg(given, 'id');
  await cleanUpJournal(cli.io);
  if (boolArg(given, 'all')) {
    if (id !== undefined) throw new Failure('usage', 'give an ID or --all, one of them');
    if (boolArg(given, 'new-api-key')) {
      throw new Failure('usage', '--new-api-key is the word on one movement: give its ID, not --all');
    }
    return resumeAll(cli, given, area, resuming.resumeOne);
  }
  // What is over needs no service.
  const named = id === undefined ? undefined : await findOperation(cli, area, id);
  if (named && isTerminal(named)) return printTerminal(cli, area, named, resuming.asEnded);
  const client = await cli.client();
  const state = named ?? (await chooseOne(cli, area, client));
  if (state === undefined) return cli.printResult([]);
  await sayTakenUp(cli, state);
  const receipt = resuming.resumeOne(cli, given, client, state.id).catch((error: unknown) => {
    throw named ? error : choosing(error, state);
  });
  await printReceipt(area, cli.printCommitted, await receipt);
};

/** Takes up what was left unfinished. */
export const resumeLeaf = (area: OperationArea, resuming: Resuming): Command => ({
  words: [area.area, 'resume'],
  summary: `Find out what became of ${article(area.noun)} ${area.noun}, and bring it to its end`,
  about: [
    ...resuming.about,
    'Without an ID the only unfinished one is meant; at a terminal one of several is picked. It is safe to run twice, and at once.',
  ],
  arguments: [{ ...ID, isOptional: true }],
  options: [
    { flag: '--all', description: 'Every unfinished one of this service, those in doubt first' },
    ...resuming.options,
  ],
  calls: resuming.calls ?? [],
  fails: resuming.fails ?? [],
  examples: [`${area.area} resume 20260115T093000Z-0123abcd`, `${area.area} resume --all --json`],
  run: (cli, given) => run(cli, given, area, resuming),
});
