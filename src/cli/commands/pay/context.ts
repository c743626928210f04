import type { Review } from '../../../chain/evm/review.ts';
import { networkFor } from '../../../chain/registry.ts';
import type { Client } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import { Failure } from '../../../core/failure.ts';
import type { PayContext } from '../../../flows/pay/context.ts';
import type { PaymentIntent } from '../../../journal/entry.ts';
import { beginMovement } from '../../../journal/movement.ts';
import type { Cli } from '../../cli.ts';
import type { Given } from '../../options.ts';
import { overridesFrom } from './shared.ts';
import { sayEvents } from './show.ts';

/** Asking must be possible before anything is begun: a question nobody can answer would come too late. */
export const assertCanConfirm = (cli: Cli): void => {
  if (cli.globals.yes || cli.io.prompt.isPossible) return;
  throw new Failure('confirmation_needed', 'this moves money, and nobody can be asked to confirm it', {
    hint: 'Nothing was sent.',
    next: 'Add --yes to confirm it beforehand.',
  });
};

/** The money question names the service: test and live must never be mistaken for each other. */
const approveWith =
  (cli: Cli, { profile, kind }: Service): PayContext['approve'] =>
  async ({ chain, moves, verdict }: Review) => {
    const amounts = moves.map(({ amount, token }) => `${amount} ${token}`).join(' + ') || 'an unknown amount';
    const doubt = verdict === 'fine' ? '' : ' The review could not vouch for all of it.';
    const where = profile === kind ? kind : `${profile}, ${kind}`;
    return cli.confirm(`Pay ${amounts} on ${chain} (${where})?${doubt}`);
  };

/** Opens the journal of a payment and puts together what its steps work with. */
export const openPayment = async (
  cli: Cli,
  client: Client,
  given: Given,
  intent: PaymentIntent,
): Promise<PayContext> => {
  const { profile, kind, baseUrl } = client.service;
  return {
    client,
    network: networkFor(kind),
    movement: await beginMovement(cli.io, { profile, kind, baseUrl, intent }),
    overrides: overridesFrom(given),
    approve: approveWith(cli, client.service),
    on: sayEvents(cli),
  };
};
