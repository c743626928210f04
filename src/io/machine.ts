import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { interrupted } from '../core/failure.ts';
import type { Clock, Io, Places } from './io.ts';

/** A clock from two sources, both in milliseconds: the time since 1970, and since any fixed point. */
export const clockFrom = (now: () => number, monotonic: () => number): Clock => ({ now, monotonic, sleep });

const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(interrupted());
    const onAbort = () => {
      clearTimeout(timer);
      reject(interrupted());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** The folders of bursar. BURSAR_HOME contains all; otherwise they follow the XDG specification, which ignores relative paths. */
export const placesFrom = (env: Io['env'], home = homedir()): Places => {
  const own = env['BURSAR_HOME'];
  if (own) {
    return { config: own, state: join(own, 'state'), cache: join(own, 'cache'), sandbox: join(own, 'sandbox') };
  }
  const base = (name: string, fallback: string): string => {
    const given = env[name];
    return join(given?.startsWith('/') ? given : join(home, fallback), 'bursar');
  };
  const state = base('XDG_STATE_HOME', '.local/state');
  return {
    config: base('XDG_CONFIG_HOME', '.config'),
    state,
    cache: base('XDG_CACHE_HOME', '.cache'),
    sandbox: join(state, 'sandbox'),
  };
};

/** The working folder. A deleted folder has no path; PWD is the last known one. */
export const workingFolder = (host: NodeJS.Process): string => {
  try {
    return host.cwd();
  } catch {
    const { PWD = '' } = host.env;
    return isAbsolute(PWD) ? PWD : '/';
  }
};

/** Variables that contain a secret itself, and not the name of its file. */
const SECRETS = ['BURSAR_API_KEY', 'BURSAR_KEY_PASSWORD'];

/**
 * Copies the environment of a process, and removes the secrets from the process. Child processes would get them, and so
 * would Node's diagnostic reports (`--report-on-signal`, `--report-uncaught-exception`).
 */
export const takeEnvironment = (host: NodeJS.ProcessEnv): Io['env'] => {
  const env = { ...host };
  for (const name of SECRETS) delete host[name];
  return env;
};
