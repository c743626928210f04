import { Failure } from '../../../core/failure.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { type Given, isOn, textOf } from '../../options.ts';
import { required } from '../../required.ts';
import { sandboxControl } from './control.ts';
import { onCharge } from './no-charge.ts';

const OUTCOMES = ['pay', 'refuse', 'expire'] as const;

/** The one outcome of several switches that is on; `undefined` when none is. */
export const oneOutcome = <T extends string>(given: Given, outcomes: readonly T[]): T | undefined => {
  const [one, ...others] = outcomes.filter((outcome) => isOn(given, outcome));
  if (others.length === 0) return one;
  throw new Failure('invalid_input', `give only one of ${outcomes.map((outcome) => `--${outcome}`).join(', ')}`);
};

const run = async (cli: Cli, given: Given): Promise<void> => {
  const { PAYMENT_ID: payment_id } = required({ PAYMENT_ID: textOf(given, 'payment_id') });
  const outcome = oneOutcome(given, OUTCOMES);
  const control = await sandboxControl(cli);
  const work = outcome ? control.actOnPix({ payment_id, outcome }) : control.pix(payment_id);
  await cli.answer(await onCharge<unknown>(work, payment_id, 'pix'));
};

/** `sandbox pix`. */
export const pix: Leaf = {
  words: ['sandbox', 'pix'],
  summary: 'Pay a Pix charge of the sandbox, or show its code',
  about: ['As the bank of the payer would. Paid, the receivers get their shares on the chain.'],
  arguments: [{ name: 'PAYMENT_ID', says: 'Id of the payment', completes: 'payments' }],
  options: [
    { flag: '--pay', says: 'The payer pays' },
    { flag: '--refuse', says: 'The bank refuses' },
    { flag: '--expire', says: 'Nobody paid in time' },
  ],
  fails: ['sandbox_unavailable', 'not_found', 'rejected'],
  examples: ['sandbox pix pay_0123', 'sandbox pix pay_0123 --pay'],
  run,
};
