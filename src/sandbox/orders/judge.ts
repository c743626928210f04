import { create } from '../../contract/order/create.ts';
import { validate } from '../../contract/validate.ts';
import { compareDecimals, isDecimal } from '../../core/decimal.ts';
import type { FieldError } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { FIATS, MAX_ORDER_BYTES } from '../assumptions.ts';
import type { OrderFields } from './order.ts';

const problem = (isWrong: boolean, field: string, message: string): readonly FieldError[] =>
  isWrong ? [{ field, message }] : [];

/**
 * What is wrong with an order as it would be stored. After an update that is the merged one: a split may only then
 * sum to 100, or cease to.
 */
export const problemsOfOrder = (fields: OrderFields): readonly FieldError[] => {
  const valid = validate(create, fields);
  if (!valid.ok) return valid.problems.map(({ field, message }) => ({ field, message }));
  const { from_currency_symbol: fiat, amount_from: amount } = fields;
  const isPositive = typeof amount === 'string' && isDecimal(amount) && compareDecimals(amount, '0') > 0;
  return [
    ...problem(!FIATS.includes(String(fiat)), 'from_currency_symbol', `must be one of ${FIATS.join(', ')}`),
    ...problem(!isPositive, 'amount_from', 'must be more than 0'),
    ...problem(printJson(fields).length > MAX_ORDER_BYTES, 'body', `an order has at most ${MAX_ORDER_BYTES} bytes`),
  ];
};
