import { Failure } from '../../../core/failure.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { type Given, isOn, textOf } from '../../options.ts';
import { sandboxControl } from './control.ts';

type Control = Awaited<ReturnType<typeof sandboxControl>>;
type SentEvent = Awaited<ReturnType<Control['resend']>>;

/** What a table shows of a webhook. */
const rowOf = ({ id, payment_id, payment_status, state, attempts, last_http }: SentEvent) => ({
  ...{ id, payment_id, payment_status, state, attempts, last_http },
});

const numberOf = (given: Given, name: string): number | undefined => {
  const text = textOf(given, name);
  if (text === undefined || /^\d{1,15}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new Failure('invalid_input', `--${name}: "${text}" is not the number of an event`);
};

const run = async (cli: Cli, given: Given): Promise<void> => {
  const [id, deliveriesOf, targets] = [
    numberOf(given, 'resend'),
    numberOf(given, 'deliveries'),
    textOf(given, 'send-to'),
  ];
  const control = await sandboxControl(cli);
  if (targets === 'loopback' || targets === 'any') await control.webhooks(targets);
  if (id !== undefined) {
    const event = await control.resend(id);
    return cli.answer(event, rowOf(event));
  }
  if (isOn(given, 'targets')) return cli.answer(await control.webhookTargets());
  if (deliveriesOf !== undefined) return cli.answer(await control.deliveries(deliveriesOf));
  const events = await control.events(textOf(given, 'payment_id'));
  const brief = ['id', 'payment_id', 'payment_status', 'state', 'attempts', 'last_http'];
  const none = 'No webhook was sent. A payment that goes on sends one.';
  return cli.answer(events, events.map(rowOf), { brief, none });
};

/** `sandbox events`. */
export const events: Leaf = {
  words: ['sandbox', 'events'],
  summary: 'Show the webhooks of the sandbox and what came of them, newest first, or send one again',
  about: [
    'A webhook goes to the webhook_url of its payment, when that is on this machine; to others only after',
    '--send-to any, and until then it is not_sent. What fails is sent again, with pauses that double, for 24 hours of the',
    'sandbox. The body is {event, created_at, data}; data is the payment as pay status shows it.',
  ],
  arguments: [{ name: 'PAYMENT_ID', says: 'Only those of this payment', isOptional: true, completes: 'payments' }],
  options: [
    { flag: '--resend', value: 'ID', says: 'Send the webhook of this number again' },
    {
      flag: '--deliveries',
      value: 'ID',
      says: 'Show each attempt to send the webhook of this number, and the answers',
    },
    { flag: '--targets', says: 'Show where webhooks may go' },
    { flag: '--send-to', value: 'WHERE', choices: ['loopback', 'any'], says: 'Where webhooks may go from now on' },
  ],
  fails: ['sandbox_unavailable', 'not_found', 'rejected'],
  examples: [
    'sandbox events',
    'sandbox events --deliveries 7',
    'sandbox events --resend 7',
    'sandbox events --send-to any',
  ],
  run,
};
