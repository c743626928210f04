import { transaction as endpoint } from '../../../contract/pay/transaction.ts';
import { createOnce } from '../../../flows/pay/lost-transaction.ts';
import { derive } from '../../derive.ts';
import { PAYMENT_ID } from './shared.ts';

export const transaction = derive(endpoint, {
  arguments: { payment_id: PAYMENT_ID },
  fetch: async (cli, _, input) => createOnce(await cli.client(), input),
  examples: [
    'pay transaction pay_0123 --transaction-type crypto --payer-email payer@example.com --payer-wallet 0x1111111111111111111111111111111111111111 --chain-name polygon --payer-token-symbol USDT',
  ],
});
