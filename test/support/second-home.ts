import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ended, Settings, Started } from './bursar.ts';
import { startBursar } from './bursar.ts';
import { SANDBOX_ENV } from './cheap-key.ts';
import type { Case } from './crash.ts';
import type { PostgresJournal } from './test-journal.ts';

/** A home of another machine: with the same keys, service and files, and its own state. */
export type SecondHome = {
  readonly home: string;
  readonly start: (args: readonly string[], settings?: Settings) => Started;
  readonly bursar: (args: readonly string[], settings?: Settings) => Promise<Ended>;
};

/** Copies a home without its state; with `journal`, it joins that journal. Removed after the test. */
export const secondHome = async (
  { home: first }: Pick<Case, 'home'>,
  journal: PostgresJournal,
  hasKey = true,
): Promise<SecondHome> => {
  const home = await mkdtemp(join(tmpdir(), 'bursar-second-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const own = join(first, 'state');
  await cp(first, home, { recursive: true, filter: (path) => !path.startsWith(own) });
  if (hasKey) await journal.join(home);
  const start: SecondHome['start'] = (args, settings = {}) =>
    startBursar(home, args, { ...settings, env: { ...SANDBOX_ENV, ...journal.env, ...settings.env } });
  return { home, start, bursar: (args, settings) => start(args, settings).ended };
};
