import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { parseJson } from '../../core/json.ts';
import { fail, succeed } from '../handlers/handler.ts';
import { anyPayment, type ChargeRow, findCharge } from '../ledger/charges.ts';
import { movePayment } from '../payments/settle.ts';
import type { Services } from '../services.ts';
import { applyOutcome, type CardOutcome, REFUSED } from './card.ts';
import { type PixDetails, type PixOutcome, settlePix } from './pix.ts';

/** The payment and its open charge of this kind, or the error for a payment without one. */
const findWaiting = async (services: Services, id: string, kind: ChargeRow['kind']) => {
  const ledger = await services.ledger();
  const row = await anyPayment(ledger, id);
  if (!row) return fail('payment_not_found', 'There is no such payment.');
  const charge = await findCharge(ledger, id);
  if (charge?.kind === kind && EXECUTABLE_STATUSES.includes(row.status)) return { ok: true, row, charge } as const;
  return fail(
    'invalid_payment_status',
    `The payment is ${row.status} and waits for no ${kind === 'pix' ? 'Pix' : 'card'}.`,
  );
};

const resultOf = async (services: Services, id: string, isMoved: boolean) => {
  const row = await anyPayment(await services.ledger(), id);
  if (!isMoved || !row) return fail('invalid_payment_status', 'The payment has moved on.');
  return succeed('payment_changed', `The payment is ${row.status}.`, { payment_id: id, status: row.status });
};

/** Pays, refuses or expires a Pix charge. A charge past its time expires with any outcome. */
export const actOnPix = async (services: Services, id: string, outcome: PixOutcome) => {
  const found = await findWaiting(services, id, 'pix');
  if (!found.ok) return found;
  const { row, charge } = found;
  const isLate = (charge.expires_ms ?? 0) <= services.clock.now();
  const isMoved = await settlePix(services, row, charge, isLate ? 'expire' : outcome);
  if (isLate && outcome !== 'expire') return fail('pix_expired', 'The Pix charge has expired.');
  return resultOf(services, id, isMoved);
};

/** Approves or refuses a pending card. */
export const actOnCard = (services: Services, id: string, outcome: 'approve' | 'refuse') =>
  decideCard(services, id, outcome === 'approve' ? { kind: 'approved' } : REFUSED);

/** Applies the issuer's decision to a pending card. */
export const decideCard = async (services: Services, id: string, outcome: CardOutcome) => {
  const found = await findWaiting(services, id, 'card');
  if (!found.ok) return found;
  const { row } = found;
  const { change, also } = applyOutcome(row, row.transaction_type ?? '', outcome, services.clock.now());
  const expected = { id, statuses: EXECUTABLE_STATUSES, session_hash: row.session_hash };
  return resultOf(services, id, await movePayment(services, expected, change, also));
};

/** The open Pix charge of a payment; `undefined` without one. */
export const pixOf = async (services: Services, id: string) => {
  const charge = await findCharge(await services.ledger(), id);
  if (charge?.kind !== 'pix') return undefined;
  const { txid, code, amount } = parseJson(charge.details) as PixDetails;
  return { payment_id: id, txid, code, amount, expires_at: new Date(charge.expires_ms ?? 0).toISOString() };
};
