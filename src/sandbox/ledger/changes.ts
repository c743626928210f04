import type { Ledger } from './ledger.ts';

/** How many rows were changed since the ledger was opened: the same number means that it is as it was. */
export const changesOf = async (ledger: Ledger): Promise<number> => {
  const row = await ledger
    .selectNoFrom(({ fn }) => fn<number>('total_changes', []).as('changes'))
    .executeTakeFirstOrThrow();
  return row.changes;
};
