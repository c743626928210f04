import { release, trigger as triggerPayment } from '../../../contract/control/payments.ts';
import { amended, Failure, withDetails } from '../../../core/failure.ts';
import { nextStep, withOptions } from '../../../core/next.ts';
import { type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { listenerUrl } from '../../context/listener.ts';
import { printTitled } from '../../print/steps.ts';
import { SANDBOX } from '../../profiles/profile.ts';
import { controlCommand, descriptionOf, fieldOption, wordFrom } from './control.ts';

const { state: stateField, webhook_url, amount, chain } = triggerPayment.body;

const STATES = stateField.options;

/** The options of a new payment, without dashes. */
const OF_NEW = ['webhook-url', 'amount', 'chain'];

/** Throws `usage` for the fields of a new payment. */
const assertAlone = (given: ParsedArgs): void => {
  if (stringArg(given, 'state') !== undefined) throw new Failure('usage', '--release goes without a state');
  const other = OF_NEW.find((name) => given[name] !== undefined);
  if (other !== undefined) throw new Failure('usage', `--release makes no payment: it goes without --${other}`);
};

/** Adds the command that shows the payment, or the one that makes a payment to release. */
const explainRelease = (failure: Failure, id: string): Failure => {
  if (failure.code === 'not_found') {
    const hint = 'The next command makes a payment to release.';
    const next = nextStep('sandbox.trigger');
    return new Failure('not_found', `this sandbox has no payment ${id}`, { ...failure.details, hint, next });
  }
  const next = withOptions(nextStep('pay.status', id), ['--profile', SANDBOX]);
  return failure.code === 'rejected' ? withDetails(failure, { next }) : failure;
};

const explainChain = (failure: Failure, name: string): Failure =>
  failure.details.status === 'invalid_chain'
    ? withDetails(failure, { next: nextStep('sandbox.chain.enable', name) })
    : failure;

/** `sandbox trigger`. */
export const trigger = controlCommand({
  verb: 'trigger',
  summary: triggerPayment.summary,
  about: [
    'The payer is new and has test money. The payment runs by the code of real requests, on a real node.',
    'In processing the signed transaction is saved and not sent. --release or a restart of the sandbox sends it.',
    'In received the bridge pays the receivers one second later; then the payment is in success.',
  ],
  controls: [triggerPayment, release],
  arguments: [
    {
      name: 'STATE',
      description: 'State of the payment',
      isOptional: true,
      question: descriptionOf(stateField),
      choices: STATES,
    },
  ],
  options: [
    fieldOption('--webhook-url', webhook_url, 'URL'),
    fieldOption('--amount', amount, 'AMOUNT'),
    { ...fieldOption('--chain', chain, 'CHAIN'), completes: 'evm-chains' },
    {
      flag: '--release',
      value: 'PAYMENT_ID',
      description: 'Send the saved transaction of a payment in processing',
    },
  ],
  examples: [
    'sandbox trigger success --webhook-url http://127.0.0.1:3000/hook',
    'sandbox trigger processing',
    'sandbox trigger --release pay_0123',
  ],
  run: async (cli, given, call) => {
    const payment_id = stringArg(given, 'release');
    if (payment_id !== undefined) {
      assertAlone(given);
      const work = call(release, { payment_id }).catch(amended((failure) => explainRelease(failure, payment_id)));
      return cli.printCommitted(await cli.io.spin('Sending the transaction', work));
    }
    const state = wordFrom(
      required({ STATE: stringArg(given, 'state') }).STATE,
      STATES,
      'state of a payment',
      'states',
    );
    const name = chain.parse(stringArg(given, 'chain'));
    const fields = {
      state,
      webhook_url: stringArg(given, 'webhook-url') ?? (await listenerUrl(cli)),
      amount: stringArg(given, 'amount'),
      chain: name,
    };
    const work = call(triggerPayment, fields).catch(amended((failure) => explainChain(failure, name)));
    const triggered = await cli.io.spin(`Making a payment in ${state}`, work);
    await cli.printCommitted(triggered);
    if (triggered.status !== 'processing' || !cli.io.stdout.isTerminal) return undefined;
    return printTitled(cli, 'To send its transaction', `bursar sandbox trigger --release ${triggered.payment_id}`);
  },
});
