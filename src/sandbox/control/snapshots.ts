import { listSnapshots, restoreSnapshot, takeSnapshot } from '../../contract/control/snapshots.ts';
import { fail, succeed } from '../handlers/handler.ts';
import { handleControl } from './handler.ts';

const missing = (names: readonly string[]) => {
  const others = names.length === 0 ? 'It has none.' : `It has ${names.join(', ')}.`;
  return fail('snapshot_not_found', `The sandbox has no snapshot with this name. ${others}`);
};

/** The handlers of snapshots. Taking and restoring one wait until no other request runs. */
export const SNAPSHOT_HANDLERS = {
  [listSnapshots.id]: handleControl(listSnapshots, async ({ control }) =>
    succeed('snapshots_found', 'Snapshots by name.', { snapshots: [...(await control.snapshots())] }),
  ),
  [takeSnapshot.id]: handleControl(takeSnapshot, async ({ control }, { name }) =>
    succeed('snapshot_taken', 'The snapshot has the whole state.', await control.snapshot(name)),
  ),
  [restoreSnapshot.id]: handleControl(restoreSnapshot, async ({ control }, { name }) => {
    const restored = await control.restore(name);
    if (restored.kind === 'missing') return missing(restored.names);
    if (restored.kind === 'unusable') return fail('snapshot_unusable', `Nothing was restored: ${restored.why}.`);
    return succeed('snapshot_restored', 'The whole state and the time are those of the snapshot.', restored.view);
  }),
};
