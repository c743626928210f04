import { call, type Input } from '../../../client/call.ts';
import type { Envelope } from '../../../client/envelope.ts';
import { register as endpoint } from '../../../contract/pay/register.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import type { Command } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { REGISTER_CUSTOM } from '../../command/payment-options.ts';
import type { CommandContext } from '../../context/context.ts';
import { checkReceivers } from '../../operations/check-receivers.ts';

const fetch = async (cli: CommandContext, _: ParsedArgs, input: Input): Promise<Envelope> => {
  const { callRecorded, registered } = await import('./step.ts');
  return callRecorded(cli, (client) => call(client, endpoint, input), registered(input));
};

const plain = derive(endpoint, {
  ...REGISTER_CUSTOM,
  isCorrectable: true,
  validate: checkReceivers,
  sibling: transaction,
  fetch,
  summary: async (data, input) => (await import('../../summaries/payment-summary.ts')).registeredSummary(data, input),
  examples: [
    'pay register --body payment.json',
    'pay register --body payment.json --jq .payment_id',
    'pay register --body payment.json --dry-run --jq .body',
  ],
});

/** `pay register`. */
export const register: Command = {
  ...plain,
  about: [
    'The first call of a payment; the next is bursar pay transaction. All of them: bursar help payments.',
    'At a terminal it asks for what is missing; with --dry-run --jq .body it prints a body for --body.',
  ],
};
