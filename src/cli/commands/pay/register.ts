import { register as endpoint } from '../../../contract/pay/register.ts';
import { derive } from '../../derive.ts';
import { REGISTER_CUSTOM } from '../../payment-options.ts';

export const register = derive(endpoint, {
  ...REGISTER_CUSTOM,
  examples: ['pay register --body payment.json', 'pay register --body - --json'],
});
