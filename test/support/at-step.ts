import type { Settings } from './bursar.ts';

const PRELOAD = new URL('at-step.mjs', import.meta.url).href;

/**
 * Settings that disturb the built program at a step of its journal. `before`, `torn` and `after` kill it (SIGKILL) before the
 * step, within it, or after its sync. `EIO` and `ENOSPC` make the write fail. `slow`
 * delays the write by 30 seconds.
 */
export const atStep = (step: string, effect: 'before' | 'torn' | 'after' | 'EIO' | 'ENOSPC' | 'slow'): Settings => ({
  env: { NODE_OPTIONS: `--import ${PRELOAD}`, BURSAR_TEST_AT_STEP: `${step}:${effect}` },
});
