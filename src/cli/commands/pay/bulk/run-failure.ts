import type { RowChange, RowState } from '../../../../bulk/results.ts';
import { EXIT, FAILURES, Failure } from '../../../../core/failure.ts';
import { type NextStep, nextStep } from '../../../../core/next.ts';
import type { CommandContext } from '../../../command/command.ts';
import { repeated } from '../../../print/next-command.ts';

/** The states of rows at the end of a run. `pending`: not started, or not final yet. */
export type Summary = { readonly rows: number } & Readonly<Record<Exclude<RowState, 'invalid'>, number>>;

/** The order of the states in words. */
export const ORDER = ['paid', 'skipped', 'failed', 'in_doubt', 'held', 'pending'] as const;

/** A state in words. */
export const inWords = (state: string): string => state.replace('_', ' ');

/** The last changes of rows that need attention, by row: those in doubt, and some of those that are held or failed. */
export type Attention = {
  readonly doubts: Map<string, RowChange>;
  readonly held: Map<string, RowChange>;
  readonly failed: RowChange[];
  /** The payments of failed rows that are over: their rows are not paid again under their ids. */
  readonly ended: Map<string, string | undefined>;
  /** Whether the service has a payment that this run worked on. */
  hasStarted: boolean;
};

/** What a report knows of a run. `cut`: the rows that an interrupt kept from their end. */
type Ended = { readonly summary: () => Summary; readonly attention: Attention; readonly cut: () => number };

/** The counts of states in words, such as "8 paid, 1 failed". */
export const countsInWords = (counts: Readonly<Record<string, unknown>>, states: readonly string[] = ORDER): string =>
  states
    .filter((state) => Number(counts[state]) > 0)
    .map((state) => `${counts[state]} ${inWords(state)}`)
    .join(', ');

/** The wallets of held rows. A row that several wallets may pay has none of its own. */
const walletsOf = ({ held }: Attention): readonly (string | undefined)[] => [
  ...new Set([...held.values()].map(({ wallet }) => wallet)),
];

const attentionData = (attention: Attention) => ({
  doubtful: [...attention.doubts.values()].map(({ row, id, payment_id, tid_hash }) => ({
    row,
    id,
    payment_id,
    tid_hash,
  })),
  held_rows: walletsOf(attention).map((own) => ({
    wallet: own ?? null,
    rows: [...attention.held.values()].flatMap(({ row, id, wallet }) => (wallet === own ? [{ row, id }] : [])),
  })),
  first_failed: attention.failed.map(({ row, id, exit, error }) => ({ row, id, exit, error })),
});

/** The next command of a run that stopped: that of the failure, unless it is about one payment. */
const nextAfter = (next: NextStep | undefined, again: NextStep): NextStep =>
  next === undefined || /^(operation|pay|kyc)\./.test(next.id) ? again : next;

/** Money may have moved: names the first row in doubt, how many others there are, and the rows behind them. */
const doubtFailure = (summary: Summary, attention: Attention) => {
  const [first] = attention.doubts.values();
  const payment = `payment ${first?.payment_id ?? 'unknown'}`;
  const which = first && first.row > 0 ? `row ${first.row} (${first.id}, ${payment})` : `${first?.id} (${payment})`;
  const others = summary.in_doubt - 1;
  const more = others > 0 ? `, and so ${others === 1 ? 'is 1 other payment' : `are ${others} other payments`}` : '';
  const wallets = walletsOf(attention).length;
  const where = wallets > 1 ? `, in ${wallets} wallets` : '';
  const behind = summary.held > 0 ? ` ${summary.held} rows are held behind ${others > 0 ? 'them' : 'it'}${where}.` : '';
  return {
    message: `money may have moved: ${which} is in doubt${more}. ${countsInWords(summary)}`,
    hint: `Do not pay ${others > 0 ? 'them' : 'it'} again.${behind} The same command settles rows in doubt first, and pays none twice.`,
  };
};

/**
 * The failure of a run, by its most serious row; `undefined` if all rows are paid. `stopped` ended the run before its last
 * row.
 */
export const failureOfRun = (
  cli: CommandContext,
  { summary: sum, attention, cut }: Ended,
  stopped: Failure | undefined,
  retryHint?: string,
): Failure | undefined => {
  const summary = sum();
  const counts = countsInWords(summary);
  const again = nextStep('again', repeated(cli.typed));
  const data = { ...summary, ...attentionData(attention) };
  const failure = (code: Failure['code'], message: string, hint: string): Failure =>
    new Failure(code, message, { data, hint, next: again });
  if (summary.in_doubt > 0) {
    const { message, hint } = doubtFailure(summary, attention);
    return failure('outcome_unknown', message, hint);
  }
  if (cli.io.interrupted.aborted && cut() > 0)
    return failure('interrupted', `interrupted: ${counts}`, 'The same command goes on with the rows that are left.');
  if (stopped) {
    const { code, details } = stopped;
    // Exit 2 means that nothing was sent.
    const isLate = attention.hasStarted && FAILURES[code] === EXIT.usage;
    // The same command would fail the same until the journal is whole again.
    const isOfJournal = code === 'journal_damaged' || code === 'journal_unwritable';
    const goesOn = !isOfJournal && 'The same command goes on with the rows that are left.';
    return new Failure(isLate ? 'not_final' : code, `the run stopped: ${stopped.sentence}${counts && ` (${counts})`}`, {
      ...details,
      data,
      hint: [goesOn, details.hint].filter(Boolean).join(' '),
      next: isOfJournal ? details.next : nextAfter(details.next, again),
    });
  }
  if (summary.failed > 0) {
    const { ended } = attention;
    // A payment that was removed cannot be looked at.
    const look = [...ended.values()].find((id) => id !== undefined);
    const hasOthers = ended.size < summary.failed + summary.held + summary.pending;
    const another =
      look === undefined
        ? 'The ids of removed payments are not paid again.'
        : `Look at each payment that ended in error, such as bursar pay show ${look}. If no money moved, give its row another id.`;
    const retry = retryHint ?? 'The same command tries the others again.';
    const lookUp = look === undefined ? nextStep('help', 'pay', 'bulk') : nextStep('operation.show', 'pay', look);
    const next = hasOthers ? again : lookUp;
    return new Failure('rows_failed', `${summary.failed} of ${summary.rows} rows failed: ${counts}`, {
      data,
      hint: [ended.size > 0 && another, hasOthers && retry].filter(Boolean).join(' '),
      next: retryHint === undefined ? next : undefined,
    });
  }
  if (summary.held + summary.pending > 0)
    return failure('not_final', `not all rows are paid yet: ${counts}`, 'The same command reads how they ended.');
  return undefined;
};
