import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { parseJson } from '../../core/json.ts';
import { type ChargeRow, findCharge } from '../ledger/charges.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { anyPayment } from '../ledger/payouts.ts';
import { movePayment } from '../payments/move.ts';
import type { Services } from '../services.ts';
import { type CardOutcome, REFUSED } from './card.ts';
import type { PixDetails } from './pix.ts';
import { applyOutcome } from './settle-card.ts';
import { type PixOutcome, settlePix } from './settle-pix.ts';

/** What somebody outside did to a charge, or why nothing could be done. */
export type Acted =
  | { readonly ok: true; readonly payment_id: string; readonly status: string }
  | { readonly ok: false; readonly http: number; readonly status: string; readonly message: string };

const refuse = (http: number, status: string, message: string): Acted => ({ ok: false, http, status, message });

type Waiting = { readonly row: PaymentRow; readonly charge: ChargeRow };

/** A payment that waits for its Pix or its card, and its charge. */
const waiting = async (services: Services, id: string, kind: ChargeRow['kind']): Promise<Waiting | Acted> => {
  const ledger = await services.ledger();
  const row = await anyPayment(ledger, id);
  if (!row) return refuse(404, 'payment_not_found', 'There is no such payment.');
  const charge = await findCharge(ledger, id);
  if (charge?.kind === kind && EXECUTABLE_STATUSES.includes(row.status)) return { row, charge };
  return refuse(409, 'invalid_payment_status', `The payment is ${row.status} and waits for no ${kind}.`);
};

const now = async (services: Services, id: string, isMoved: boolean): Promise<Acted> => {
  const row = await anyPayment(await services.ledger(), id);
  if (isMoved && row) return { ok: true, payment_id: id, status: row.status };
  return refuse(409, 'invalid_payment_status', 'The payment has moved on.');
};

/** Pays, refuses or expires a Pix charge. One whose time is over is expired, whatever was wanted. */
export const actOnPix = async (services: Services, id: string, outcome: PixOutcome): Promise<Acted> => {
  const found = await waiting(services, id, 'pix');
  if ('ok' in found) return found;
  const { row, charge } = found;
  const isLate = (charge.expires_ms ?? 0) <= services.clock.now();
  const isMoved = await settlePix(services, row, charge, isLate ? 'expire' : outcome);
  if (isLate && outcome !== 'expire') return refuse(409, 'pix_expired', 'The Pix charge has expired.');
  return now(services, id, isMoved);
};

/** Approves or refuses a card that waits for it. */
export const actOnCard = (services: Services, id: string, outcome: 'approve' | 'refuse'): Promise<Acted> =>
  decideCard(services, id, outcome === 'approve' ? { kind: 'approved' } : REFUSED);

/** Gives a card that waits for it what its issuer says. */
export const decideCard = async (services: Services, id: string, said: CardOutcome): Promise<Acted> => {
  const found = await waiting(services, id, 'card');
  if ('ok' in found) return found;
  const { row } = found;
  const { change, also } = applyOutcome(row, row.transaction_type ?? '', said, services.clock.now());
  const expected = { id, statuses: EXECUTABLE_STATUSES, session_hash: row.session_hash };
  return now(services, id, await movePayment(services, expected, change, also));
};

/** What the payer of a Pix charge needs; `undefined` when the payment waits for none. */
export const pixOf = async (services: Services, id: string) => {
  const charge = await findCharge(await services.ledger(), id);
  if (charge?.kind !== 'pix') return undefined;
  const { txid, code, amount } = parseJson(charge.details) as PixDetails;
  return { payment_id: id, txid, code, amount, expires_at: new Date(charge.expires_ms ?? 0).toISOString() };
};
