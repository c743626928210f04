import { isDecimal } from '../core/decimal.ts';
import { Failure, messageOf } from '../core/failure.ts';
import { isJsonObject, parseJson } from '../core/json.ts';
import { WIRE_ID, WIRE_STEPS } from '../core/wire-names.ts';
import type { Io } from '../io/io.ts';
import type { MovedAmount, OperationEvent, RecordedEvent } from './event.ts';
import { type Intent, isPaymentIntent } from './intents.ts';
import { storeOf } from './open-store.ts';
import { factsOf, NOTHING_STATED, type Statement, statementOf } from './statement.ts';
import type { StoredLines } from './store.ts';

/** The format version of the lines. Newer versions are refused. */
const JOURNAL_VERSION = 2;

/** A line on the disk, of any version. */
export type WireLine = Readonly<Record<string, unknown>>;

/** The first line of every operation. */
const FIRST_STEP = WIRE_STEPS.started;

type WireStep = string | { readonly payment: string; readonly yield: string };

/** The step name on the disk and in `--json`. Yield operations have names of their own. */
export const wireStepOf = (event: OperationEvent): string => {
  const names: Readonly<Partial<Record<OperationEvent['step'], WireStep>>> = WIRE_STEPS;
  const name = names[event.step] ?? event.step;
  if (typeof name === 'string') return name;
  return 'payment_id' in event && event.payment_id !== undefined ? name.payment : name.yield;
};

const fieldsOf = (event: OperationEvent): WireLine => {
  const { step: _step, ...fields } = event;
  if (event.step === 'created') {
    const { built, crypto_tx, payment_id, page } = event;
    return payment_id === undefined ? { ...built } : { payment_id, crypto_tx, page };
  }
  if ((event.step === 'signed' || event.step === 'sending') && event.payment_id !== undefined) {
    const { part: _part, ...others } = fields as typeof event;
    if (event.step === 'signed') return others;
    return { payment_id: event.payment_id, hash: event.hash };
  }
  return fields;
};

/** The line for an event. */
export const lineOf = (id: string, event: RecordedEvent): WireLine => {
  const { at, ...rest } = event;
  return { v: JOURNAL_VERSION, at, [WIRE_ID]: id, step: wireStepOf(rest), ...fieldsOf(rest) };
};

/** The verdict names of version 1. */
const VERDICTS: Readonly<Record<string, string>> = { fine: 'pass', needs_word: 'confirm', refused: 'refuse' };

/**
 * The user's statement in a line of version 1. If the payment existed before, its facts came from the service.
 * Otherwise they came from the command line.
 */
const statedIn = ({ intent, payment_id: paymentId }: WireLine): Statement => {
  if (!isJsonObject(intent)) return NOTHING_STATED;
  const isShown = paymentId !== undefined && isPaymentIntent(intent as Intent);
  return isShown ? NOTHING_STATED : statementOf(factsOf(intent as Intent), 'options');
};

const isMove = (value: unknown): value is MovedAmount => {
  const { token, amount } = (value ?? {}) as Partial<Record<keyof MovedAmount, unknown>>;
  return typeof token === 'string' && typeof amount === 'string' && isDecimal(amount);
};

/** Reviews of version 0.1 count by their intent; a withdrawal moves nothing out of the wallet. */
const movesOfIntent = (intent: WireLine): readonly MovedAmount[] => {
  const { amount, asset, currency, operation } = intent;
  const move = { token: asset ?? currency, amount };
  return operation !== 'withdraw' && isMove(move) ? [move] : [];
};

/** A review with fields that old versions lack: outflows, wallet, and kind of chain. */
const reviewFrom = (fields: WireLine, line: WireLine, first: WireLine): WireLine => {
  const intent = (first['intent'] ?? {}) as WireLine;
  const { moves, from = intent['wallet'] ?? intent['payer'], kind = first['kind'] } = line;
  const verdict = Number(line['v']) >= 2 ? line['verdict'] : (VERDICTS[String(line['verdict'])] ?? line['verdict']);
  return { ...fields, verdict, moves: Array.isArray(moves) ? moves.filter(isMove) : movesOfIntent(intent), from, kind };
};

