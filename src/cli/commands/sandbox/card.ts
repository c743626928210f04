import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { sandboxControl } from './control.ts';
import { onCharge } from './no-charge.ts';
import { oneOutcome } from './pix.ts';

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { PAYMENT_ID: payment_id } = required({ PAYMENT_ID: stringArg(given, 'payment_id') });
  const outcome = oneOutcome(given, ['approve', 'refuse'] as const);
  if (!outcome) throw new Failure('invalid_input', 'missing: --approve or --refuse');
  const control = await sandboxControl(cli);
  await cli.printResult(await onCharge(control.actOnCard({ payment_id, outcome }), payment_id, 'card'));
};

/** `sandbox card`. */
export const card: Command = {
  words: ['sandbox', 'card'],
  summary: 'Approve or refuse a card of the sandbox that is pending',
  about: [
    'Test tokens: tok_refused, tok_insufficient_funds and tok_expired are refused, tok_pending waits for this command, any other is approved. Of raw cards the number 4000000000000002 is refused.',
  ],
  arguments: [
    {
      name: 'PAYMENT_ID',
      description: 'Id of the payment',
      completes: 'payments',
      question: 'Which payment?',
      order: -100,
      suggest: async () => (await import('../../prompt/suggestions.ts')).suggestCardPayments,
    },
  ],
  options: [
    { flag: '--approve', description: 'The issuer approves' },
    { flag: '--refuse', description: 'The issuer refuses' },
  ],
  fails: ['sandbox_unavailable', 'not_found', 'rejected'],
  examples: ['sandbox card pay_0123 --approve'],
  run,
};
