import type { Settings } from './bursar.ts';

const PRELOAD = new URL('kill-at.mjs', import.meta.url).href;

/**
 * A place where the program is killed (SIGKILL): at a step of its journal, at a call whose request contains a
 * text, or at a step of `webhook listen`.
 */
export type Place =
  | `journal:${string}:${'before' | 'torn' | 'written' | 'synced'}`
  | `call:${string}:${'before' | 'answered'}`
  | `webhook:store${string}:${'before' | 'torn' | 'written' | 'synced'}`
  | `webhook:answer${string}:sent`
  | `webhook:remove${string}:${'before' | 'after'}`;

/** A place where the program is stopped (SIGSTOP), until the test continues it. Steps are those of a journal in PostgreSQL. */
export type StopPlace = `journal:${string}:${'stopped' | 'stored'}` | `call:${string}:stopped`;

/** Settings that stop the built program at a place. */
export const stoppedAt = (place: StopPlace): Settings => killedAt(place as Place);

/** Settings that interrupt the built program (SIGINT) once a step of its journal is stored. */
export const interruptedAt = (step: string): Settings => killedAt(`journal:${step}:interrupted` as Place);

/** Settings that kill the built program at a place. */
export const killedAt = (place: Place): Settings => ({
  env: { NODE_OPTIONS: `--import ${PRELOAD}`, BURSAR_TEST_KILL: place },
});
