import { type Client, call, type Input } from '../../../client/call.ts';
import type { Envelope } from '../../../client/envelope.ts';
import { register as registerEndpoint } from '../../../contract/pay/register.ts';
import { transaction as transactionEndpoint } from '../../../contract/pay/transaction.ts';
import { CARD_CUSTOM, isCardType, withCard } from '../../command/card-options.ts';
import type { CommandContext } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { REGISTER_CUSTOM, TRANSACTION_FIELDS } from '../../command/payment-options.ts';
import { checkRegisteredAmount } from '../../operations/check-amounts.ts';
import { checkPayer } from '../../operations/check-payer.ts';
import { checkReceivers } from '../../operations/check-receivers.ts';
import { CHARGE_STATEMENTS, UNPAID_ID } from './plan.ts';
import { PAY_AT_MOST_OPTION } from './stated.ts';

/** Registers a payment and records it. */
const sendRegistration = async (cli: CommandContext, _: ParsedArgs, input: Input): Promise<Envelope> => {
  const { callRecorded, registered } = await import('./step.ts');
  return callRecorded(cli, (client) => call(client, registerEndpoint, input), registered(input));
};

/** `pay register`. */
export const register = derive(registerEndpoint, {
  ...REGISTER_CUSTOM,
  about: [
    'The first call of a payment; the next is bursar pay transaction. All of them: bursar help payments.',
    'At a terminal it asks for what is missing; with --dry-run --jq .body it prints a body for --body.',
  ],
  isCorrectable: true,
  validate: async (cli, input) => {
    await checkRegisteredAmount(cli, input);
    await checkReceivers(cli, input);
  },
  sibling: transactionEndpoint,
  fetch: sendRegistration,
  summary: async (data, input) => (await import('../../summaries/payment-summary.ts')).registeredSummary(data, input),
  examples: [
    'pay register --body payment.json',
    'pay register --body payment.json --jq .payment_id',
    'pay register --body payment.json --dry-run --jq .body',
  ],
});

/** Creates a transaction and records it. */
const sendTransaction = async (cli: CommandContext, given: ParsedArgs, input: Input): Promise<Envelope> => {
  const { createOnce } = await import('../../../flows/pay/prepare.ts');
  const create = (client: Client) => createOnce(client, input);
  const type = input['transaction_type'];
  if (type === 'crypto') {
    const { callRecorded, created, createInTurn } = await import('./step.ts');
    const payAtMost = stringArg(given, 'pay-at-most');
    return callRecorded(cli, (client) => createInTurn(cli, client, input), { ...created(input), payAtMost });
  }
  const { sendCard, sendPix } = await import('./charge-step.ts');
  return isCardType(type) ? sendCard(cli, given, input, create) : sendPix(cli, given, input, create);
};

/** `pay transaction`. */
export const transaction = derive(transactionEndpoint, {
  about: [
    'The second call of a payment. In crypto it answers crypto_tx, to be signed: bursar pay execute is next. Of a Pix it answers the code in fiat_tx; a card is charged by it.',
  ],
  arguments: { payment_id: UNPAID_ID },
  ...CARD_CUSTOM,
  fields: TRANSACTION_FIELDS,
  isCorrectable: true,
  validate: checkPayer,
  options: [...CARD_CUSTOM.options, ...CHARGE_STATEMENTS, PAY_AT_MOST_OPTION],
  sibling: registerEndpoint,
  complete: withCard,
  fetch: sendTransaction,
  summary: async (data, input) => (await import('../../summaries/payment-summary.ts')).transactionSummary(data, input),
  examples: [
    'pay transaction pay_0123 --transaction-type crypto --payer-email payer@example.com --payer-wallet 0x1111111111111111111111111111111111111111 --chain-name polygon --payer-token-symbol USDT',
    'pay transaction pay_0123 --transaction-type pixcrypto --payer-email payer@example.com --payer-cpf 529.982.247-25',
  ],
});
