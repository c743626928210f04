import { DEFAULT_SNAPSHOT, listSnapshots, restoreSnapshot, takeSnapshot } from '../../../contract/control/snapshots.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { boolArg, stringArg } from '../../command/options.ts';
import { controlCommand } from './control.ts';

const CONTENT = 'A snapshot has the ledger, every chain, the clock, the inbox, the faults and the webhooks.';

/** `sandbox snapshot`. */
export const snapshot = controlCommand({
  verb: 'snapshot',
  summary: takeSnapshot.summary,
  about: [
    CONTENT,
    'It replaces a snapshot with the same name. It stays over restarts and resets.',
    'An ephemeral sandbox keeps its snapshots in memory.',
  ],
  controls: [takeSnapshot, listSnapshots],
  arguments: [{ name: 'NAME', description: 'Name of the snapshot', isOptional: true, usual: 'default' }],
  options: [{ flag: '--list', description: 'List the snapshots, and take none' }],
  examples: ['sandbox snapshot', 'sandbox snapshot funded', 'sandbox snapshot --list'],
  run: async (cli, given, call) => {
    const name = stringArg(given, 'name');
    if (!boolArg(given, 'list')) return cli.printCommitted(await call(takeSnapshot, { name }));
    if (name !== undefined) throw new Failure('usage', '--list takes no NAME');
    const { snapshots } = await call(listSnapshots);
    return cli.printResult(snapshots, snapshots, {
      none: 'There is no snapshot. To take one: bursar sandbox snapshot',
    });
  },
});

/** `sandbox restore`. */
export const restore = controlCommand({
  verb: 'restore',
  summary: restoreSnapshot.summary,
  about: [
    CONTENT,
    'The clock shows the time of the snapshot again. The same calls then have the same ids, nonces and hashes.',
    'The journal of this home loses the operations and smoke runs in the sandbox that were started after the snapshot.',
    'It asks first; --yes answers.',
  ],
  controls: [restoreSnapshot, listSnapshots],
  fails: ['not_final'],
  arguments: [{ name: 'NAME', description: 'Name of the snapshot', isOptional: true, usual: 'default' }],
  examples: ['sandbox restore', 'sandbox restore funded --yes'],
  run: async (cli, given, call) => {
    const name = stringArg(given, 'name') ?? DEFAULT_SNAPSHOT;
    const { snapshots } = await call(listSnapshots);
    const found = snapshots.find((one) => one.name === name);
    if (found === undefined)
      throw new Failure('not_found', `the sandbox has no snapshot with this name: ${name}`, {
        status: 'snapshot_not_found',
        next: nextStep('sandbox.snapshots'),
      });
    if (!(await cli.confirm(`Replace the state of the sandbox by the snapshot ${name}?`))) {
      throw new Failure('declined', 'not confirmed; nothing was changed');
    }
    const { forgetUndone } = await import('./undone-records.ts');
    const since = Date.parse(found.machine_time);
    const { result, operations, removed } = await forgetUndone(cli.io, since, () => call(restoreSnapshot, { name }));
    await cli.printCommitted({ ...result, removed_operations: operations });
    if (removed !== '') await cli.printNote(`removed from the journal, because the restore undid them: ${removed}`);
  },
});
