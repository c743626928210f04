import type { Row, RowProblem } from '../../../../bulk/rows.ts';
import { deploymentOfService, type Service } from '../../../../client/service.ts';
import { compareDecimals } from '../../../../core/decimal.ts';
import { Failure, type FieldError, isFailure } from '../../../../core/failure.ts';
import { inSentence, isSameText } from '../../../../core/text.ts';
import { isPricedOtherwise } from '../../../../flows/statement.ts';
import { findEarlier } from '../../../../journal/earlier.ts';
import { type ChargeIntent, isPaymentIntent, type PaymentIntent } from '../../../../journal/intents.ts';
import type { OperationState } from '../../../../journal/operation-state.ts';
import { type Marker, payerMark } from '../../../../journal/payer-mark.ts';
import { factsOfPayment } from '../../../../journal/statement.ts';
import { isTerminal, mayHaveMoved, statusOf } from '../../../../journal/status.ts';
import type { CommandContext } from '../../../command/command.ts';
import { fieldOfFlag, type Option, type ParsedArgs, stringArg } from '../../../command/options.ts';
import { type PlannedRun, planRun } from '../plan-run.ts';
import { run } from '../run.ts';
import { assertSameContent } from './same-content.ts';

/**
 * Options of `pay run` that are no columns: they name files, answer doubts of a review, or concern the whole run. A file
 * must not raise the limit of the fees, because the totals do not contain fees.
 */
const NO_COLUMNS = [
  ...['--body', '--card-file', '--intent', '--no-wait', '--rpc-url', '--allow-blind', '--allow-recipient'],
  '--fee-at-most',
  ...['--password-file', '--password-stdin', '--password-keyring'],
];

const columnOptions = (run.options ?? []).filter(
  ({ flag }) => !NO_COLUMNS.includes(flag) && !(flag.startsWith('--no-') && flag !== '--no-wait'),
);

const COLUMN_OPTIONS: ReadonlyMap<string, Option> = new Map(
  columnOptions.map((option) => [fieldOfFlag(option.flag), option]),
);

/** The columns that a file may have beside `id`: the options of `pay run`. `many`: a cell may hold several values. */
export const COLUMNS: ReadonlyMap<string, { readonly many: boolean }> = new Map(
  [...COLUMN_OPTIONS].map(([name, option]) => [name, { many: option.isRepeatable === true }]),
);

/** What a row pays, as its user states it. A payment by Pix moves no money of this machine. */
export type RowAmount = {
  readonly method: 'crypto' | 'card' | 'pix';
  readonly chain: string;
  readonly token: string;
  readonly amount: string;
};

/** A row as a payment. */
export type PlannedRow = {
  readonly row: Row;
  readonly given: ParsedArgs;
  /** The name of its operation, as by --intent. */
  readonly name: string;
  readonly intent: PaymentIntent | ChargeIntent;
  /** The payment with the first of its keys. */
  readonly planned: PlannedRun;
  readonly pays: RowAmount;
  /** The operation of an earlier run. */
  readonly earlier: OperationState | undefined;
  /** The keys that may sign it, the first one by default; empty for a payment by Pix or card. */
  readonly keys: readonly string[];
};

/** Whether the operation of a row ended in an earlier run. */
export const endedBefore = ({ earlier }: Pick<PlannedRow, 'earlier'>): boolean =>
  earlier !== undefined && isTerminal(earlier);

/** Whether an earlier run paid a row. */
export const isPaid = ({ earlier }: Pick<PlannedRow, 'earlier'>): boolean =>
  earlier !== undefined && isTerminal(earlier) && statusOf(earlier) === 'success';

/** Whether the money of a row may have left its wallet in an earlier run. */
export const movedBefore = ({ earlier }: Pick<PlannedRow, 'earlier'>): boolean =>
  earlier !== undefined && mayHaveMoved(earlier);

/** A key that may pay. */
export type PoolKey = { readonly name: string; readonly address: string | undefined };

/** What all rows of a run share. */
export type RowSettings = {
  readonly service: Service;
  readonly batch: string | undefined;
  /** The keys of --key, or the usual one. */
  readonly pool: readonly PoolKey[];
  readonly marker: () => Promise<Marker>;
  /** The options of the command that apply to each row. */
  readonly shared: ParsedArgs;
};

/** The address of one of the keys of a run; `undefined` if its file has none. */
export const addressIn = ({ pool }: Pick<RowSettings, 'pool'>, key: string): string | undefined =>
  pool.find(({ name }) => name === key)?.address;

/** The name of the operation of a row, as by --intent. */
export const nameOf = (batch: string | undefined, id: string): string =>
  ['bulk', ...(batch === undefined ? [] : [batch]), id].join('/');

const wrongValue = (option: Option, text: string): string | undefined => {
  const { choices, check } = option;
  if (choices && !choices.includes(text)) return `must be one of ${choices.join(', ')}`;
  return check?.(text);
};

/** The cells of a row as options. Throws `invalid_input` with each wrong cell. */
const optionsIn = ({ id, fields }: Row): ParsedArgs => {
  const given: Record<string, string | readonly string[] | boolean> = {};
  const errors: FieldError[] = [];
  // The name of the operation has the batch and the id, with a slash between them.
  if (id.includes('/')) errors.push({ field: 'id', message: 'must have no slash' });
  for (const [column, value] of Object.entries(fields)) {
    const option = COLUMN_OPTIONS.get(column);
    if (option === undefined) continue;
    const name = option.flag.slice(2);
    if (option.value === undefined) {
      if (value === 'true' || value === 'false') given[value === 'true' ? name : `no-${name}`] = true;
      else errors.push({ field: column, message: 'must be true or false' });
      continue;
    }
    for (const text of [value].flat()) {
      const message = wrongValue(option, text);
      if (message !== undefined) errors.push({ field: column, message });
    }
    given[name] = option.isRepeatable ? [value].flat() : value;
  }
  if (errors.length > 0) throw new Failure('invalid_input', 'the row has wrong values', { errors });
  return given;
};

