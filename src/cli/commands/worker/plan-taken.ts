import type { Job } from '../../../bulk/queue/jobs.ts';
import type { TakenRow } from '../../../bulk/queue/names.ts';
import type { RowChange } from '../../../bulk/results.ts';
import type { Row } from '../../../bulk/rows.ts';
import type { Client } from '../../../client/call.ts';
import { Failure } from '../../../core/failure.ts';
import { inSentence, isSameText } from '../../../core/text.ts';
import type { CommandContext } from '../../command/command.ts';
import { silent } from '../../context/silent.ts';
import { isPaid, type PlannedRow, type PoolKey, planRow, type RowSettings } from '../pay/bulk/plan-row.ts';
import { differencesIn, planText } from '../pay/bulk/put.ts';
import type { BulkRun } from '../pay/bulk/row-context.ts';
import type { Budget } from './budget.ts';
import type { OwnWallets } from './own-wallets.ts';

/** A row that this process works on. `wasStarted`: by an earlier worker. `change` is its last one. */
export type OwnRow = {
  readonly taken: TakenRow;
  readonly row: Row;
  wasStarted: boolean;
  isSent: boolean;
  change: RowChange | undefined;
};

/** The name of a row in this process. Another job may have the same row. */
export const keyOf = ({ batch, row }: Job): string => `${batch} ${row}`;

/** What the plan of a row depends on. `refuse` gives it back without an attempt. */
type Planning = {
  readonly client: Client;
  readonly settings: RowSettings;
  readonly wallets: OwnWallets;
  readonly budget: Budget;
  readonly refuse: (run: BulkRun, row: OwnRow, message: string, isOfAnother?: boolean) => Promise<undefined>;
};

/** Plans taken rows with the wallets of a worker. `undefined` for a row that it does not pay. */
export const takenPlanner = (cli: CommandContext, { client, settings, wallets, budget, refuse }: Planning) => {
  const inner = silent(cli, client).cli;
  /** Gives a row back, and this worker stops: another one may be set up as the command that filled the queue was. */
  const stopAt = (run: BulkRun, row: OwnRow, message: string): Promise<undefined> => {
    const { batch = '', id } = row.row;
    run.stop(
      new Failure('invalid_input', `the row ${inSentence(id)} of ${inSentence(batch)} cannot be paid here: ${message}`),
    );
    return refuse(run, row, message);
  };
  return async (run: BulkRun, ownRow: OwnRow): Promise<PlannedRow | undefined> => {
    const { taken, row } = ownRow;
    const isAllowed = ({ address = '' }: PoolKey): boolean =>
      taken.wallets.some((wallet) => isSameText(wallet, address)) && wallets.isOwn(address);
    const [hasWallet, pool] = [taken.wallets.length > 0, settings.pool.filter(isAllowed)];
    if (hasWallet && pool.length === 0) return refuse(run, ownRow, 'this worker has none of its wallets');
    const rowSettings = { ...settings, batch: taken.batch, pool: hasWallet ? pool : settings.pool };
    const planned = await planRow(inner, rowSettings, row);
    if (!('pays' in planned)) {
      const message = [planned[0]?.column, planned[0]?.message].filter(Boolean).join(': ');
      const isOfAnother = planned[0]?.isOfAnother === true && pool.length < taken.wallets.length;
      return isOfAnother ? refuse(run, ownRow, message, true) : stopAt(run, ownRow, message);
    }
    if (isPaid(planned)) return planned;
    const differences = differencesIn(planText(planned), taken.plan);
    if (differences.length > 0 || planned.keys.length > 0 !== hasWallet) {
      const what = inSentence(differences.join(', ') || 'transaction_type');
      const message = `it would ask for another ${what} than the command that filled the queue. State it in the file, or set it in both profiles`;
      return stopAt(run, ownRow, message);
    }
    const { pays } = planned;
    if (pays.method === 'pix' || budget.take(keyOf(taken.job), pays)) return planned;
    run.stop(budget.refusal(cli, pays));
    return refuse(run, ownRow, `it is not within --max-total of ${inSentence(pays.token)} of this worker`);
  };
};
