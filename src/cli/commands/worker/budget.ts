import type { TakenRow } from '../../../bulk/queue/names.ts';
import type { RowChange } from '../../../bulk/results.ts';
import { compareDecimals, fromUnits, parseDecimal, sumDecimals, toUnits } from '../../../core/decimal.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep, variable } from '../../../core/next.ts';
import { inSentence, isSameText } from '../../../core/text.ts';
import type { CommandContext } from '../../command/command.ts';
import type { AmountLimits } from '../../operations/amount-limits.ts';
import { repeated } from '../../print/next-command.ts';
import type { RowAmount } from '../pay/bulk/plan-row.ts';

/** Whether a row may have moved its amount: bytes that were sent may do so whatever the service says of them, and so a charge. */
const movedBy = ({ wallets }: TakenRow, { status, tid_hash, payment_id }: RowChange): boolean =>
  status === 'paid' ||
  status === 'in_doubt' ||
  tid_hash !== undefined ||
  (wallets.length === 0 && payment_id !== undefined);

const difference = (of: string, without: string): string => {
  const scale = Math.max(parseDecimal(of).scale, parseDecimal(without).scale);
  return fromUnits(toUnits(of, scale) - toUnits(without, scale), scale);
};

/** What a worker pays of each token, within its limits. Rows are named by a key. */
export const newBudget = (limits: AmountLimits) => {
  const [paid, returned] = [new Map<string, string>(), new Map<string, string>()];
  /** The rows that are counted: those in hand, and those that were given back and may have moved their amount. */
  const counted = new Map<string, { readonly pays: RowAmount; mayHaveMoved: boolean }>();
  const limitOf = (token: string) => limits.find((each) => isSameText(each.token, token));
  const plus = (sums: ReadonlyMap<string, string>, token: string, amount: string): string =>
    sumDecimals([sums.get(token.toLowerCase()) ?? '0', amount]);
  return {
    /** The failure of a worker whose next row is not within its limits. */
    refusal: (cli: CommandContext, { token, amount }: RowAmount): Failure => {
      const [limit, row] = [limitOf(token), `the next row pays ${amount} ${inSentence(token)}`];
      const again = repeated(cli.typed);
      if (limit === undefined)
        return new Failure('refused_by_review', `${row}, and there is no --max-total of ${inSentence(token)}`, {
          hint: `MAX_TOTAL is AMOUNT=${inSentence(token)}.`,
          next: nextStep('again', [...again, '--max-total', variable('MAX_TOTAL')]),
        });
      const left = difference(plus(returned, token, limit.amount), paid.get(token.toLowerCase()) ?? '0');
      const bound = `--max-total of ${inSentence(token)}: ${left} of ${limit.amount} is left`;
      return new Failure('refused_by_review', `${row}, which is above ${bound}`, { next: nextStep('again', again) });
    },
    /** Counts a row once. False, and it is not counted, if it is above the limit. */
    take: (key: string, pays: RowAmount): boolean => {
      if (counted.has(key)) return true;
      const { token, amount } = pays;
      const [sum, limit] = [plus(paid, token, amount), limitOf(token)];
      if (limit === undefined || compareDecimals(sum, plus(returned, token, limit.amount)) > 0) return false;
      paid.set(token.toLowerCase(), sum);
      counted.set(key, { pays, mayHaveMoved: false });
      return true;
    },
    /** A row left this worker. What it did not move is free again. `isFinal`: it does not come back. */
    leave: (key: string, taken: TakenRow, change: RowChange | undefined, isFinal: boolean): void => {
      const row = counted.get(key);
      if (row === undefined) return;
      // What an earlier attempt may have moved stays counted.
      row.mayHaveMoved ||= change !== undefined && movedBy(taken, change);
      const { token, amount } = row.pays;
      if (!row.mayHaveMoved) returned.set(token.toLowerCase(), plus(returned, token, amount));
      if (isFinal || !row.mayHaveMoved) counted.delete(key);
    },
  };
};

/** The budget of a worker. */
export type Budget = ReturnType<typeof newBudget>;
