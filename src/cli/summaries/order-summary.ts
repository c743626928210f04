import { allowedMethods } from '../../contract/pay/shared.ts';
import { isJsonObject, textAt, valueAt } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { isPlainId } from '../../core/text.ts';
import type { Fact, Summary } from '../../output/summary.ts';
import { receiversIn } from './payment-summary.ts';

/** The amount and currencies of an order, such as `25 BRL for USDT`. */
const orderInWords = (order: unknown): string | undefined => {
  const [amount, from] = [textAt(order, 'amount_from'), textAt(order, 'from_currency_symbol')];
  const to = textAt(order, 'to_currency_symbol');
  return amount === undefined ? undefined : `${amount} ${from ?? ''} for ${to ?? '?'}`;
};

/** The payment methods that an order allows. */
export const methodsOf = (order: unknown): string | undefined => {
  const methods = valueAt(order, 'payment_method_allowed');
  return isJsonObject(methods) ? allowedMethods(methods).join(', ') : undefined;
};

const factsOf = (order: unknown): readonly Fact[] => [
  ['methods', methodsOf(order)],
  ['gateway', textAt(order, 'gateway_method')],
  ['on-ramp', valueAt(order, 'on_ramp') === true ? 'yes' : undefined],
  ...receiversIn(order),
  ['created', textAt(order, 'created_at')],
  ['changed', textAt(order, 'updated_at')],
];

/** A new order. The answer has only its id; the facts come from the input. */
export const createdSummary = (data: unknown, input: unknown): Summary | undefined => {
  const id = textAt(data, 'order_id');
  if (id === undefined) return undefined;
  return {
    tone: 'good',
    headline: `Created an order of ${orderInWords(input)}`,
    facts: [...factsOf(input), ['order', id]],
    // A payment of an order asks nobody for an identity.
    next: isPlainId(id) ? nextStep('pay.run', ['--order-code', id]) : undefined,
  };
};

/** Whether an order can be used; `undefined` if the response does not show it. */
export const activeStateOf = (order: unknown): 'active' | 'inactive' | undefined => {
  const active = valueAt(order, 'active');
  if (typeof active !== 'boolean') return undefined;
  return active ? 'active' : 'inactive';
};

/** Summary of a stored order. */
export const orderSummary = (order: unknown): Summary | undefined => {
  const [id, description] = [textAt(order, 'id'), orderInWords(order)];
  if (id === undefined || description === undefined) return undefined;
  const headline = `The order is stored: ${description}, ${activeStateOf(order) ?? 'active state unknown'}`;
  return { tone: 'good', headline, facts: [...factsOf(order), ['order', id]] };
};

/** Summary of a toggled order. */
export const switchedSummary = (data: unknown): Summary | undefined => {
  const [id, state] = [textAt(data, 'id'), activeStateOf(data)];
  if (id === undefined || state === undefined) return undefined;
  return { tone: 'good', headline: `The order is ${state}`, facts: [['order', id]] };
};
