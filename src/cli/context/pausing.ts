import type { Client } from '../../client/call.ts';

/** A client whose time stands still while a person is busy. */
export type Pausing = {
  readonly client: Client;
  /** Awaits what a person does. */
  readonly pausing: <T>(work: () => Promise<T>) => Promise<T>;
};

/** Gives a client more time, and as much again as its user takes. */
export const withPauses = (client: Client, moreMs = 0): Pausing => {
  const { clock } = client.io;
  let paused = moreMs;
  return {
    client: {
      ...client,
      get deadline() {
        return client.deadline + paused;
      },
    },
    pausing: async (work) => {
      const start = clock.monotonic();
      try {
        return await work();
      } finally {
        paused += clock.monotonic() - start;
      }
    },
  };
};
