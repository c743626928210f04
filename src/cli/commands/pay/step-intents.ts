import type { Input } from '../../../client/call.ts';
import type { Envelope } from '../../../client/envelope.ts';
import { isJsonObject } from '../../../core/json.ts';
import { receiversOf } from '../../../flows/pay/expected.ts';
import type { Entry, StepIntent } from '../../../journal/entry.ts';

/** A step of a payment, as the journal has it. */
type Step = { readonly intent: StepIntent; readonly before: Entry; readonly after: (envelope: Envelope) => Entry };

const textIn = (input: unknown, name: string): string => {
  const value = isJsonObject(input) ? input[name] : undefined;
  return typeof value === 'string' ? value : '';
};

/** `pay register`: the amount, its currency, and who gets it. */
export const registered = (input: Input): Step => ({
  intent: {
    operation: 'register',
    amount: textIn(input, 'amount_from'),
    currency: textIn(input, 'from_currency_symbol'),
    receivers: receiversOf(input['split_payment_config']),
  },
  before: { step: 'registering' },
  after: ({ data }) => ({ step: 'registered', payment_id: textIn(data, 'payment_id') }),
});

/** `pay transaction`: the chain, the token and the payer. */
export const created = (input: Input): Step => {
  const payment_id = textIn(input, 'payment_id');
  return {
    intent: {
      operation: 'transaction',
      chain: textIn(input, 'chain_name'),
      token: textIn(input, 'payer_token_symbol'),
      payer: textIn(input, 'payer_wallet'),
    },
    before: { step: 'creating', payment_id },
    after: ({ data }) => ({
      step: 'created',
      payment_id,
      crypto_tx: isJsonObject(data) ? data['crypto_tx'] : undefined,
    }),
  };
};
