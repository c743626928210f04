import { listDeliveries, listEvents, readTargets, resendEvent, setTargets } from '../../../contract/control/events.ts';
import { amended, Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { CommandContext } from '../../command/command.ts';
import { boolArg, stringArg } from '../../command/options.ts';
import { wholeArg } from '../../command/whole-arg.ts';
import { type ControlCall, controlCommand, descriptionOf, fieldOption } from './control.ts';

const COLUMNS = ['id', 'payment_id', 'payment_status', 'state', 'attempts', 'last_http'] as const;

/** The columns of a webhook in a table. */
const rowOf = (event: Readonly<Record<(typeof COLUMNS)[number], unknown>>) =>
  Object.fromEntries(COLUMNS.map((name) => [name, event[name]]));

const TARGETS = setTargets.body.targets;

const RESULT_WITHIN_MS = 12_000;
const LOOK_EVERY_MS = 50;

/**
 * Sends a webhook again and waits for its answer. A receiver has 10 seconds, and earlier webhooks of the payment go first.
 * Without an answer in time, the webhook is returned unchanged.
 */
const resend = async (
  { io }: CommandContext,
  call: ControlCall<typeof listDeliveries | typeof resendEvent>,
  id: number,
) => {
  const { deliveries: before } = await call(listDeliveries, { id });
  await call(resendEvent, { id });
  const deadline = io.clock.monotonic() + RESULT_WITHIN_MS;
  for (;;) {
    const { event, deliveries } = await call(listDeliveries, { id });
    const hasResult = deliveries.length > before.length || event.state === 'not_sent';
    if (hasResult || io.clock.monotonic() > deadline) return { event, hasResult };
    await io.clock.sleep(LOOK_EVERY_MS, io.interrupted);
  }
};

/** Names the list of the webhooks, where the sandbox has none with a number. */
const findEvent = <T>(id: number, work: Promise<T>): Promise<T> => {
  const explain = (failure: Failure) =>
    new Failure('not_found', `the sandbox has no webhook ${id}`, {
      ...failure.details,
      next: nextStep('sandbox.events'),
      cause: failure,
    });
  return work.catch(amended(explain, 'not_found'));
};

/** Throws `invalid_input` for the number of a webhook in place of the id of a payment. */
const assertPaymentId = (id: string | undefined): void => {
  if (id === undefined || !/^\d+$/.test(id)) return;
  throw new Failure('invalid_input', `"${id}" is no id of a payment`, {
    hint: `To show the webhook with this number: bursar sandbox events --show ${id}`,
    next: nextStep('sandbox.events'),
  });
};

/** Why a webhook was not sent, and the command that allows it. */
const NOT_SENT = 'not_sent: the address is not on this machine, or not http. To allow other machines:';
const ALLOW = '  bursar sandbox events --send-to any';

const NO_RESULT = 'There is no answer yet. An earlier webhook of the payment may wait, or the receiver takes long.';

/** `sandbox events`. */
export const events = controlCommand({
  verb: 'events',
  summary: 'Show the webhooks of the sandbox and their deliveries, newest first, or send one again',
  about: [
    'A webhook goes to the webhook_url of its payment, if that is on this machine.',
    '--send-to any allows other addresses; before that, their webhooks are not_sent.',
    'A failed webhook is sent again, with pauses that double, for 24 hours of the sandbox.',
    'The body is {event, created_at, data}; data is the payment as pay status shows it. --show prints it.',
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
    { flag: '--show', value: 'ID', description: 'Show the webhook with this number: its body, state and attempts' },
    {
      ...fieldOption('--resend', resendEvent.body.id, 'ID'),
      description: 'Send the webhook again, and print the answer',
    },
    fieldOption('--deliveries', listDeliveries.query.id, 'ID'),
    { flag: '--targets', description: readTargets.summary },
    fieldOption('--send-to', TARGETS, 'WHERE'),
  ],
  examples: ['sandbox events', 'sandbox events --show 7', 'sandbox events --resend 7', 'sandbox events --send-to any'],
  run: async (cli, given, call) => {
    const [resent, listed, shown] = ['resend', 'deliveries', 'show'].map((name) => wholeArg(given, name));
    const targets = TARGETS.options.find((word) => word === stringArg(given, 'send-to'));
    const paymentId = stringArg(given, 'payment_id');
    assertPaymentId(paymentId);
    if (targets) await call(setTargets, { targets });
    if (resent !== undefined) {
      const work = findEvent(resent, resend(cli, call, resent));
      const { event, hasResult } = await cli.io.spin('Sending the webhook', work);
      await cli.printResult(event, { ...rowOf(event), last_answer: event.last_answer });
      return hasResult ? undefined : cli.printNote(NO_RESULT);
    }
    if (shown !== undefined) {
      const { event, ...more } = await findEvent(shown, call(listDeliveries, { id: shown }));
      return cli.printResult({ ...event, ...more });
    }
    if (boolArg(given, 'targets')) return cli.printResult(await call(readTargets));
    if (listed !== undefined)
      return cli.printResult((await findEvent(listed, call(listDeliveries, { id: listed }))).deliveries);
    const { events: found } = await call(listEvents, { payment_id: paymentId });
    const none = 'No webhook was sent. Each change of a payment sends one.';
    await cli.printResult(found, found.map(rowOf), { brief: COLUMNS, none });
    if (!cli.io.stdout.isTerminal || !found.some(({ state }) => state === 'not_sent')) return;
    await cli.printNote(NOT_SENT);
    await cli.printNote(ALLOW);
  },
});
