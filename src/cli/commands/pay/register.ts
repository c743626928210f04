import { call, type Input } from '../../../client/call.ts';
import type { Envelope } from '../../../client/envelope.ts';
import { register as endpoint } from '../../../contract/pay/register.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import { checkReceivers } from '../../check-receivers.ts';
import type { Cli } from '../../cli.ts';
import { derive } from '../../derive.ts';
import type { Given } from '../../options.ts';
import { REGISTER_CUSTOM } from '../../payment-options.ts';

const fetch = async (cli: Cli, _: Given, input: Input): Promise<Envelope> => {
  const [{ callRecorded }, { registered }] = await Promise.all([import('./step.ts'), import('./step-intents.ts')]);
  return callRecorded(cli, (client) => call(client, endpoint, input), registered(input));
};

/** `pay register`. */
export const register = derive(endpoint, {
  ...REGISTER_CUSTOM,
  judge: checkReceivers,
  sibling: transaction,
  fetch,
  card: async (data, input) => (await import('../../cards/payment-card.ts')).registeredCard(data, input),
  examples: ['pay register --body payment.json', 'pay register --body - --json'],
});
