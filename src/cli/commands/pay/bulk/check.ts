import type { Row, RowFile, RowProblem } from '../../../../bulk/rows.ts';
import type { Client } from '../../../../client/call.ts';
import { compareDecimals } from '../../../../core/decimal.ts';
import { Failure, type FieldError } from '../../../../core/failure.ts';
import { askedOf } from '../../../../flows/pay/asked.ts';
import { isPaymentIntent } from '../../../../journal/intents.ts';
import { statusOf } from '../../../../journal/status.ts';
import type { CommandContext } from '../../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../../command/options.ts';
import { gateOf, networkOf } from '../../../profiles/gate.ts';
import { run } from '../run.ts';
import { addTo, assertBalances, assertDays, type Need } from './funds.ts';
import {
  addressIn,
  endedBefore,
  isPaid,
  movedBefore,
  type PlannedRow,
  planRow,
  type RowAmount,
  type RowSettings,
} from './plan-row.ts';

/** How many wrong rows a message shows. */
const MAX_SHOWN = 50;

/** What the rows of a file pay of one token on one chain by one method. */
export type Total = Omit<RowAmount, 'amount'> & { readonly rows: number; readonly amount: string };

type LargestRow = RowAmount & { readonly id: string; readonly row: number };

/** A file whose rows are all valid. */
export type CheckedFile = {
  readonly rows: number;
  /** Rows that an earlier run paid, and the time of the last payment. */
  readonly paid: number;
  readonly lastPaidAt: string;
  /** Rows whose payment of an earlier run ended in error. They are not paid again under their ids. */
  readonly failedBefore: number;
  readonly toPay: number;
  readonly totals: readonly Total[];
  /** The largest row of each token. */
  readonly largest: readonly LargestRow[];
  /** The names of the keys that sign. */
  readonly keys: readonly string[];
  /** The different lists of keys that rows may be paid with. */
  readonly keyLists: readonly (readonly string[])[];
  /** Rows whose earlier operation is in doubt. They go first. */
  readonly doubts: readonly Row[];
  /** Whether a row still has the digest that it had when it was checked. */
  readonly isUnchanged: (row: Row) => boolean;
};

/** The digests of all rows, 16 bytes each. */
const digestsOfRows = () => {
  let digests = Buffer.alloc(16 * 1024);
  const at = ({ row }: Row): number => (row - 1) * 16;
  return {
    add: (row: Row): void => {
      if (at(row) + 16 > digests.length) digests = Buffer.concat([digests, Buffer.alloc(digests.length)]);
      digests.write(row.digest, at(row), 16, 'hex');
    },
    isSame: (row: Row): boolean => digests.toString('hex', at(row), at(row) + 16) === row.digest,
  };
};

/** Sums what the rows pay, as they are read. */
const newSums = () => {
  const totals = new Map<string, Total>();
  const needs = new Map<string, Need>();
  const largest = new Map<string, LargestRow>();
  return {
    count: (planned: PlannedRow): void => {
      const { row, pays, keys } = planned;
      const { amount, ...rest } = pays;
      const key = Object.values(rest).join(' ').toLowerCase();
      const total = totals.get(key);
      addTo(totals, key, { ...rest, rows: 1, amount }, { rows: (total?.rows ?? 0) + 1 });
      // Money that has moved already is no longer in the wallet.
      if (pays.method === 'crypto' && !movedBefore(planned)) {
        const of = [...keys, pays.chain, pays.token].join(' ').toLowerCase();
        addTo(needs, of, { keys, chain: pays.chain, token: pays.token, amount }, {});
      }
      const token = pays.token.toLowerCase();
      const isLarger = compareDecimals(amount, largest.get(token)?.amount ?? '0') > 0;
      if (isLarger && pays.method !== 'pix') largest.set(token, { row: row.row, id: row.id, ...pays });
    },
    ends: () => ({ totals: [...totals.values()], needs: [...needs.values()], largest: [...largest.values()] }),
  };
};

const errorOf = ({ line, column, id, message }: RowProblem): FieldError => ({
  field: [`line ${line}`, id, column].filter((part) => part !== undefined).join(', '),
  message,
});

/** The failure of a file with wrong rows. */
const wrongRows = (rows: number, wrong: number, problems: readonly RowProblem[]): Failure => {
  const more = wrong > MAX_SHOWN ? ` The first ${MAX_SHOWN} are shown.` : '';
  return new Failure('invalid_input', `nothing was sent: ${wrong} of ${rows} rows are wrong`, {
    errors: problems.slice(0, MAX_SHOWN).map(errorOf),
    data: { rows, invalid: wrong },
    hint: `Correct them, and run the command again.${more}`,
  });
};

