import * as z from 'zod';
import { anyText, moment, number, open, text, undocumented, uri } from '../fields.ts';

/** What the payer of a Pix payment needs. Document: fiat_tx (pix payments). */
export const pixCharge = open(
  {
    status: text('Status of the charge'),
    pix_key: text('Pix key of the receiver'),
    txid: text('Id of the charge at the bank'),
    pixCopiaECola: text('Code that the payer copies into the banking app'),
    pix_qr_code_data_url: uri('The code as an image, as a data URL', text),
    calendar: open(
      {
        criacao: moment('When the charge was made (ISO 8601)'),
        expiracao: number('Seconds after which the charge expires'),
      },
      'When the charge was made, and how long it can be paid',
    ),
    code: number('Code of the answer of the bank'),
  },
  'Pix charge',
  'PixCharge',
);

/** Document, create-transaction: an object for Pix; an object with only a message when the payment is crypto. */
export const fiatTx = z
  .union(
    [
      pixCharge,
      open({ message: anyText('Why there is none') }, 'Message of a payment that is not fiat'),
      // not shown: the shape for card payments.
      undocumented('Fiat transaction of another kind'),
    ],
    'must be an object',
  )
  .describe('Fiat side of the payment');
