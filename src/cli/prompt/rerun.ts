import type { CommandContext } from '../context/context.ts';

/** A context of a command that was asked about: its command line, what it said before, and what comes before its doors. */
export type Rerun = {
  readonly args: readonly string[];
  readonly said: Set<string>;
  /** Done before anything is sent, asked or answered. Throws where that is not to be yet. */
  readonly before: () => Promise<void>;
};

/** The same context, that tells nothing twice and does something first before it acts. */
export const contextForRerun = (cli: CommandContext, { args, said, before }: Rerun): CommandContext => {
  const first =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await before();
      return work(...args);
    };
  return {
    ...cli,
    equivalentArgs: args,
    client: first(cli.client),
    service: first(cli.service),
    confirm: first(cli.confirm),
    printResult: first(cli.printResult),
    printCommitted: first(cli.printCommitted),
    say: async (text) => {
      if (said.has(text)) return;
      said.add(text);
      await cli.say(text);
    },
  };
};
