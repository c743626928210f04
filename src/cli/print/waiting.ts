import { type FailureCode, isFailure } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import type { CommandContext } from '../context/context.ts';
import type { View } from './print-result.ts';

/** What a person is told while nothing else is. */
export const WAITING_LABEL = 'Waiting (Ctrl-C ends the wait alone)';

/**
 * Says a change of state on stderr: with --json as a line of JSON (NDJSON), otherwise as `asText` says it. stdout keeps
 * one document: how many states were seen depends on chance, and a script reads one answer.
 */
export const sayingStates =
  <T>(cli: CommandContext, asDocument: (value: T) => object, asText: (value: T) => Promise<void>) =>
  async (value: T): Promise<void> => {
    const { io, globals } = cli;
    if (!globals.json) return asText(value);
    const at = new Date(io.clock.now()).toISOString();
    if (!globals.quiet) await io.stderr.write(`${printJson({ ...asDocument(value), at })}\n`);
  };

/** Answers with the end of a wait. The last state is an answer too; as JSON it is part of the failure's document. */
export const answerWait = async (
  cli: CommandContext,
  work: Promise<unknown>,
  card: (value: unknown) => ReturnType<NonNullable<View['card']>>,
  ...ends: readonly FailureCode[]
): Promise<void> => {
  const print = (value: unknown) => cli.printResult(value, value, { card: () => card(value) });
  try {
    await print(await work);
  } catch (error) {
    const isEnd = isFailure(error) && ends.includes(error.code) && error.details.data !== undefined;
    if (isEnd && !cli.globals.failsAsJson) await print(error.details.data);
    throw error;
  }
};
