import type { Client } from '../../client/call.ts';
import type { CommandContext } from '../command/command.ts';

/**
 * The context of a command inside another one that was confirmed as a whole: it asks nothing, prints nothing, and keeps
 * its result.
 */
export const silent = (cli: CommandContext, client: Client) => {
  let result: unknown;
  const keep = async (value: unknown): Promise<void> => {
    result = value;
  };
  const nothing = async (): Promise<void> => undefined;
  const io = {
    ...client.io,
    prompt: { ...client.io.prompt, isPossible: false },
    spin: <T>(_: unknown, work: Promise<T>) => work,
  };
  const silentClient: Client = {
    ...client,
    io,
    // The deadline may move.
    get deadline() {
      return client.deadline;
    },
  };
  const own: CommandContext = {
    ...cli,
    io,
    globals: { ...cli.globals, yes: true, quiet: true, json: true, envelope: false, fields: undefined, jq: undefined },
    trace: client.trace,
    // The run as a whole was confirmed. A doubt of a review still refuses, because no prompt can confirm it.
    confirm: async () => true,
    printNote: nothing,
    printNoteOnce: nothing,
    client: async () => silentClient,
    service: async () => client.service,
    printResult: keep,
    printCommitted: keep,
  };
  return { cli: own, result: () => result };
};
