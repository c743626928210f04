import type { Review } from '../../../chain/evm/review.ts';
import { chainAndNonceOf } from '../../../chain/evm/transaction.ts';
import type { Service } from '../../../client/service.ts';
import { commandLine, nextStep } from '../../../core/next.ts';
import { deploymentOfService } from '../../../flows/deployment.ts';
import { inDoubtOf } from '../../../journal/doubt.ts';
import { isPaymentIntent } from '../../../journal/intents.ts';
import type { CommandContext } from '../../context/context.ts';
import { forProfile } from '../../print/next-command.ts';

type TransactionPlace = Pick<Review, 'from' | 'chain_id' | 'nonce'>;

/**
 * Warns, before a payment is signed, of other payments in doubt of the same wallet and chain. Only one of two
 * transactions with the same nonce can land, so the user may settle the earlier one first.
 */
export const warnOfDoubtfulPayments = async (
  cli: CommandContext,
  service: Service,
  { from, chain_id, nonce }: TransactionPlace,
): Promise<void> => {
  for (const { state, part } of await inDoubtOf(cli.io, from, deploymentOfService(service))) {
    const place = chainAndNonceOf(part.signed_transaction);
    const { intent, profile } = state.started;
    if (place.chainId !== chain_id || !isPaymentIntent(intent)) continue;
    const how =
      place.nonce === nonce
        ? `this one has the same nonce, ${nonce}: only one of the two can land`
        : `its nonce is ${place.nonce}, and this one has ${nonce}`;
    const way = commandLine(await forProfile(cli, profile, nextStep('operation.resume.earlier', 'pay', state.id)));
    const which = `payment ${state.payment_id ?? state.id} of ${intent.amount} ${intent.currency}`;
    await cli.warn(`${which} from this wallet is in doubt, and ${how}. ${way} settles it first.`);
  }
};
