import { parseJson } from '../../../core/json.ts';
import type { PaymentRow } from '../../ledger/payments.ts';
import { type Html, html } from '../html.ts';
import { type Mood, stateBox } from '../marks.ts';
import type { Visit } from './find.ts';

const isCrypto = ({ transaction_type }: PaymentRow): boolean => transaction_type === 'crypto';

const waitingFor = ({ row, charge }: Visit): readonly [string, string] => {
  if (charge?.kind === 'pix') return ['Waiting for the Pix', 'Pay with the code, or choose the outcome of the bank.'];
  if (charge?.kind === 'card') return ['Waiting for a card', 'Enter one, or choose the outcome of its issuer.'];
  if (isCrypto(row)) return ['Waiting for a signature', 'The owner of the wallet pays, with its key.'];
  return ['Waiting', 'Nothing can be done here at the moment.'];
};

/** The message of the error, as the service stores it. */
const failureOf = (row: PaymentRow): string => {
  const error = row.data_error === null ? undefined : (parseJson(row.data_error) as { readonly message?: unknown });
  return typeof error?.message === 'string' ? error.message : 'The payment failed.';
};

const stateOf = (visit: Visit): readonly [Mood, string, string] => {
  const { row } = visit;
  const { status, to_chain: chain, transaction_type: type } = row;
  switch (status) {
    case 'registered':
    case 'retry':
      return ['wait', ...waitingFor(visit)];
    case 'processing':
      if (isCrypto(row)) return ['wait', 'Sent', `Waiting for ${row.chain_name} to confirm it.`];
      return ['wait', 'Paid', `The receivers are being paid on ${chain}.`];
    case 'received':
      return ['wait', 'Received', `The bridge brings it to ${chain}.`];
    case 'success':
      return ['good', 'Paid', type === 'cardfiat' ? 'The card was charged.' : `The receivers were paid on ${chain}.`];
    case 'error':
      return ['bad', 'Not paid', failureOf(row)];
    default:
      return ['wait', status, ''];
  }
};

/** The box with the state of a payment. */
export const stateView = (visit: Visit): Html => {
  const [mood, headline, text] = stateOf(visit);
  return stateBox(mood, headline, html`<p>${text}</p>`);
};
