import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { sandboxControl } from './control.ts';
import { onCharge } from './no-charge.ts';

const OUTCOMES = ['pay', 'refuse', 'expire'] as const;

/** The one outcome of several switches that is on; `undefined` when none is. */
export const oneOutcome = <T extends string>(given: ParsedArgs, outcomes: readonly T[]): T | undefined => {
  const [one, ...others] = outcomes.filter((outcome) => boolArg(given, outcome));
  if (others.length === 0) return one;
  throw new Failure('invalid_input', `give only one of ${outcomes.map((outcome) => `--${outcome}`).join(', ')}`);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { PAYMENT_ID: payment_id } = required({ PAYMENT_ID: stringArg(given, 'payment_id') });
  const outcome = oneOutcome(given, OUTCOMES);
  const control = await sandboxControl(cli);
  const work = outcome ? control.actOnPix({ payment_id, outcome }) : control.pix(payment_id);
  await cli.printResult(await onCharge<unknown>(work, payment_id, 'pix'));
};

/** `sandbox pix`. */
export const pix: Command = {
  words: ['sandbox', 'pix'],
  summary: 'Pay a Pix charge of the sandbox, or show its code',
  about: ['As the bank of the payer would. Paid, the receivers get their shares on the chain.'],
  arguments: [
    {
      name: 'PAYMENT_ID',
      description: 'Id of the payment',
      completes: 'payments',
      question: 'Which payment?',
      order: -100,
      suggest: async () => (await import('../../prompt/suggestions.ts')).suggestPixPayments,
    },
  ],
  options: [
    { flag: '--pay', description: 'The payer pays' },
    { flag: '--refuse', description: 'The bank refuses' },
    { flag: '--expire', description: 'Nobody paid in time' },
  ],
  fails: ['sandbox_unavailable', 'not_found', 'rejected'],
  examples: ['sandbox pix pay_0123', 'sandbox pix pay_0123 --pay'],
  run,
};
