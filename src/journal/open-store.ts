import { once } from '../core/once.ts';
import type { Io, JournalName, Places } from '../io/io.ts';
import { folderStore } from './file-store.ts';
import { assertNotMoved } from './moved.ts';
import type { Store } from './store.ts';

/** How long an operation or an intent waits for its claim: the other process may release it shortly. */
export const CLAIM_PATIENCE_MS = 300;

/** The variable that names a journal in a database. */
export const BURSAR_JOURNAL = 'BURSAR_JOURNAL';

/** The journal in a database that the user named; `undefined` for the folder of this home. */
export const journalName = async (io: Io): Promise<JournalName | undefined> => {
  const url = io.env[BURSAR_JOURNAL];
  return url ? { url, source: BURSAR_JOURNAL } : io.journal?.();
};

const postgres = once(() => import('./postgres/open.ts'));

/** The homes whose folder had not moved when this process opened it. Each later claim looks again. */
const unmoved = new WeakSet<Places>();

/** The store of the journal: the folder of this home, or the database that the user named. Throws as
 * `openStore` and `assertNotMoved`. */
export const storeOf = async (io: Io): Promise<Store> => {
  const name = await journalName(io);
  if (name !== undefined) return (await postgres()).openStore(io, name);
  if (!unmoved.has(io.places)) await assertNotMoved(io);
  unmoved.add(io.places);
  return folderStore(io);
};
