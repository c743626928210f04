import type { Kind } from '../../contract/chains.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import type { Check } from './check.ts';

/** The id of the check of what the payer has. */
export const FUNDS = 'funds';

/** Whether a review found that the payer lacks what the transaction needs. */
export const lacksFunds = (checks: readonly Check[]): boolean =>
  checks.some(({ id, verdict }) => id === FUNDS && verdict === 'refuse');

/** In a sandbox, the command that gives an empty wallet what its transaction needs; `who` is a key or an address. */
export const fundingCommand = (checks: readonly Check[], kind: Kind, who: string): NextStep | undefined =>
  kind === 'sandbox' && lacksFunds(checks) ? nextStep('sandbox.fund', who) : undefined;
