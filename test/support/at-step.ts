import type { Settings } from './bursar.ts';

const PRELOAD = new URL('at-step.mjs', import.meta.url).href;

/**
 * Settings under which the built program is killed (SIGKILL) before a step of the journal is written, in the middle of
 * it or after it is on the disk; under which it is interrupted (SIGINT) after that; or under which that write fails as a
 * full or broken disk does, or takes four seconds.
 */
export const atStep = (
  step: string,
  what: 'before' | 'torn' | 'after' | 'interrupt' | 'EIO' | 'ENOSPC' | 'slow',
): Settings => ({
  env: { NODE_OPTIONS: `--import ${PRELOAD}`, BURSAR_TEST_AT_STEP: `${step}:${what}` },
});
