import type { Job } from '../../../bulk/queue/jobs.ts';
import type { DamagedRow } from '../../../bulk/queue/queue.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { inSentence } from '../../../core/text.ts';
import type { BulkRun } from '../pay/bulk/row-context.ts';

const nameOf = ({ batch, id }: DamagedRow): string => {
  const row = id === undefined ? 'a row' : `row ${inSentence(id)}`;
  return `${row} of ${batch === undefined ? 'an unknown batch' : inSentence(batch)}`;
};

const CHANGED = 'the sealed text was changed, or is of another journal';

/** The rows of a queue that somebody changed. Each is reported once, and keeps no other row waiting. */
export const damagedRows = () => {
  const found = new Map<string, DamagedRow>();
  return {
    add: async (run: BulkRun, rows: readonly DamagedRow[]): Promise<void> => {
      for (const row of rows) {
        if (found.has(row.job.id)) continue;
        found.set(row.job.id, row);
        const place = { kind: 'row', row: 0, line: 0, id: nameOf(row), fields: {}, digest: '' } as const;
        await run.warn(place, `${CHANGED}. It is not paid`);
      }
    },
    jobs: (): readonly Job[] => [...found.values()].map(({ job }) => job),
    /** The failure of a worker that met such rows; `undefined` without one. */
    failure: (): Failure | undefined => {
      const rows = [...found.values()];
      const [first] = rows;
      if (first === undefined) return undefined;
      const others = rows.length > 1 ? ` and ${rows.length - 1} more` : '';
      const batch = rows.flatMap((row) => row.batch ?? [])[0];
      return new Failure('journal_damaged', `${nameOf(first)}${others} cannot be read: ${CHANGED}`, {
        data: { damaged: rows.map((row) => ({ batch: row.batch ?? null, id: row.id ?? null })) },
        hint: 'Somebody changed the database, or restored a part of it. These rows were not paid. The next command ends them, and those of the batch that no worker has started. Put the file again after it.',
        ...(batch !== undefined && { next: nextStep('again', ['pay', 'bulk-withdraw', batch]) }),
      });
    },
  };
};
