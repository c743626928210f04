import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { type ChargeRow, findCharge } from '../../ledger/charges.ts';
import { findBySession, historyOf, type PaymentRow } from '../../ledger/payments.ts';
import { hashOf } from '../../ledger/tenants.ts';
import type { Services } from '../../services.ts';
import { type Live, liveNow } from '../live.ts';

/** A payment as its page shows it. */
export type Visit = {
  readonly row: PaymentRow;
  /** What it waits for, while it does. */
  readonly charge: ChargeRow | undefined;
  readonly live: Live;
  readonly history: readonly { readonly status: string; readonly at: string }[];
  /** The address of the page, with the token that opens it. */
  readonly address: string;
  /** The address of something that can be done on it. */
  readonly act: (what: string) => string;
};

/** The payment that a token opens; the token of an earlier payer transaction opens nothing. */
export const findVisit = async (services: Services, id: string, token: string): Promise<Visit | undefined> => {
  const live = await liveNow(services);
  const ledger = await services.ledger();
  const row = await findBySession(ledger, id, hashOf(token));
  if (!row) return undefined;
  const charge = EXECUTABLE_STATUSES.includes(row.status) ? await findCharge(ledger, id) : undefined;
  const address = (what: string) => `/pay/${encodeURIComponent(id)}${what}?token=${encodeURIComponent(token)}`;
  return {
    row,
    charge,
    live,
    history: await historyOf(ledger, id),
    address: address(''),
    act: (what) => address(`/${what}`),
  };
};
