import { openResults, type Results } from '../../../bulk/results.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, required, stringArg, stringArgs } from '../../command/options.ts';
import { amountLimits, limitsInWords } from '../../operations/amount-limits.ts';
import { printTargetService } from '../../print/steps.ts';
import { assertCanConfirm, ofService } from '../../prompt/confirming.ts';
import { KEY_OPTIONS, PAYS_ROWS, poolOf, RESULTS, RUN_OPTIONS, sharedSettings } from '../pay/bulk/bulk.ts';
import type { PoolKey } from '../pay/bulk/plan-row.ts';
import { journalOfQueue, QUEUE, withQueue } from '../pay/bulk/put.ts';
import type { ResultLog } from '../pay/bulk/report.ts';
import { payAll, runLimits, withKeys } from '../pay/bulk/run-rows.ts';
import { checkReviewOptions } from '../pay/plan.ts';
import { ownWallets } from './own-wallets.ts';
import { takeRows } from './take-rows.ts';

/** A worker pays what others put into the queue, so the owner of each key limits what it may move. */
const assertPolicies = async (cli: CommandContext, pool: readonly PoolKey[]): Promise<void> => {
  const { readKeyPolicy } = await import('../../../flows/policy/key-policy.ts');
  for (const { name, address } of pool) {
    const own = address === undefined ? undefined : await readKeyPolicy(cli.io, { chain: 'evm', address });
    const { most_per_transaction: each, most_per_day: day } = own?.policy ?? {};
    if ([each, day].some((amounts) => Object.keys(amounts ?? {}).length > 0)) continue;
    throw new Failure('invalid_input', `the key ${name} has no policy with a most_per_transaction or most_per_day`, {
      errors: [
        {
          field: 'key',
          message: `has no limit: bursar key policy set ${name} most_per_day.USDT=1000`,
          option: '--key',
        },
      ],
      hint: 'A worker needs one, because it pays what others put into the queue. Nothing was paid.',
      next: nextStep('help', 'key', 'policy'),
    });
  }
};

/** A log that writes to the results file as well. */
const both = (results: ResultLog, file: Results | undefined): ResultLog => ({
  write: async (change) => {
    await Promise.all([results.write(change), file?.write(change)]);
  },
});

const payFrom = async (cli: CommandContext, given: ParsedArgs, file: Results | undefined): Promise<void> => {
  const [totals, limits] = [amountLimits(given, 'max-total'), runLimits(given)];
  required({ '--max-total': stringArgs(given, 'max-total')[0] });
  const journal = await journalOfQueue(cli, given);
  await checkReviewOptions(cli, given);
  const pool = await poolOf(cli, given);
  await assertPolicies(cli, pool);
  await printTargetService(cli);
  const client = await cli.client();
  const names = pool.map(({ name }) => name);
  assertCanConfirm(cli);
  const question = `Pay rows from the queue with ${names.join(', ')}, at most ${limitsInWords(totals)}?`;
  if (!(await cli.confirm(ofService(client.service, question))))
    throw new Failure('declined', 'not confirmed; nothing was paid');
  const settings = { batch: undefined, pool, ...sharedSettings(cli, client.service, given) };
  await withKeys(cli, given, names, (keys) =>
    withQueue(
      cli,
      journal,
      async (queue) => {
        const wallets = ownWallets(client.io, client.service.kind, pool);
        const { source, results, damage, end } = takeRows(cli, {
          ...{ queue, client, settings, wallets, limits: totals },
          concurrency: limits.concurrency,
          untilEmpty: boolArg(given, 'until-empty'),
        });
        try {
          await payAll(cli, given, { client, settings, limits, results: both(results, file), source }, keys);
          const failure = damage();
          if (failure) throw failure;
        } finally {
          await end().catch(() => undefined);
          await wallets.release();
        }
      },
      { isWorker: true },
    ),
  );
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const to = stringArg(given, 'results');
  const file = to === undefined ? undefined : await openResults(cli.io, to);
  try {
    await payFrom(cli, given, file);
  } finally {
    await file?.close();
  }
};

/** `worker`. */
export const worker: Command = {
  words: ['worker'],
  summary: 'Pay the rows that pay bulk --queue has put into a database',
  about: [
    'Any number of workers on any number of machines share a queue. The journal is in the same database, and this home has its key.',
    'Each key needs a policy. --max-total limits what this worker starts to pay of each token, until it ends. Rows in doubt are settled beside it.',
    'One worker pays from a wallet. Another one with the same key waits, and goes on when the first ends or stops.',
    'A row that somebody without the key of the journal wrote or changed is never paid. The worker pays the others, and ends with 2.',
    'A Pix row waits for its payer once its code was shown. --until-empty does not wait for it, and ends with 8.',
    'In a pipe each change of a row is a line of JSON.',
    'Ctrl-C ends in order: rows that were not started go back. It ends with 130 if rows were cut off. An idle worker whose rows are all paid ends with 0.',
  ],
  options: [
    QUEUE,
    {
      flag: '--max-total',
      value: 'AMOUNT=TOKEN',
      isRepeatable: true,
      isRequired: true,
      description: 'The most that this worker may pay of a token',
      question: 'The most that this worker may pay, as AMOUNT=TOKEN',
      example: '500=USDT',
    },
    { flag: '--until-empty', description: 'End when no row of these wallets is left' },
    RESULTS,
    ...RUN_OPTIONS,
    ...KEY_OPTIONS,
  ],
  ...PAYS_ROWS,
  examples: [
    'worker --key treasury --max-total 500=USDT --yes',
    'worker --key a,b --max-total 500=USDT --until-empty --yes --queue postgres://bursar@localhost/journal',
  ],
  run,
};
