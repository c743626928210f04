import { findCharge, firstToExpire, forgetCharge } from '../ledger/charges.ts';
import { anyPayment } from '../ledger/payouts.ts';
import type { Services } from '../services.ts';
import { startWorker, type Worker } from '../worker.ts';
import { settlePix } from './settle-pix.ts';

/** Ends Pix charges whose time is over. */
export const startExpiry = (services: Services): Worker =>
  startWorker(services.io, 'the expiry of Pix charges', async () => {
    const ledger = await services.ledger();
    const charge = await firstToExpire(ledger);
    if (!charge) return undefined;
    const left = (charge.expires_ms ?? 0) - services.clock.now();
    if (left > 0) return left;
    const payment = await anyPayment(ledger, charge.payment_id);
    // The payer may have got another charge meanwhile: it is looked at next, with its own time.
    const isSame = (await findCharge(ledger, charge.payment_id))?.details === charge.details;
    if (!payment || (isSame && !(await settlePix(services, payment, charge, 'expire')))) {
      await forgetCharge(ledger, charge);
    }
    return 0;
  });
