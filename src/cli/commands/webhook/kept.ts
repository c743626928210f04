import { Failure } from '../../../core/failure.ts';
import { parseJson } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import { escapeLines } from '../../../core/text.ts';
import { type Forward, faultOf, forward, isAccepted, newGate } from '../../../webhook/forward.ts';
import { prune as pruneFiles, USUAL_KEEP } from '../../../webhook/prune.ts';
import { type Delivery, deliveries, findDelivery } from '../../../webhook/store.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { assertGiven, boolArg, type ParsedArgs, required, stringArg, stringArgs } from '../../command/options.ts';
import { wholeArg } from '../../command/whole-arg.ts';
import {
  assertKnownStatuses,
  FORWARD_TO,
  ID,
  newUnaccepted,
  STATUS,
  statusFilter,
  summaryOf,
  targetsIn,
  timeIn,
} from './shared.ts';

const USUAL_LIMIT = 50;

/** `webhook list`. */
export const list: Command = {
  words: ['webhook', 'list'],
  summary: 'List the received webhooks, newest first',
  about: ['Without their payloads, which may have personal data: webhook show prints one.'],
  options: [
    STATUS,
    { flag: '--limit', value: 'N', usual: `${USUAL_LIMIT}`, description: 'How many of the newest deliveries' },
  ],
  examples: ['webhook list', 'webhook list --status success --json'],
  run: async (cli, given) => {
    const limit = wholeArg(given, 'limit', [1, 1_000_000]) ?? USUAL_LIMIT;
    await assertKnownStatuses(cli.io, given);
    const isWanted = statusFilter(given);
    const rows: (ReturnType<typeof summaryOf> & { readonly bytes: number })[] = [];
    for await (const delivery of deliveries(cli.io, 'newest')) {
      if (rows.length >= limit) break;
      if (isWanted(delivery)) rows.push({ ...summaryOf(delivery), bytes: delivery.body.length });
    }
    await cli.printResult(rows, rows, { none: 'No webhook has been received. bursar webhook listen receives them.' });
  },
};

/** The delivery of an id. Throws `not_found`. */
const deliveryOf = async (cli: CommandContext, id: string): Promise<Delivery> => {
  const found = await findDelivery(cli.io, id);
  if (found !== undefined) return found;
  throw new Failure('not_found', `no delivery ${id} is kept`, { next: nextStep('webhook.list') });
};

const bodyIn = ({ body }: Delivery): unknown => {
  const text = new TextDecoder().decode(body);
  try {
    return parseJson(text);
  } catch {
    return text;
  }
};

/** Prints a payload: its exact bytes, or on a terminal its text, which must not control the terminal. */
const printBody = ({ stdout }: CommandContext['io'], { body }: Delivery): Promise<void> =>
  stdout.isTerminal
    ? stdout.write(`${escapeLines(new TextDecoder().decode(body).trimEnd())}\n`)
    : stdout.writeBytes(body);

/** `webhook show`. */
export const show: Command = {
  words: ['webhook', 'show'],
  summary: 'Show a received webhook with its headers and its payload',
  about: ['--body prints the payload alone, as it arrived.'],
  arguments: [ID],
  options: [{ flag: '--body', description: 'Print only the payload, unchanged' }],
  fails: ['not_found'],
  examples: ['webhook show wh_0123', 'webhook show wh_0123 --body'],
  run: async (cli, given) => {
    const { ID: id } = required({ ID: stringArg(given, 'id') });
    const delivery = await deliveryOf(cli, id);
    if (boolArg(given, 'body')) return printBody(cli.io, delivery);
    const { headers, same_as = null } = delivery;
    await cli.printResult({ ...summaryOf(delivery), same_as, headers, body: bodyIn(delivery) });
  },
};

/** The id or the time of the deliveries to send again. Throws `invalid_input` without any, and for no time at all. */
const choiceIn = (cli: CommandContext, given: ParsedArgs) => {
  const id = stringArg(given, 'id');
  const [since, until] = [timeIn(cli.io, given, 'since'), timeIn(cli.io, given, 'until')];
  const hasTime = since !== undefined || until !== undefined;
  if (id !== undefined && hasTime) throw new Failure('invalid_input', 'give an ID, or --since and --until');
  assertGiven([
    { anyOf: ['ID', '--since'], value: id ?? (hasTime ? 'given' : undefined) },
    { anyOf: [FORWARD_TO.flag], value: stringArgs(given, 'forward-to')[0] },
  ]);
  if (since !== undefined && until !== undefined && since > until)
    throw new Failure('invalid_input', '--since is later than --until: no delivery is between them');
  return { id, since, until };
};

