import type { RowFile } from '../../../../bulk/rows.ts';
import type { Client } from '../../../../client/call.ts';
import { compareDecimals } from '../../../../core/decimal.ts';
import { Failure } from '../../../../core/failure.ts';
import { nextStep } from '../../../../core/next.ts';
import { inSentence, isSameText } from '../../../../core/text.ts';
import { table } from '../../../../output/table.ts';
import type { CommandContext } from '../../../command/command.ts';
import type { AmountLimits } from '../../../operations/amount-limits.ts';
import { approveReviews } from '../../../operations/approving.ts';
import { repeated } from '../../../print/next-command.ts';
import { assertCanConfirm, ofService } from '../../../prompt/confirming.ts';
import type { CheckedFile, Total } from './check.ts';
import { addTo } from './funds.ts';
import type { PoolKey } from './plan-row.ts';

/** What the rows pay of each token over all chains. A payment by Pix moves no money of this machine. */
const perToken = (totals: readonly Total[]): readonly { readonly token: string; readonly amount: string }[] => {
  const sums = new Map<string, { readonly token: string; readonly amount: string }>();
  // Each token is in its own group: upper case would put some letters with others, as ſ with S.
  for (const { method, token, amount } of totals)
    if (method !== 'pix') addTo(sums, token.toLowerCase(), { token, amount }, {});
  return [...sums.values()];
};

/** Throws `refused_by_review` if the rows pay more of a token than its limit. */
export const assertWithin = (limits: AmountLimits, totals: readonly Total[]): void => {
  for (const { token, amount } of perToken(totals)) {
    const limit = limits.find((each) => isSameText(each.token, token));
    if (limit === undefined || compareDecimals(amount, limit.amount) <= 0) continue;
    const message = `the rows pay ${amount} ${token}, and --max-total is ${limit.amount} ${token}`;
    throw new Failure('refused_by_review', `${message}. Nothing was sent.`, {
      errors: [{ field: 'max_total', message, option: '--max-total' }],
      namesErrors: true,
    });
  }
};

/** Throws `invalid_input` for tokens without --max-total outside a terminal, and then for a missing --yes too. */
export const assertStated = (cli: CommandContext, limits: AmountLimits, totals: readonly Total[]): void => {
  const { io, globals, typed } = cli;
  const missing = perToken(totals).filter(({ token }) => limits.every((each) => !isSameText(each.token, token)));
  if (missing.length === 0 || (io.prompt.isPossible && !globals.yes)) return;
  const yes = globals.yes ? [] : ['--yes'];
  throw new Failure('invalid_input', 'nothing was sent: state the most that all rows may pay', {
    errors: [
      ...missing.map(({ token, amount }) => ({
        field: 'max_total',
        message: `required: the rows pay ${amount} ${token}`,
        option: '--max-total',
      })),
      ...yes.map((option) => ({ field: 'yes', message: 'required: confirms the payments', option })),
    ],
    hint: 'Compare the totals with your own before you state them.',
    next: nextStep('again', [
      ...repeated(typed),
      ...missing.flatMap(({ token, amount }) => ['--max-total', `${amount}=${token}`]),
      ...yes,
    ]),
  });
};

/** The result of --check, and of a file whose rows are all paid. */
export const documentOf = (checked: CheckedFile, { facts }: RowFile) => ({
  rows: checked.rows,
  to_pay: checked.toPay,
  already_paid: checked.paid,
  failed_before: checked.failedBefore,
  in_doubt: checked.doubts.length,
  totals: checked.totals,
  largest: checked.largest,
  keys: checked.keys,
  file: { size: facts.size, sha256: facts.sha256 },
});

/** Shows on a terminal what the file pays, before the question. */
const showTotals = async (
  cli: CommandContext,
  { totals, largest, paid, lastPaidAt, failedBefore, rows }: CheckedFile,
  pool: readonly PoolKey[],
) => {
  const lines = totals.map(({ method, chain, token, rows: count, amount }) => [
    method,
    inSentence(chain),
    String(count),
    `${amount} ${inSentence(token)}`,
  ]);
  const wallets = pool.map(({ name, address }) => `${name} ${address ?? ''}`.trim()).join(', ');
  const sums = perToken(totals).map(({ token, amount }) => `${amount} ${inSentence(token)}`);
  const rowsOf = largest.map(
    ({ row, id, amount, token }) => `${row} (${inSentence(id)}), ${amount} ${inSentence(token)}`,
  );
  const moving = totals.filter(({ method }) => method !== 'pix');
  const text = [
    table(['method', 'chain', 'rows', 'total'], lines, cli.talkStyle),
    moving.length > sums.length ? `Over all chains: ${sums.join(', ')}\n` : '',
    paid > 0
      ? `${paid} of ${rows} rows were paid by earlier runs, the last one on ${lastPaidAt.slice(0, 10)}, and are skipped.\n`
      : '',
    failedBefore > 0 ? `${failedBefore} of ${rows} rows ended in error in earlier runs, and are not paid.\n` : '',
    pool.length > 0 ? `From: ${wallets}\n` : '',
    rowsOf.length > 0 ? `Largest row: ${rowsOf.join('; ')}\n` : '',
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
