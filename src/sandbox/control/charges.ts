import { decideCard, decidePix, readPix } from '../../contract/control/charges.ts';
import { actOnCard, actOnPix, pixOf } from '../charges/act.ts';
import { fail, succeed } from '../handlers/handler.ts';
import { handleControl } from './handler.ts';

/** The decisions of the payer's bank and of the card issuer. */
export const CHARGE_HANDLERS = {
  [readPix.id]: handleControl(readPix, async ({ services }, { payment_id }) => {
    const pix = await pixOf(services, payment_id);
    return pix ? succeed('pix_found', 'The charge.', pix) : fail('pix_not_found', 'The payment waits for no Pix.');
  }),
  [decidePix.id]: handleControl(decidePix, ({ services }, { payment_id, outcome }) =>
    actOnPix(services, payment_id, outcome),
  ),
  [decideCard.id]: handleControl(decideCard, ({ services }, { payment_id, outcome }) =>
    actOnCard(services, payment_id, outcome),
  ),
};
