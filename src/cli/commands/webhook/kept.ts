import { Failure } from '../../../core/failure.ts';
import { parseJson } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import { forward, isAccepted, newGate } from '../../../webhook/forward.ts';
import { type Delivery, findDelivery, prune as pruneFiles, USUAL_KEEP } from '../../../webhook/store.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { FORWARD_TO, ID, newestOf, STATUS, statusFilter, summaryOf, targetsIn, timeIn, wholeIn } from './shared.ts';

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
    const limit = wholeIn(given, 'limit', 1, 1_000_000) ?? USUAL_LIMIT;
    const found = await newestOf(cli.io, statusFilter(given), limit);
    const rows = found.map((delivery) => ({ ...summaryOf(delivery), bytes: delivery.body.length }));
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
    if (boolArg(given, 'body')) return cli.io.stdout.write(new TextDecoder().decode(delivery.body));
    const { headers, same_as = null } = delivery;
    await cli.printResult({ ...summaryOf(delivery), same_as, headers, body: bodyIn(delivery) });
  },
};

/** The deliveries to send again, oldest first. Throws `invalid_input` without any choice. */
const chosen = async (cli: CommandContext, given: ParsedArgs): Promise<readonly Delivery[]> => {
  const id = stringArg(given, 'id');
  const [since, until] = [timeIn(cli.io, given, 'since'), timeIn(cli.io, given, 'until')];
  if (id !== undefined) {
    if (since !== undefined || until !== undefined)
      throw new Failure('invalid_input', 'give an ID, or --since and --until');
    return [await deliveryOf(cli, id)];
  }
  required({ ID: since === undefined && until === undefined ? undefined : 'given' });
  const isWanted = statusFilter(given);
  const isBetween = ({ received_at }: Delivery) => {
    const time = Date.parse(received_at);
    return time >= (since ?? 0) && time <= (until ?? Number.POSITIVE_INFINITY);
  };
  const found = await newestOf(cli.io, (one) => isBetween(one) && isWanted(one), Number.POSITIVE_INFINITY);
  return found.toReversed();
};

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
    const targets = targetsIn(given);
    required({ '--forward-to': targets[0] });
    const gate = newGate();
    const send = async (delivery: Delivery) =>
      Promise.all(
        targets.map((url) => gate(async () => ({ id: delivery.id, ...(await forward(cli.io, delivery, url)) }))),
      );
    const rows: Awaited<ReturnType<typeof send>> = [];
    const sending = async () => {
      for (const delivery of await chosen(cli, given)) rows.push(...(await send(delivery)));
    };
    await cli.io.spin('Sending', sending());
    const refused = rows.filter((row) => !isAccepted(row));
    if (refused.length > 0)
      throw new Failure('unavailable', `${refused.length} of ${rows.length} were not accepted`, { data: rows });
    await cli.printResult(rows, rows, { none: 'No delivery is of this time.' });
  },
};

/** `webhook prune`. */
export const prune: Command = {
  words: ['webhook', 'prune'],
  summary: 'Remove old webhooks from this machine',
  about: ['webhook listen does it by itself, with the default limits. Whole files are removed, of up to 4 MB.'],
  options: [
    { flag: '--days', value: 'N', usual: `${USUAL_KEEP.days}`, description: 'Keep the deliveries of this many days' },
    { flag: '--megabytes', value: 'N', usual: '100', description: 'Keep at most this much' },
  ],
  examples: ['webhook prune', 'webhook prune --days 0'],
  run: async (cli, given) => {
    const days = wholeIn(given, 'days', 0, 36_500) ?? USUAL_KEEP.days;
    const bytes = (wholeIn(given, 'megabytes', 0, 1_000_000) ?? 100) * 1024 * 1024;
    await cli.printCommitted({ removed_files: await pruneFiles(cli.io, { days, bytes }) });
  },
};
