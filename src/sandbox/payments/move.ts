import type { Ledger } from '../ledger/ledger.ts';
import { type Change, changePayment, type Expected } from '../ledger/payments.ts';
import type { Services } from '../services.ts';

/** Changes a payment as `changePayment` does, now, and wakes what follows from it. */
export const movePayment = async (
  services: Services,
  expected: Expected,
  change: Omit<Change, 'updated_at'>,
  also?: (step: Ledger) => Promise<unknown>,
): Promise<boolean> => {
  const updated_at = services.clock.nowIso();
  const isMoved = await changePayment(await services.ledger(), expected, { ...change, updated_at }, also);
  services.nudge();
  return isMoved;
};
