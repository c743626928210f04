import { loadingEach } from '../../command/command.ts';

const kept = () => import('./kept.ts');

/** Loads the `webhook` commands. */
export const loadWebhook = loadingEach({
  listen: async () => (await import('./listen.ts')).listen,
  list: async () => (await kept()).list,
  show: async () => (await kept()).show,
  replay: async () => (await kept()).replay,
  prune: async () => (await kept()).prune,
});
