import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Io, Places } from './io.ts';

/**
 * The folders that bursar owns. BURSAR_HOME puts all in one; otherwise the XDG base directories apply,
 * where a relative path does not count, as their specification says.
 */
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
