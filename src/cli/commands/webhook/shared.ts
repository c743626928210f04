import { PAYMENT_STATUSES } from '../../../contract/pay/shared.ts';
import { closest } from '../../../core/closest.ts';
import { Failure } from '../../../core/failure.ts';
import { type NextStep, nextStep } from '../../../core/next.ts';
import { redactionOf } from '../../../core/secret.ts';
import type { Io } from '../../../io/io.ts';
import { type Forward, isAccepted } from '../../../webhook/forward.ts';
import { type Delivery, deliveries, type Hint, hintIn } from '../../../webhook/store.ts';
import { type Argument, type Option, type ParsedArgs, stringArg, stringArgs } from '../../command/options.ts';

const mask = redactionOf([]);

/** A payload of another form may have an e-mail address or a tax number as its id or status. */
const maskedHint = ({ event, payment_id, status }: Hint): Hint => ({
  event: event && mask(event),
  payment_id: payment_id && mask(payment_id),
  status: status && mask(status),
});

/** The fields of a delivery in lists and lines. The payload is not in them, because it may have personal data. */
export const summaryOf = (delivery: Delivery) => ({
  id: delivery.id,
  received_at: delivery.received_at,
  ...maskedHint(hintIn(delivery)),
  duplicate: delivery.same_as !== undefined,
});

export const ID: Argument = {
  name: 'ID',
  description: 'Id of a delivery, from webhook list',
  question: 'Delivery',
  completes: 'webhooks',
};

export const STATUS: Option = {
  flag: '--status',
  value: 'STATUS',
  isRepeatable: true,
  description: 'Only deliveries whose payload has this status',
};

export const FORWARD_TO: Option = {
  flag: '--forward-to',
  value: 'URL',
  isRepeatable: true,
  description: 'Post the same bytes to this address; never with a key',
};

/** Whether a delivery passes --status. */
export const statusFilter = (given: ParsedArgs): ((delivery: Delivery) => boolean) => {
  const wanted = stringArgs(given, 'status');
  return (delivery) => wanted.length === 0 || wanted.includes(hintIn(delivery).status ?? '');
};

/** Throws `invalid_input` for a --status that neither the service's document nor a kept delivery has. */
export const assertKnownStatuses = async (io: Io, given: ParsedArgs): Promise<void> => {
  const isDocumented = (status: string) => PAYMENT_STATUSES.some((each) => each === status);
  const others = stringArgs(given, 'status').filter((status) => !isDocumented(status));
  if (others.length === 0) return;
  const kept = new Set<string>();
  for await (const delivery of deliveries(io, 'oldest')) kept.add(hintIn(delivery).status ?? '');
  const unknown = others.find((status) => !kept.has(status));
  if (unknown === undefined) return;
  const near = closest(unknown, PAYMENT_STATUSES);
  throw new Failure(
    'invalid_input',
    `--status: no payment and no kept delivery has the status "${unknown.slice(0, 40)}"`,
    {
      hint: `${near ? `Did you mean ${near}? ` : ''}The documented statuses are ${PAYMENT_STATUSES.join(', ')}.`,
    },
  );
};

/** The addresses of --forward-to. Throws `invalid_input`. */
export const targetsIn = (given: ParsedArgs): readonly string[] =>
  stringArgs(given, 'forward-to').map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return url.href;
    throw new Failure('invalid_input', `--forward-to: "${text.slice(0, 60)}" is not an http(s) address`);
  });

/** The deliveries that a target did not accept. Only their bounds are kept, however many they are. */
export const newUnaccepted = () => {
  const targets = new Set<string>();
  let [count, first, last, onlyId] = [0, '', '', ''];
  return {
    /** How many there are, as a sentence without its end; `undefined` for none. */
    inWords: (): string | undefined => {
      if (count === 0) return undefined;
      return `${count === 1 ? '1 delivery is kept and was' : `${count} deliveries are kept and were`} not forwarded`;
    },
    add: ({ id, received_at: time }: Pick<Delivery, 'id' | 'received_at'>, forwards: readonly Forward[]): void => {
      const refused = forwards.filter((one) => !isAccepted(one));
      if (refused.length === 0) return;
      for (const { url } of refused) targets.add(url);
      first = count === 0 || time < first ? time : first;
      last = time > last ? time : last;
      [count, onlyId] = [count + 1, id];
    },
    /** The command that sends them again: one by its id, several by their time. */
    replay: (given: ParsedArgs): NextStep => {
      const statuses = stringArgs(given, 'status').flatMap((status) => ['--status', status]);
      const which = count === 1 ? [onlyId] : ['--since', first, '--until', last, ...statuses];
      return nextStep('webhook.replay', which, [...targets]);
    },
  };
};

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time of an option: ISO 8601, or how long ago, such as 2h. Throws `invalid_input`. */
export const timeIn = (io: Io, given: ParsedArgs, name: string): number | undefined => {
  const text = stringArg(given, name);
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const time = count === undefined ? Date.parse(text) : io.clock.now() - Number(count) * (UNITS_MS[unit] ?? 0);
  if (!Number.isNaN(time)) return time;
  throw new Failure('invalid_input', `--${name}: "${text.slice(0, 40)}" is no time such as 2026-11-28T10:00:00Z or 2h`);
};
