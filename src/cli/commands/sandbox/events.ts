import { listDeliveries, listEvents, readTargets, resendEvent, setTargets } from '../../../contract/control/events.ts';
import { boolArg, stringArg } from '../../command/options.ts';
import { controlCommand, descriptionOf, fieldOption, wholeArg } from './control.ts';

const COLUMNS = ['id', 'payment_id', 'payment_status', 'state', 'attempts', 'last_http'] as const;

/** The columns of a webhook in a table. */
const rowOf = (event: Readonly<Record<(typeof COLUMNS)[number], unknown>>) =>
  Object.fromEntries(COLUMNS.map((name) => [name, event[name]]));

const TARGETS = setTargets.body.targets;

/** `sandbox events`. */
export const events = controlCommand({
  verb: 'events',
  summary: 'Show the webhooks of the sandbox and their deliveries, newest first, or send one again',
  about: [
    'A webhook goes to the webhook_url of its payment, if that is on this machine.',
    '--send-to any allows other addresses; before that, their webhooks are not_sent.',
    'A failed webhook is sent again, with pauses that double, for 24 hours of the sandbox.',
    'The body is {event, created_at, data}; data is the payment as pay status shows it.',
  ],
  controls: [listEvents, listDeliveries, resendEvent, readTargets, setTargets],
  arguments: [
    {
      name: 'PAYMENT_ID',
      description: descriptionOf(listEvents.query.payment_id),
      isOptional: true,
      completes: 'payments',
    },
  ],
  options: [
    fieldOption('--resend', resendEvent.body.id, 'ID'),
    fieldOption('--deliveries', listDeliveries.query.id, 'ID'),
    { flag: '--targets', description: readTargets.summary },
    fieldOption('--send-to', TARGETS, 'WHERE'),
  ],
  examples: [
    'sandbox events',
    'sandbox events --deliveries 7',
    'sandbox events --resend 7',
    'sandbox events --send-to any',
  ],
  run: async (cli, given, call) => {
    const [resent, shown] = [wholeArg(given, 'resend'), wholeArg(given, 'deliveries')];
    const targets = TARGETS.options.find((word) => word === stringArg(given, 'send-to'));
    if (targets) await call(setTargets, { targets });
    if (resent !== undefined) {
      const event = await call(resendEvent, { id: resent });
      return cli.printResult(event, rowOf(event));
    }
    if (boolArg(given, 'targets')) return cli.printResult(await call(readTargets));
    if (shown !== undefined) return cli.printResult((await call(listDeliveries, { id: shown })).deliveries);
    const { events: found } = await call(listEvents, { payment_id: stringArg(given, 'payment_id') });
    const none = 'No webhook was sent. Each change of a payment sends one.';
    return cli.printResult(found, found.map(rowOf), { brief: COLUMNS, none });
  },
});
