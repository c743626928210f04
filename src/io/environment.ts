import type { Io } from './io.ts';

/** Variables that hold a secret, and not the name of a file that does. */
const SECRETS = ['BURSAR_API_KEY', 'BURSAR_KEY_PASSWORD'];

/**
 * The environment that a process was started with. The secrets in it are taken out of the process itself: otherwise a
 * diagnostic report of Node (`--report-on-signal`, `--report-uncaught-exception`) holds them, and every program that
 * is started from here gets them.
 */
export const takeEnvironment = (host: NodeJS.ProcessEnv): Io['env'] => {
  const env = { ...host };
  for (const name of SECRETS) delete host[name];
  return env;
};
