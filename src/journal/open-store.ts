import { once } from '../core/once.ts';
import type { Io, JournalName, Places } from '../io/io.ts';
import { folderStore } from './file-store.ts';
import { assertNotMoved, assertNotMoving, BURSAR_JOURNAL } from './moved.ts';
import type { Store } from './store.ts';

/** How long an operation or an intent waits for its claim: the other process may release it shortly. */
export const CLAIM_PATIENCE_MS = 300;

/** The journal in a database that the user named; `undefined` for the folder of this home. */
export const journalName = async (io: Io): Promise<JournalName | undefined> => {
  const url = io.env['BURSAR_JOURNAL'];
  return url ? { url, source: BURSAR_JOURNAL } : io.journal?.();
};

const postgres = once(() => import('./postgres/open.ts'));

/** The homes whose folder had not moved when this process opened the journal. Each later claim on the folder looks again. */
const unmoved = new WeakSet<Places>();

/**
 * Throws `bad_settings` if the operations of the folder are moving, or have moved and no database is named. Call it before a
 * command that records its result asks the service.
 */
export const assertJournalHere = async (io: Io): Promise<void> => {
  if (unmoved.has(io.places)) return;
  await ((await journalName(io)) ? assertNotMoving : assertNotMoved)(io);
  unmoved.add(io.places);
};

/** The store of the journal: the folder of this home, or the database that the user named. Throws as
 * `openStore` and `assertJournalHere`. */
export const storeOf = async (io: Io): Promise<Store> => {
  await assertJournalHere(io);
  const name = await journalName(io);
  return name ? (await postgres()).openStore(io, name) : folderStore(io);
};
