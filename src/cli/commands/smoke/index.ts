import { loadingEach } from '../../command/command.ts';

/** Loads the `smoke` commands. */
export const loadSmoke = loadingEach({
  list: async () => (await import('./list.ts')).list,
  run: async () => (await import('./run.ts')).runCommand,
  record: async () => (await import('./record.ts')).record,
});