const columnOf = ({ field, option }: FieldError): string => (option?.startsWith('--') ? fieldOfFlag(option) : field);

/** Marks the failure of a row that was started with a wallet that is none of this run. */
const OF_ANOTHER = { is_of_another: true };

/** The problems of a row that cannot be planned, by column. */
const problemsIn = ({ row, line, id }: Row, failure: Failure): readonly RowProblem[] => {
  const { errors = [] } = failure.details;
  if (failure.details.data === OF_ANOTHER)
    return [{ kind: 'problem', row, line, id, column: 'key', message: failure.sentence, isOfAnother: true }];
  if (errors.length === 0) return [{ kind: 'problem', row, line, id, message: failure.sentence }];
  return errors.map((error) => ({
    kind: 'problem' as const,
    row,
    line,
    id,
    column: columnOf(error),
    message: error.message,
  }));
};

const amountOf = (intent: PaymentIntent | ChargeIntent, given: ParsedArgs): RowAmount => {
  const { chain, currency, amount } = intent;
  if (compareDecimals(amount, '0') <= 0) {
    const errors = [{ field: 'amount_from', message: 'must be above 0' }];
    throw new Failure('invalid_input', 'a row pays nothing', { errors });
  }
  if ('operation' in intent) return { method: intent.operation, chain, token: currency, amount };
  if (!isPricedOtherwise(factsOfPayment(intent))) return { method: 'crypto', chain, token: intent.token, amount };
  const bound = stringArg(given, 'pay-at-most');
  if (bound !== undefined) return { method: 'crypto', chain, token: intent.token, amount: bound };
  const message = `required: the row is priced in ${currency} and paid in ${intent.token}`;
  throw new Failure('invalid_input', message, { errors: [{ field: 'pay_at_most', message }] });
};

const keysFor = ({ pool }: RowSettings, given: ParsedArgs): readonly string[] => {
  const named = stringArg(given, 'key');
  if (named !== undefined) {
    if (pool.some(({ name }) => name === named)) return [named];
    const message = `${inSentence(named)} is none of the keys of this run (--key)`;
    throw new Failure('invalid_input', message, { errors: [{ field: 'key', message }] });
  }
  const wallet = stringArg(given, 'payer-wallet');
  const ofWallet = pool.filter(({ address }) => wallet !== undefined && isSameText(address ?? '', wallet));
  return (ofWallet.length > 0 ? ofWallet : pool).map(({ name }) => name);
};

type WithIntent = Pick<PlannedRow, 'planned' | 'intent'>;

const planWith = async (cli: CommandContext, given: ParsedArgs, payer: PoolKey | undefined): Promise<WithIntent> => {
  const planned = await planRun(cli, { ...given, key: payer?.name }, payer);
  if (planned.by === 'crypto') return { planned, intent: planned.request.intent };
  const { transaction, intent } = planned.request;
  return { planned, intent: { ...intent, payer: await payerMark(cli.io, String(transaction['payer_email'])) } };
};

/** The failure of a row whose payment was started with a wallet that is none of this run. */
const ofAnother = (wallet: string): Failure => {
  const message = `its payment was started with the wallet ${wallet}: add the key of that wallet`;
  return new Failure('invalid_input', message, { errors: [{ field: 'key', message }], data: OF_ANOTHER });
};

/** The wallet that an operation was started with. It keeps it. */
const payerOf = ({ started: { intent } }: OperationState): string | undefined =>
  isPaymentIntent(intent) ? intent.payer : undefined;

const plan = async (cli: CommandContext, settings: RowSettings, row: Row): Promise<PlannedRow> => {
  const { service, batch, shared, pool } = settings;
  const given = { ...shared, ...optionsIn(row) };
  const name = nameOf(batch, row.id);
  const earlier = await findEarlier(cli.io, { deployment: deploymentOfService(service), key: name });
  const wallet = earlier && payerOf(earlier);
  const own = pool.filter(({ address }) => wallet !== undefined && isSameText(address ?? '', wallet));
  const keys = wallet === undefined ? keysFor(settings, given) : own.slice(0, 1).map((key) => key.name);
  const unknown = wallet === undefined ? undefined : { name: '', address: wallet };
  const whole = await planWith(cli, given, pool.find((key) => key.name === keys[0]) ?? unknown);
  if (earlier) await assertSameContent(cli, earlier, whole.intent);
  const planned = { row, given, name, earlier, pays: amountOf(whole.intent, given), ...whole };
  if (!isPaymentIntent(whole.intent)) return { ...planned, keys: [] };
  // A row that was paid needs no key any more.
  if (wallet !== undefined && keys.length === 0 && !isPaid(planned)) throw ofAnother(wallet);
  return { ...planned, keys };
};

/**
 * Plans the payment of a row, as `pay run` would with its cells as options, or returns what is wrong. Sends nothing.
 * Throws `invalid_input` if there is no key.
 */
export const planRow = async (
  cli: CommandContext,
  settings: RowSettings,
  row: Row,
): Promise<PlannedRow | readonly RowProblem[]> => {
  try {
    return await plan(cli, settings, row);
  } catch (error) {
    if (!isFailure(error, 'invalid_input')) throw error;
    const key = error.details.errors?.find(({ field, isMissing }) => field === 'key' && isMissing);
    // No row that is signed has a key, so it is one error of the command.
    if (key) throw new Failure('invalid_input', 'nothing was sent: no key signs the rows', { errors: [key] });
    return problemsIn(row, error);
  }
};
