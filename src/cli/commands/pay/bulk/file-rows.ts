import type { Row, RowFile } from '../../../../bulk/rows.ts';
import type { Client } from '../../../../client/call.ts';
import { Failure } from '../../../../core/failure.ts';
import type { CommandContext } from '../../../command/command.ts';
import { silent } from '../../../context/silent.ts';
import type { CheckedFile } from './check.ts';
import { settleEarlier } from './doubts.ts';
import { payRow } from './pay-row.ts';
import { type PlannedRow, planRow, type RowSettings } from './plan-row.ts';
import type { RowSource } from './run-rows.ts';

/** A file that was checked. */
export type FileToPay = {
  readonly client: Client;
  readonly file: RowFile;
  readonly settings: RowSettings;
  readonly checked: CheckedFile;
};

/** A file that changed between its check and its payment is paid no further. */
const changed = (line: number): Failure =>
  new Failure('unreadable_file', `line ${line} has changed since the file was checked`, {
    hint: 'No payment was started for it. Run the command again: it checks the file anew.',
  });

/** Plans the rows of the second pass, without some. A row that is not as it was checked ends it. */
export const plannedRows = (cli: CommandContext, { client, file, settings, checked }: FileToPay) => {
  const inner = silent(cli, client).cli;
  const plan = async (row: Row): Promise<PlannedRow> => {
    const planned = await planRow(inner, settings, row);
    if ('pays' in planned) return planned;
    throw changed(row.line);
  };
  const rows = async function* (without: ReadonlySet<string>): AsyncGenerator<PlannedRow> {
    for await (const row of file.rows()) {
      if (row.kind === 'problem' || !checked.isUnchanged(row)) throw changed(row.line);
      if (!without.has(row.id)) yield plan(row);
    }
  };
  return { plan, rows };
};

/** The rows of a file that was checked and confirmed. Those in doubt are settled first. */
export const fileRows = (cli: CommandContext, toPay: FileToPay): RowSource => {
  const { rows: total, doubts } = toPay.checked;
  const { plan, rows } = plannedRows(cli, toPay);
  return {
    total: () => total,
    settle: (run) =>
      settleEarlier(run, doubts, async (row) => {
        const planned = await plan(row);
        await payRow(run, planned, planned.keys[0], () => undefined);
      }),
    rows: () => rows(new Set(doubts.map(({ id }) => id))),
  };
};