/** Warns of mistyped names of chains as `pay run` does, once for each. */
const nameWarnings = async (cli: CommandContext): Promise<(planned: PlannedRow) => Promise<void>> => {
  const { warnOfNames } = await import('../../../prompt/near-misses.ts');
  const seen = new Set<string>();
  return async ({ row: { row, fields }, given }) => {
    const names = `${fields['to_chain']} ${fields['chain_name']}`;
    if (seen.has(names)) return;
    seen.add(names);
    await warnOfNames({ ...cli, warn: (text) => cli.warn(`row ${row}: ${text}`) }, run, given);
  };
};

/** What a check needs: the file, the settings of its rows, and who hears of wrong rows. */
type Checking = {
  readonly given: ParsedArgs;
  readonly client: Client;
  readonly file: RowFile;
  readonly settings: RowSettings;
  readonly onInvalid: (problem: RowProblem) => Promise<void>;
};

/**
 * Reads the whole file and plans each row. Sends nothing to the service. Throws `invalid_input` for wrong rows, and
 * `refused_by_review` if a policy or a balance does not cover the rows.
 */
export const checkFile = async (
  cli: CommandContext,
  { given, client, file, settings, onInvalid }: Checking,
): Promise<CheckedFile> => {
  const [digests, sums, keyLists] = [digestsOfRows(), newSums(), new Map<string, readonly string[]>()];
  const [problems, refusals, doubts]: [RowProblem[], Failure[], Row[]] = [[], [], []];
  let [rows, invalid, paid, failedBefore, lastPaidAt] = [0, 0, 0, 0, ''];
  const warnOfName = await nameWarnings(cli);
  const gate = await gateOf(cli);
  const network = await networkOf(cli, client.service.kind);
  const refuse = async (found: readonly RowProblem[]): Promise<void> => {
    invalid += 1;
    if (problems.length < MAX_SHOWN) problems.push(...found);
    for (const problem of found.slice(0, 1)) await onInvalid(problem);
  };
  /** The refusal of a payment by the policies of all its keys. */
  const refusalOf = async ({ intent, keys: own }: PlannedRow): Promise<Failure | undefined> => {
    if (!isPaymentIntent(intent)) return undefined;
    let refusal: Failure | undefined;
    for (const key of own) {
      const payer = addressIn(settings, key) ?? intent.payer;
      refusal = await gate.refusalOf(askedOf({ ...intent, payer }, network));
      if (refusal === undefined) return undefined;
    }
    return refusal;
  };
  for await (const row of file.rows()) {
    rows += 1;
    if (row.kind === 'problem') {
      await refuse([row]);
      continue;
    }
    digests.add(row);
    const planned = await planRow(cli, settings, row);
    if (!('pays' in planned)) {
      await refuse(planned);
      continue;
    }
    if (isPaid(planned)) {
      paid += 1;
      const paidAt = planned.earlier?.last_at ?? '';
      if (paidAt > lastPaidAt) lastPaidAt = paidAt;
      continue;
    }
    if (endedBefore(planned)) {
      failedBefore += 1;
      continue;
    }
    await warnOfName(planned);
    if (planned.earlier && statusOf(planned.earlier) === 'in_doubt') doubts.push(row);
    const refusal = planned.earlier ? undefined : await refusalOf(planned);
    if (refusal) {
      refusals.push(refusal);
      await refuse([{ kind: 'problem', row: row.row, line: row.line, id: row.id, message: refusal.sentence }]);
      continue;
    }
    keyLists.set(planned.keys.join(' '), planned.keys);
    sums.count(planned);
  }
  if (rows === 0) throw new Failure('invalid_input', `${stringArg(given, 'file')} has no rows`);
  if (invalid > 0) {
    const failure = wrongRows(rows, invalid, problems);
    if (refusals.length < invalid) throw failure;
    throw new Failure('refused_by_review', failure.sentence, failure.details);
  }
  const { totals, needs, largest } = sums.ends();
  await assertDays(cli, client, settings, needs);
  await assertBalances(cli, given, client, settings, needs);
  const isUnchanged = digests.isSame;
  const lists = [...keyLists.values()];
  const keys = [...new Set(lists.flat())];
  const toPay = rows - paid - failedBefore;
  const counts = { rows, paid, lastPaidAt, failedBefore, toPay };
  return { ...counts, totals, largest, keys, keyLists: lists, doubts, isUnchanged };
};