/** The event of a line of any version. `first` is the first line of its operation. */
export const eventOf = (line: WireLine, first: WireLine): RecordedEvent => {
  const { v: _v, [WIRE_ID]: _id, ...fields } = line;
  return inMemory(fields, line, first) as RecordedEvent;
};

const inMemory = (fields: WireLine, line: WireLine, first: WireLine): WireLine => {
  const { at, transactions, positions } = fields;
  switch (fields['step']) {
    case WIRE_STEPS.started:
      return { ...fields, step: 'started', stated: Number(line['v']) >= 2 ? line['stated'] : statedIn(line) };
    case WIRE_STEPS.creating.yield:
      return { ...fields, step: 'creating' };
    case WIRE_STEPS.created.yield:
      return { at, step: 'created', built: { transactions, positions } };
    case WIRE_STEPS.signed.payment:
      return { ...fields, part: 1 };
    case WIRE_STEPS.signed.yield:
      return { ...fields, step: 'signed', part: Number(line['part']) };
    case WIRE_STEPS.sending.payment:
      return { ...fields, step: 'sending', part: 1, via: 'service' };
    case WIRE_STEPS.sending.yield:
      return { ...fields, step: 'sending', part: Number(line['part']) };
    case 'landed':
      return { ...fields, part: Number(line['part']) };
    case WIRE_STEPS.superseded:
      return { ...fields, step: 'superseded' };
    case 'reviewed':
      return reviewFrom(fields, line, first);
    default:
      return fields;
  }
};

/** One operation of the journal: at least one event, oldest first. */
export type RecordedOperation = {
  readonly id: string;
  readonly events: readonly RecordedEvent[];
  /** The file ends with a half-written line. bursar did nothing after that line. */
  readonly isTorn: boolean;
};

const damaged = (path: string, line: number, why: string): Failure =>
  new Failure('journal_damaged', `${path}: line ${line} is damaged: ${why}`, {
    hint: 'The journal shows which payments may have been sent, so nothing is sent while it cannot be read. Restore the line, or move the file away if you know how that operation ended.',
  });

const readLine = (path: string, text: string, at: number): WireLine => {
  let line: unknown;
  try {
    line = parseJson(text);
  } catch (error) {
    throw damaged(path, at, messageOf(error));
  }
  if (!isJsonObject(line) || typeof line['step'] !== 'string' || typeof line['at'] !== 'string') {
    throw damaged(path, at, 'it is not an entry');
  }
  if (Number(line['v']) <= JOURNAL_VERSION) return line;
  throw new Failure('journal_damaged', `${path}: line ${at} was written by a newer bursar (version ${line['v']})`, {
    hint: 'Install that version, or a newer one.',
  });
};

/** The operation of at least one stored line. `where` is for messages. Throws `journal_damaged`. */
export const operationFrom = (id: string, where: string, stored: StoredLines): RecordedOperation => {
  const lines = stored.lines.map((text, at) => readLine(where, text, at + 1));
  const [first] = lines;
  if (first?.['step'] !== FIRST_STEP) throw damaged(where, 1, `an operation starts with "${FIRST_STEP}"`);
  return { id, events: lines.map((line) => eventOf(line, first)), isTorn: stored.isTorn };
};

/** Reads one operation; `undefined` if there is none or it is empty. Throws `journal_damaged`. */
export const readOperation = async (io: Io, id: string): Promise<RecordedOperation | undefined> => {
  const store = await storeOf(io);
  const stored = await store.read(id);
  return stored && stored.lines.length > 0 ? operationFrom(id, store.where(id), stored) : undefined;
};
