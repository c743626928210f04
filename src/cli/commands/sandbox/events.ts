import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { sandboxControl } from './control.ts';

type Control = Awaited<ReturnType<typeof sandboxControl>>;
type SentEvent = Awaited<ReturnType<Control['resend']>>;

/** What a table shows of a webhook. */
const rowOf = ({ id, payment_id, payment_status, state, attempts, last_http }: SentEvent) => ({
  ...{ id, payment_id, payment_status, state, attempts, last_http },
});

const numberOf = (given: ParsedArgs, name: string): number | undefined => {
  const text = stringArg(given, name);
  if (text === undefined || /^\d{1,15}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new Failure('invalid_input', `--${name}: "${text}" is not the number of an event`);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const [id, deliveriesOf, targets] = [
    numberOf(given, 'resend'),
    numberOf(given, 'deliveries'),
    stringArg(given, 'send-to'),
  ];
  const control = await sandboxControl(cli);
  if (targets === 'loopback' || targets === 'any') await control.webhooks(targets);
  if (id !== undefined) {
    const event = await control.resend(id);
    return cli.printResult(event, rowOf(event));
  }
  if (boolArg(given, 'targets')) return cli.printResult(await control.webhookTargets());
  if (deliveriesOf !== undefined) return cli.printResult(await control.deliveries(deliveriesOf));
  const events = await control.events(stringArg(given, 'payment_id'));
  const brief = ['id', 'payment_id', 'payment_status', 'state', 'attempts', 'last_http'];
  const none = 'No webhook was sent. A payment that goes on sends one.';
  return cli.printResult(events, events.map(rowOf), { brief, none });
};

/** `sandbox events`. */
export const events: Command = {
  words: ['sandbox', 'events'],
  summary: 'Show the webhooks of the sandbox and what came of them, newest first, or send one again',
  about: [
    'A webhook goes to the webhook_url of its payment, when that is on this machine; to others only after --send-to any, and until then it is not_sent. What fails is sent again, with pauses that double, for 24 hours of the sandbox. The body is {event, created_at, data}; data is the payment as pay status shows it.',
  ],
  arguments: [
    { name: 'PAYMENT_ID', description: 'Only those of this payment', isOptional: true, completes: 'payments' },
  ],
  options: [
    { flag: '--resend', value: 'ID', description: 'Send the webhook of this number again' },
    {
      flag: '--deliveries',
      value: 'ID',
      description: 'Show each attempt to send the webhook of this number, and the answers',
    },
    { flag: '--targets', description: 'Show where webhooks may go' },
    {
      flag: '--send-to',
      value: 'WHERE',
      choices: ['loopback', 'any'],
      description: 'Where webhooks may go from now on',
    },
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
