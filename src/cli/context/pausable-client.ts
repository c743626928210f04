import type { Client } from '../../client/call.ts';

/** A client whose time stands still while a person is busy. */
export type PausableClient = {
  readonly client: Client;
  /** Awaits what a person does. */
  readonly pauseWhile: <T>(work: () => Promise<T>) => Promise<T>;
};

/** Gives a client more time, and as much again as its user takes. */
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
