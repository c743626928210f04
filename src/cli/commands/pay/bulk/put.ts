import type { NewRow } from '../../../../bulk/queue/names.ts';
import type { Queue } from '../../../../bulk/queue/queue.ts';
import { deploymentOfService, type Service } from '../../../../client/service.ts';
import { Failure } from '../../../../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../../../../core/json.ts';
import { nextStep, shellWord } from '../../../../core/next.ts';
import type { JournalName } from '../../../../io/io.ts';
import { serviceKey } from '../../../../journal/keys.ts';
import { journalName } from '../../../../journal/open-store.ts';
import { checkStoredJournal, isSameDatabase } from '../../../../journal/postgres/address.ts';
import { isTerminal } from '../../../../journal/status.ts';
import type { CommandContext, ReadContext } from '../../../command/command.ts';
import { type Option, type ParsedArgs, stringArg } from '../../../command/options.ts';
import { type FileToPay, plannedRows } from './file-rows.ts';
import { addressIn, isPaid, type PlannedRow, type RowSettings } from './plan-row.ts';

/** The option that names the database of a queue. */
export const QUEUE: Option = {
  flag: '--queue',
  value: 'URL',
  description: 'Database with the queue and the journal, as in BURSAR_JOURNAL',
};

/** Options of the workers, and not of the command that fills the queue. */
const OF_WORKERS = ['results', 'concurrency', 'rate', 'doubt-wait'];

/** Throws `usage` for options that only a run without a queue has, and without --batch. */
export const assertQueueOptions = (given: ParsedArgs): void => {
  const [wrong] = OF_WORKERS.filter((name) => given[name] !== undefined);
  if (wrong !== undefined)
    throw new Failure('usage', `--${wrong} is an option of the worker, because --queue pays nothing by itself`, {
      next: nextStep('help', 'worker'),
    });
  if (stringArg(given, 'batch') === undefined)
    throw new Failure('invalid_input', '--batch is required with --queue', {
      errors: [{ field: 'batch', message: 'required: pay bulk-status asks for it', option: '--batch' }],
    });
};

/**
 * The journal beside a queue, which BURSAR_JOURNAL or the profile names; --queue repeats it. Throws `bad_settings` without one: the
 * journal in the folder of this home would not know what workers pay. Throws `invalid_input` if --queue is another database.
 */
export const journalOfQueue = async ({ io }: Pick<ReadContext, 'io'>, given: ParsedArgs): Promise<JournalName> => {
  const url = stringArg(given, 'queue');
  if (url !== undefined) checkStoredJournal(url, '--queue');
  const own = await journalName(io);
  if (own === undefined)
    throw new Failure('bad_settings', 'a queue is in the database of the journal, and BURSAR_JOURNAL is not set', {
      hint: `Set it in every shell and job of this home, or set journal in the profile: BURSAR_JOURNAL=${shellWord(url ?? 'postgres://USER@HOST/DATABASE')}. Nothing was sent.`,
      next: nextStep('help', 'environment'),
    });
  if (url === undefined || isSameDatabase(own.url, url, '--queue')) return own;
  throw new Failure('invalid_input', `--queue is not the database of ${own.source}`, {
    errors: [{ field: 'queue', message: 'must be the database of the journal', option: '--queue' }],
    hint: 'Rows and their journal are in one database. Nothing was sent.',
  });
};

/** The service of a queue's rows. */
export const serviceOfQueue = (service: Service): string => serviceKey(deploymentOfService(service));

/** Works with the queue of a journal, and closes it. Throws as `openQueue`. */
export const withQueue = async <T>(
  cli: Pick<ReadContext, 'io'>,
  name: JournalName,
  work: (queue: Queue) => Promise<T>,
  options: { readonly isWorker?: boolean } = {},
): Promise<T> => {
  const { openQueue } = await import('../../../../bulk/queue/queue.ts');
  const queue = await openQueue(cli.io, name, options);
  try {
    return await work(queue);
  } finally {
    await queue.end().catch(() => undefined);
  }
};

/** What a row asks of the service, without its payer's wallet: a worker may choose among several. */
export const planText = ({ planned }: PlannedRow): string => {
  const { register, transaction } = planned.request;
  const { payer_wallet: _, ...creating } = transaction;
  return printJson({ register, transaction: creating });
};

/** The names of the fields in which two texts of `planText` differ. */
export const differencesIn = (here: string, there: string): readonly string[] => {
  const partsOf = (text: string): ReadonlyMap<string, string> => {
    const read = parseJson(text);
    const parts = isJsonObject(read) ? Object.values(read).filter(isJsonObject) : [];
    return new Map(parts.flatMap((part) => Object.entries(part).map(([name, value]) => [name, JSON.stringify(value)])));
  };
  const [own, stated] = [partsOf(here), partsOf(there)];
  return [...new Set([...own.keys(), ...stated.keys()])].filter((name) => own.get(name) !== stated.get(name));
};

const walletsOf = (settings: RowSettings, keys: readonly string[]): readonly string[] =>
  keys.map((key) => {
    const address = addressIn(settings, key);
    if (address !== undefined) return address;
    throw new Failure('invalid_input', `the file of the key ${key} has no address, and workers find rows by it`, {
      hint: 'Nothing was put into the queue.',
      next: nextStep('key.show', key),
    });
  });

/** The rows that are still to be paid. `onEnded`: called for one whose payment has ended in error. */
const rowsToPut = async function* (cli: CommandContext, toPay: FileToPay, onEnded: () => void): AsyncGenerator<NewRow> {
  for await (const planned of plannedRows(cli, toPay).rows(new Set())) {
    if (planned.earlier && isTerminal(planned.earlier)) {
      if (!isPaid(planned)) onEnded();
      continue;
    }
    yield { row: planned.row, plan: planText(planned), wallets: walletsOf(toPay.settings, planned.keys) };
  }
};

/** Puts the rows of a checked and confirmed file into the queue. Throws `invalid_input` for rows that a worker has started as they were. */
export const putFile = async (
  cli: CommandContext,
  journal: JournalName,
  batch: string,
  toPay: FileToPay,
): Promise<void> => {
  const { client, checked, settings } = toPay;
  const lists = checked.keyLists.map((keys) => walletsOf(settings, keys));
  await withQueue(cli, journal, async (queue) => {
    const name = { service: serviceOfQueue(client.service), batch };
    let ended = 0;
    const onEnded = (): void => {
      ended += 1;
    };
    const put = queue.put(name, lists, rowsToPut(cli, toPay, onEnded));
    const { added, replaced, paid, busy } = await cli.io.spin('putting the rows into the queue', put);
    const rows = { rows: checked.rows, added, replaced, already_paid: checked.paid + paid, ended_in_error: ended };
    const result = { batch, ...rows, totals: checked.totals };
    if (busy.length > 0)
      throw new Failure(
        'invalid_input',
        `${busy.length} rows were not put: a worker has started them as they were put before`,
        {
          errors: busy
            .slice(0, 20)
            .map((id) => ({ field: id, message: 'is paid with the content and the wallets of that time' })),
          hint: `The others are in the queue. bursar pay bulk-status ${batch} --watch waits for the end of these; or give the changed rows other ids.`,
          data: result,
        },
      );
    if (ended > 0) await cli.printNote(`Not put: ${ended} rows whose payment ended in error. They need other ids.`);
    await cli.printNote(`Workers pay them: bursar worker --key NAME --yes --max-total AMOUNT=TOKEN`);
    await cli.printCommitted({ ...result, queue: queue.where });
  });
};
