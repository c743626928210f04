import type { BatchName, NewRow } from '../../../../bulk/queue/names.ts';
import type { Put } from '../../../../bulk/queue/put-rows.ts';
import type { Queue } from '../../../../bulk/queue/queue.ts';
import { newSeenIds } from '../../../../bulk/seen-ids.ts';
import { deploymentOfService, type Service } from '../../../../client/service.ts';
import { Failure } from '../../../../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../../../../core/json.ts';
import { nextStep, shellWord } from '../../../../core/next.ts';
import { inSentence } from '../../../../core/text.ts';
import type { JournalName } from '../../../../io/io.ts';
import { serviceKey } from '../../../../journal/keys.ts';
import { journalName } from '../../../../journal/open-store.ts';
import { checkStoredJournal, isSameDatabase } from '../../../../journal/postgres/address.ts';
import type { CommandContext, ReadContext } from '../../../command/command.ts';
import { boolArg, type Option, type ParsedArgs, stringArg } from '../../../command/options.ts';
import { type FileToPay, plannedRows } from './file-rows.ts';
import { addTo } from './funds.ts';
import { addressIn, endedBefore, isPaid, type PlannedRow, type RowSettings } from './plan-row.ts';
import { withReleased } from './release-started.ts';

/** The option that names the database of a queue. */
export const QUEUE: Option = {
  flag: '--queue',
  value: 'URL',
  description: 'Database with the queue and the journal, as in BURSAR_JOURNAL',
};

/** The option that makes the file the whole batch. */
export const REPLACE: Option = {
  flag: '--replace',
  description: 'With --queue: withdraw rows of the batch that are not in FILE and not started',
};

/** Throws `usage` for an option that only a queue has. */
export const assertNoQueueOptions = (given: ParsedArgs): void => {
  if (!boolArg(given, 'replace')) return;
  throw new Failure('usage', '--replace withdraws rows from a queue, and needs --queue', {
    next: nextStep('help', 'pay', 'bulk'),
  });
};

/** Options of the workers, and not of the command that fills the queue. */
const OF_WORKERS = ['results', 'concurrency', 'rate', 'doubt-wait', 'fee-at-most', 'allow-blind'];

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
    if (endedBefore(planned)) {
      if (!isPaid(planned)) onEnded();
      continue;
    }
    const { row, pays, keys } = planned;
    yield { row, pays, plan: planText(planned), wallets: walletsOf(toPay.settings, keys) };
  }
};

/** Whether a place of a batch is that of a row of a file. */
const placesIn = async (queue: Queue, batch: BatchName, { file }: FileToPay): Promise<(place: string) => boolean> => {
  const [seen, placeOf] = [newSeenIds(), queue.placeIn(batch)];
  for await (const row of file.rows()) if (row.kind === 'row') seen(placeOf(row.id), row.row);
  return (place) => (seen(place, 0) ?? 0) > 0;
};

/** What rows of the batch pay that stand in the queue, were not started, and are not in the file. */
const othersOf = async (queue: Queue, batch: BatchName, isInFile: (place: string) => boolean) => {
  const totals = new Map<string, NewRow['pays'] & { readonly rows: number }>();
  let rows = 0;
  for await (const other of queue.othersThan(batch, isInFile)) {
    rows += 1;
    if (!other?.pays.amount) continue;
    const { amount, ...rest } = other.pays;
    const key = Object.values(rest).join(' ').toLowerCase();
    addTo(totals, key, { ...rest, rows: 1, amount }, { rows: (totals.get(key)?.rows ?? 0) + 1 });
  }
  return { rows, totals: [...totals.values()] };
};

/** The same, for a check of the file: nothing is put and nothing is withdrawn. */
export const othersInQueue = (cli: CommandContext, journal: JournalName, batch: string, toPay: FileToPay) =>
  withQueue(cli, journal, async (queue) => {
    const name = { service: serviceOfQueue(toPay.client.service), batch };
    return othersOf(queue, name, await placesIn(queue, name, toPay));
  });

/**
 * Looks for rows of the batch that are not in the file: somebody may have deleted them, and workers would pay them. With
 * --replace they are withdrawn before rows are added, so that a row with a new id is never beside its old one.
 */
const settleOthers = async (
  cli: CommandContext,
  queue: Queue,
  batch: BatchName,
  toPay: FileToPay,
  replaces: boolean,
) => {
  const isInFile = await placesIn(queue, batch, toPay);
  const others = await othersOf(queue, batch, isInFile);
  if (replaces) return { others, withdrawn: others.rows > 0 ? await queue.withdraw(batch, isInFile) : 0 };
  if (others.rows === 0) return { others };
  const amounts = others.totals
    .map(({ amount, token, chain }) => `${amount} ${inSentence(token)} on ${inSentence(chain)}`)
    .join(' and ');
  const pay = amounts === '' ? '' : ` (${amounts})`;
  await cli.warn(
    `${batch.batch} has other rows in the queue, which are not in this file: ${others.rows}${pay}. Workers pay them. --replace withdraws them; bursar pay bulk-withdraw ${batch.batch} withdraws all rows that no worker has started.`,
  );
  return { others };
};

/** Why a put added nothing. */
const nothingPut = ({ rows, already_paid: paid }: { readonly rows: number; readonly already_paid: number }): string =>
  paid === rows
    ? 'Nothing was put: all rows are paid.'
    : 'Nothing was put: all rows that can be paid are in the queue already.';

/** Puts the rows of a checked and confirmed file into the queue. Throws `invalid_input` for rows that a worker has started as they were. */
export const putFile = async (
  cli: CommandContext,
  journal: JournalName,
  batch: string,
  toPay: FileToPay,
  replaces: boolean,
): Promise<void> => {
  const { client, checked, settings } = toPay;
  const lists = checked.keyLists.map((keys) => walletsOf(settings, keys));
  await withQueue(cli, journal, async (queue) => {
    const name = { service: serviceOfQueue(client.service), batch };
    const found = await settleOthers(cli, queue, name, toPay, replaces);
    let [ended, put]: [number, Put] = [0, { added: 0, replaced: 0, paid: 0, busy: [] }];
    const onEnded = (): void => {
      ended += 1;
    };
    const putRows = async (): Promise<void> => {
      ended = 0;
      const more = await queue.put(name, lists, rowsToPut(cli, toPay, onEnded));
      put = { ...more, added: put.added + more.added, replaced: put.replaced + more.replaced };
    };
    const putAll = putRows().then(async () => {
      if (put.busy.length > 0) await withReleased(client, queue, name, put.busy, putRows);
    });
    await cli.io.spin('putting the rows into the queue', putAll);
    const { added, replaced, paid, busy } = put;
    const rows = { rows: checked.rows, added, replaced, already_paid: checked.paid + paid, ended_in_error: ended };
    const result = { batch, ...rows, totals: checked.totals, ...found };
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
    await cli.printNote(
      added + replaced > 0
        ? 'Workers pay them: bursar worker --key NAME --yes --max-total AMOUNT=TOKEN'
        : nothingPut(result),
    );
    await cli.printCommitted({ ...result, queue: queue.where });
  });
};
