import type { Command, CommandContext, EffectDoors } from '../command/command.ts';

/** The parts of a context for another run of a command. */
type Rerun = {
  readonly command: Command;
  /** The command line with the answers. */
  readonly args: readonly string[];
  /** The notes of earlier runs. */
  readonly printed: Set<string>;
  /** Runs before anything is sent, asked or printed. May throw to stop the command. */
  readonly before: () => Promise<void>;
};

/**
 * The context of a run with answers. No note is printed twice, and each effect runs `before` first. The notes of a command
 * that calls a service wait for its first effect. So they stand after the questions, in the same order as without
 * questions. `printNotes` prints those that still wait.
 */
export const contextForRerun = (cli: CommandContext, { command, args, printed, before }: Rerun) => {
  const waiting: string[] = [];
  let isWaiting = command.calls !== undefined && command.calls.length > 0;
  const printNotes = async (): Promise<void> => {
    for (const text of waiting.splice(0)) {
      if (printed.has(text)) continue;
      printed.add(text);
      await cli.printNote(text);
    }
  };
  const first =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await before();
      isWaiting = false;
      await printNotes();
      return work(...args);
    };
  // Every effect of the command, so that nothing happens before the review.
  const doors: EffectDoors = {
    client: first(cli.client),
    service: first(cli.service),
    confirm: first(cli.confirm),
    printResult: first(cli.printResult),
    printCommitted: first(cli.printCommitted),
  };
  const printNote = async (text: string): Promise<void> => {
    waiting.push(text);
    if (!isWaiting) await printNotes();
  };
  const { client, printResult } = cli;
  const beforeReview = { client, printResult };
  const context: CommandContext = { ...cli, ...doors, beforeReview, equivalentArgs: args, printNote };
  return { context, printNotes };
};
