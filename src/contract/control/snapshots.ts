import { list, moment, noted, text } from '../fields.ts';
import { count, defineControl, record } from './define.ts';

/** The name of a snapshot without another one. */
export const DEFAULT_SNAPSHOT = 'default';

const nameOf = (description: string) =>
  noted(
    text(description).regex(
      /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
      'must be letters, digits, _ or -, at most 64, and begin with a letter or a digit',
    ),
    { description },
  );

const snapshot = record(
  {
    name: text('Name of the snapshot'),
    taken_at: moment("When it was taken, by the sandbox's clock (ISO 8601)"),
    machine_time: moment('The same by the clock of the machine (ISO 8601)'),
    bytes: count('Size of the snapshot in bytes'),
  },
  'A snapshot of the whole sandbox',
  'Snapshot',
);

const EXAMPLE = {
  name: DEFAULT_SNAPSHOT,
  taken_at: '2026-11-20T10:00:00.000Z',
  machine_time: '2026-11-20T10:00:00.000Z',
  bytes: 52_000,
};

/** Lists the snapshots by name. */
export const listSnapshots = defineControl({
  id: 'snapshot.list',
  method: 'GET',
  path: '/_sandbox/snapshot',
  summary: 'List the snapshots of the sandbox',
  effect: 'reads',
  success: {
    snapshots_found: {
      http: 200,
      data: record({ snapshots: list(snapshot, 'Snapshots by name') }, 'The snapshots'),
      example: { snapshots: [EXAMPLE] },
    },
  },
});

/** Takes a snapshot of the whole state between two requests. A snapshot with the same name is replaced. */
export const takeSnapshot = defineControl({
  id: 'snapshot.take',
  method: 'POST',
  path: '/_sandbox/snapshot',
  summary: 'Take a snapshot of the whole sandbox',
  effect: 'writes',
  body: { name: nameOf('Name of the snapshot').default(DEFAULT_SNAPSHOT) },
  success: { snapshot_taken: { http: 200, data: snapshot, example: EXAMPLE } },
  example: { name: DEFAULT_SNAPSHOT },
});

/** Restores the whole state of a snapshot, and its time. Equal calls then have equal results, such as ids and hashes. */
export const restoreSnapshot = defineControl({
  id: 'snapshot.restore',
  method: 'POST',
  path: '/_sandbox/restore',
  summary: 'Restore a snapshot of the whole sandbox',
  effect: 'writes',
  body: { name: nameOf('Name of the snapshot').default(DEFAULT_SNAPSHOT) },
  success: { snapshot_restored: { http: 200, data: snapshot, example: EXAMPLE } },
  errors: { snapshot_not_found: 404, snapshot_unusable: 409 },
  example: { name: DEFAULT_SNAPSHOT },
});
