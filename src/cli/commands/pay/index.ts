import { register } from '../../../contract/pay/register.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import type { Leaf } from '../../command.ts';
import { derive } from '../../derive.ts';
import { forgetOf } from '../../movements/forget.ts';
import { listOf } from '../../movements/list.ts';
import { showOf } from '../../movements/show.ts';
import { REGISTER_CUSTOM } from '../../payment-options.ts';
import { execute } from './execute.ts';
import { PAYMENTS } from './journal.ts';
import { resume } from './resume.ts';
import { run } from './run.ts';
import { PAYMENT_ID } from './shared.ts';
import { sign } from './sign.ts';
import { status } from './status.ts';

export const pay: readonly Leaf[] = [
  run,
  derive(register, {
    ...REGISTER_CUSTOM,
    examples: ['pay register --body payment.json', 'pay register --body - --json'],
  }),
  derive(transaction, {
    arguments: { payment_id: PAYMENT_ID },
    examples: [
      'pay transaction pay_0123 --transaction-type crypto --payer-email payer@example.com --payer-wallet 0x1111111111111111111111111111111111111111 --chain-name polygon --payer-token-symbol USDT',
    ],
  }),
  sign,
  execute,
  status,
  resume,
  listOf(PAYMENTS),
  showOf(PAYMENTS),
  forgetOf(PAYMENTS),
];