/** The deliveries to send again, oldest first. */
const chosen = async function* (
  cli: CommandContext,
  given: ParsedArgs,
  { id, since, until }: ReturnType<typeof choiceIn>,
): AsyncGenerator<Delivery> {
  if (id !== undefined) {
    yield await deliveryOf(cli, id);
    return;
  }
  const isWanted = statusFilter(given);
  const isBetween = ({ received_at }: Delivery) => {
    const time = Date.parse(received_at);
    return time >= (since ?? 0) && time <= (until ?? Number.POSITIVE_INFINITY);
  };
  for await (const one of deliveries(cli.io, 'oldest')) if (isBetween(one) && isWanted(one)) yield one;
};

/** A forward of a delivery. Each row has the same fields. */
type Row = { readonly id: string } & Omit<Forward, 'reason'> & { readonly reason: Forward['reason'] | null };

/** Why targets did not accept, by target: the fault or the HTTP status. */
const whyRefused = (rows: readonly Row[]): string =>
  [...new Set(rows.map((row) => `${row.url}: ${faultOf(row) ?? `HTTP ${row.http}`}`))].slice(0, 3).join('; ');

/** `webhook replay`. */
export const replay: Command = {
  words: ['webhook', 'replay'],
  summary: 'Send received webhooks again, with the same bytes',
  about: [
    'By id, or all of a time. A failed attempt is repeated three times.',
    'Prints the result of each. The exit code is 5 if one was not accepted.',
  ],
  arguments: [{ ...ID, isOptional: true }],
  options: [
    { ...FORWARD_TO, isRequired: true },
    { flag: '--since', value: 'TIME', description: 'From this time on: 2026-11-28T10:00:00Z, or 2h for two hours ago' },
    { flag: '--until', value: 'TIME', description: 'Up to this time' },
    STATUS,
  ],
  fails: ['unavailable', 'not_found'],
  examples: [
    'webhook replay wh_0123 --forward-to http://127.0.0.1:3000/hook',
    'webhook replay --since 2h --status success --forward-to http://127.0.0.1:3000/hook',
  ],
  run: async (cli, given) => {
    const [targets, choice] = [targetsIn(given), choiceIn(cli, given)];
    await assertKnownStatuses(cli.io, given);
    const [gate, unaccepted, rows] = [newGate(), newUnaccepted(), [] as Row[]];
    const sending = async () => {
      for await (const delivery of chosen(cli, given, choice)) {
        const forwards = await Promise.all(targets.map((url) => gate(() => forward(cli.io, delivery, url))));
        unaccepted.add(delivery, forwards);
        rows.push(...forwards.map((one) => ({ id: delivery.id, ...one, reason: one.reason ?? null })));
      }
    };
    await cli.io.spin('Sending', sending());
    const refused = rows.filter((row) => !isAccepted(row));
    // A document of a failure has the rows too.
    if (refused.length === 0 || !cli.globals.failsAsJson)
      await cli.printResult(rows, rows, { none: 'No delivery is of this time.' });
    if (refused.length === 0) return;
    const message = `${refused.length} of ${rows.length} forwards were not accepted (${whyRefused(refused)})`;
    throw new Failure(cli.io.interrupted.aborted ? 'interrupted' : 'unavailable', message, {
      data: rows,
      next: unaccepted.replay(given),
    });
  },
};

/** `webhook prune`. */
export const prune: Command = {
  words: ['webhook', 'prune'],
  summary: 'Remove old webhooks from this machine',
  about: [
    'webhook listen does it by itself, with the default limits. Whole files are removed, of up to 4 MB or one day.',
    'The file that a running webhook listen writes stays.',
  ],
  options: [
    { flag: '--days', value: 'N', usual: `${USUAL_KEEP.days}`, description: 'Keep the deliveries of this many days' },
    { flag: '--megabytes', value: 'N', usual: '100', description: 'Keep at most this much' },
  ],
  examples: ['webhook prune', 'webhook prune --days 0'],
  run: async (cli, given) => {
    const days = wholeArg(given, 'days', [0, 36_500]) ?? USUAL_KEEP.days;
    const bytes = (wholeArg(given, 'megabytes', [0, 1_000_000]) ?? 100) * 1024 * 1024;
    const { removed, inUse } = await pruneFiles(cli.io, { days, bytes });
    if (inUse > 0) await cli.printNote(`${inUse} more would go, but a running bursar webhook listen writes there.`);
    await cli.printCommitted({ removed_files: removed });
  },
};
