import type { Settings } from './bursar.ts';

const PRELOAD = new URL('kill-at.mjs', import.meta.url).href;

/** A place where the program is killed (SIGKILL): at a step of its journal, or at a call whose request contains a text. */
export type Place =
  | `journal:${string}:${'before' | 'torn' | 'written' | 'synced'}`
  | `call:${string}:${'before' | 'answered'}`;

/** Settings that kill the built program at a place. */
export const killedAt = (place: Place): Settings => ({
  env: { NODE_OPTIONS: `--import ${PRELOAD}`, BURSAR_TEST_KILL: place },
});
