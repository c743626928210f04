import type { RowFile } from '../../../../bulk/rows.ts';
import type { Client } from '../../../../client/call.ts';
import { compareDecimals, sumDecimals } from '../../../../core/decimal.ts';
import { Failure, type FieldError } from '../../../../core/failure.ts';
import { nextStep } from '../../../../core/next.ts';
import { inSentence, isSameText } from '../../../../core/text.ts';
import { table } from '../../../../output/table.ts';
import type { CommandContext } from '../../../command/command.ts';
import type { AmountLimits } from '../../../operations/amount-limits.ts';
import { approveReviews } from '../../../operations/approving.ts';
import { repeated } from '../../../print/next-command.ts';
import { assertCanConfirm, ofService } from '../../../prompt/confirming.ts';
import type { CheckedFile, Total } from './check.ts';
import type { PoolKey } from './plan-row.ts';

/** Throws `invalid_input` for a token without --max-total outside a terminal, and `refused_by_review` above one. */
export const assertWithin = (cli: CommandContext, limits: AmountLimits, totals: readonly Total[]): void => {
  const missing: FieldError[] = [];
  const moving = totals.filter(({ method }) => method !== 'pix');
  // Each token is in its own group: upper case would put some letters with others, as ſ with S.
  const tokens = moving.map((total) => total.token);
  for (const token of tokens.filter((one, at) => tokens.findIndex((each) => isSameText(each, one)) === at)) {
    const amount = sumDecimals(moving.filter((each) => isSameText(each.token, token)).map((each) => each.amount));
    const limit = limits.find((each) => isSameText(each.token, token));
    if (limit === undefined) {
      const message = `required: the rows pay ${amount} ${token}`;
      missing.push({ field: 'max_total', message, option: '--max-total' });
    } else if (compareDecimals(amount, limit.amount) > 0) {
      const message = `the rows pay ${amount} ${token}, and --max-total is ${limit.amount} ${token}`;
      throw new Failure('refused_by_review', `${message}. Nothing was sent.`, {
        errors: [{ field: 'max_total', message, option: '--max-total' }],
        namesErrors: true,
      });
    }
  }
  if (missing.length === 0 || (cli.io.prompt.isPossible && !cli.globals.yes)) return;
  throw new Failure('invalid_input', 'nothing was sent: state the most that all rows may pay', {
    errors: missing,
    next: nextStep('again', [...repeated(cli.typed), '--check']),
  });
};

/** The result of --check, and of a file whose rows are all paid. */
export const documentOf = (checked: CheckedFile, { facts }: RowFile) => ({
  rows: checked.rows,
  to_pay: checked.toPay,
  already_paid: checked.paid,
  in_doubt: checked.doubts.length,
  totals: checked.totals,
  largest: checked.largest ?? null,
  keys: checked.keys,
  file: { size: facts.size, sha256: facts.sha256 },
});

/** Shows on a terminal what the file pays, before the question. */
const showTotals = async (
  cli: CommandContext,
  { totals, largest, paid, rows }: CheckedFile,
  pool: readonly PoolKey[],
) => {
  const lines = totals.map(({ method, chain, token, rows: count, amount }) => [
    method,
    inSentence(chain),
    String(count),
    `${amount} ${inSentence(token)}`,
  ]);
  const wallets = pool.map(({ name, address }) => `${name} ${address ?? ''}`.trim()).join(', ');
  const text = [
    table(['method', 'chain', 'rows', 'total'], lines, cli.talkStyle),
    paid > 0 ? `${paid} of ${rows} rows were paid by an earlier run, and are skipped.\n` : '',
    pool.length > 0 ? `From: ${wallets}\n` : '',
    largest
      ? `Largest row: ${largest.row} (${inSentence(largest.id)}), ${largest.amount} ${inSentence(largest.token)}\n`
      : '',
  ];
  await cli.io.stderr.write(text.join(''));
};

/** Asks for the yes to all rows. Throws `declined` after a no, and `confirmation_needed` without a terminal and --yes. */
export const confirmRun = async (
  cli: CommandContext,
  client: Client,
  checked: CheckedFile,
  pool: readonly PoolKey[],
  toDo: (rows: string) => string = (rows) => `Pay ${rows}`,
) => {
  if (cli.io.prompt.isPossible) await showTotals(cli, checked, pool);
  assertCanConfirm(cli);
  const amounts = checked.totals.map(
    ({ amount, token, chain }) => `${amount} ${inSentence(token)} on ${inSentence(chain)}`,
  );
  const rows = checked.toPay === 1 ? '1 row' : `${checked.toPay} rows`;
  const question = ofService(client.service, `${toDo(rows)}: ${amounts.join(', ')}?`);
  // A total above the limit of the profile is typed, as the amount of one payment is.
  const reviews = checked.totals
    .filter(({ method }) => method !== 'pix')
    .map(({ chain, token, amount }) => ({ chain, checks: [], outflows: [{ token, amount }] }));
  if (await approveReviews(cli, { reviews, question, doubtful: question })) return;
  throw new Failure('declined', 'not confirmed; nothing was sent');
};
