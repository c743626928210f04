import type { Client } from '../../client/call.ts';

/** A client whose deadline pauses while a prompt is open. */
export type PausableClient = {
  readonly client: Client;
  /** Runs work of the user, such as a prompt, and extends the deadline by its time. */
  readonly pauseWhile: <T>(work: () => Promise<T>) => Promise<T>;
};

/** Makes a pausable client. `moreMs` extends its deadline at once. */
export const withPauses = (client: Client, moreMs = 0): PausableClient => {
  const { clock } = client.io;
  let paused = moreMs;
  return {
    client: {
      ...client,
      get deadline() {
        return client.deadline + paused;
      },
    },
    pauseWhile: async (work) => {
      const start = clock.monotonic();
      try {
        return await work();
      } finally {
        paused += clock.monotonic() - start;
      }
    },
  };
};
