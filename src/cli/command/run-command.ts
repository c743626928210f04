import { isNear } from '../../core/closest.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import { assertDeclared } from '../../output/fields.ts';
import { type Globals, globalsFrom } from '../argv/globals.ts';
import { type CommandContext, newShared, openCli } from '../context/context.ts';
import { orInterrupted } from '../context/interrupt.ts';
import { assertPrivateHome } from '../context/private-home.ts';
import { isDryRun } from '../print/dry-run.ts';
import { completeNext, type Typed } from '../print/next-command.ts';
import { assertEnvelope } from '../print/print-result.ts';
import type { Command } from './command.ts';
import type { ParsedArgs } from './options.ts';

/** Checks the output options before anything is done. Throws `usage`. */
const assertOutput = async (command: Command, globals: Globals, given: ParsedArgs): Promise<void> => {
  if (isDryRun({ globals }) && !command.supportsDryRun) {
    throw new Failure('usage', `${command.words.join(' ')} is no single request: it has neither --dry-run nor --curl`, {
      hint: 'Nothing was done.',
    });
  }
  if (globals.envelope) assertEnvelope(command, given);
  if (globals.jq !== undefined) await (await import('../../output/jq.ts')).assertJq(globals.jq);
  const declared = globals.fields && !globals.envelope ? command.answers?.() : undefined;
  if (globals.fields && declared) assertDeclared(globals.fields, declared, isNear);
};

/**
 * Runs a command. At a terminal it asks for missing values; elsewhere it throws an error that lists them. A failure
 * names the next command, with the options of the same service.
 */
export const runCommand = async (io: Io, version: string, command: Command, typed: Typed): Promise<void> => {
  try {
    // `doctor` reports unsafe folders itself.
    if (!command.allowsOpenHome) await assertPrivateHome(io);
    const globals = globalsFrom(typed.given, io.env);
    await assertOutput(command, globals, typed.given);
    const shared = newShared(typed);
    const open = () => openCli(io, globals, version, shared);
    const work = runAsking(command, open, typed.given);
    await orInterrupted(io, work, shared.interruptSummaries, command.interruptGraceMs);
  } catch (error) {
    if (!isFailure(error) || error.details.next === undefined) throw error;
    const next = completeNext(typed, error.details.next);
    throw new Failure(error.code, error.sentence, { ...error.details, next, cause: error.cause });
  }
};

/** Runs a command and asks for missing values. `open` makes a new context with a full --timeout for each attempt. */
export const runAsking = async (command: Command, open: () => CommandContext, given: ParsedArgs): Promise<void> => {
  try {
    await runOrAsk(command, open, given);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { namingNext } = await import('../prompt/name-next.ts');
    throw namingNext(command, error);
  }
};

const runOrAsk = async (command: Command, open: () => CommandContext, given: ParsedArgs): Promise<void> => {
  const cli = open();
  if (!cli.io.prompt.isPossible) return command.run(cli, given);
  const printed = new Set<string>();
  const say = async (line: string) => {
    printed.add(line);
    return cli.say(line);
  };
  try {
    await command.run({ ...cli, say }, given);
  } catch (error) {
    if (!isFailure(error, 'invalid_input') || !cli.io.prompt.isPossible) throw error;
    const { askAndRun, isAskable } = await import('../prompt/ask-and-run.ts');
    if (!isAskable(error)) throw error;
    await askAndRun(command, open, { given, failure: error, printed });
  }
};
