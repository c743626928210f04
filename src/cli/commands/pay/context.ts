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
import { nodeFrom, overridesFrom } from './shared.ts';
import { sayEvents } from './show.ts';

/** Asking must be possible before anything is begun: a question nobody can answer would come too late. */
export const assertCanConfirm = (cli: Cli): void => {
  if (cli.globals.yes || cli.io.prompt.isPossible) return;
  throw new Failure('confirmation_needed', 'this moves money, and nobody can be asked to confirm it', {
    hint: 'Nothing was sent.',
    next: 'Add --yes to confirm it beforehand.',
  });
};

/**
 * --yes answers questions and vouches for nothing: what a review cannot vouch for, a person must look at.
 * Throws `refused_by_review` where there is none.
 */
export const askAboutDoubts = async (cli: Cli, { checks }: Review, question: string): Promise<boolean> => {
  if (cli.io.prompt.isPossible) return cli.io.prompt.confirm(question);
  const doubts = checks.filter(({ verdict }) => verdict === 'needs_word').map(({ says }) => says);
  throw new Failure('refused_by_review', `only a person can decide this: ${doubts.join(' ')}`, {
    hint: 'Nothing was signed. --yes does not vouch for it.',
    next: 'Run the command at a terminal.',
  });
};

/** The money question names the service: test and live must never be mistaken for each other. */
const approveWith =
  (cli: Cli, { profile, kind }: Service): PayContext['approve'] =>
  async (review: Review) => {
    const { chain, moves, verdict } = review;
    const amounts = moves.map(({ amount, token }) => `${amount} ${token}`).join(' + ') || 'an unknown amount';
    const where = profile === kind ? kind : `${profile}, ${kind}`;
    const question = `Pay ${amounts} on ${chain} (${where})?`;
    if (verdict === 'fine') return cli.confirm(question);
    return askAboutDoubts(cli, review, `${question} The review could not vouch for all of it.`);
  };

/** Opens the journal of a payment and puts together what its steps work with. */
export const openPayment = async (
  cli: Cli,
  client: Client,
  given: Given,
  intent: PaymentIntent,
): Promise<PayContext> => {
  const { profile, kind, baseUrl } = client.service;
  const node = nodeFrom(cli, given);
  return {
    client,
    network: networkFor(kind),
    movement: await beginMovement(cli.io, { profile, kind, baseUrl, intent }),
    overrides: overridesFrom(given),
    node,
    approve: approveWith(cli, client.service),
    on: sayEvents(cli),
  };
};
