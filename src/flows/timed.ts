import type { Client } from '../client/call.ts';

/** Runs a step and measures its time. */
export const timed = async <T>(
  { client }: { readonly client: Client },
  work: () => Promise<T>,
): Promise<readonly [T, number]> => {
  const { clock } = client.io;
  const start = clock.monotonic();
  const result = await work();
  return [result, clock.monotonic() - start];
};
