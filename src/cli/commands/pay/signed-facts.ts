import type { Network } from '../../../chain/evm/network.ts';
import { parseCryptoTx } from '../../../chain/evm/parse.ts';
import { reviewEvm } from '../../../chain/evm/review.ts';
import { readSigned, type UnsignedEvm } from '../../../chain/evm/transaction.ts';
import type { FeePaid } from '../../../client/node.ts';
import { undefinedOn } from '../../../core/failure.ts';
import { isChargeIntent, isPaymentIntent } from '../../../journal/intents.ts';
import type { OperationState } from '../../../journal/operation-state.ts';
import type { CommandContext } from '../../command/command.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { networkOf } from '../../profiles/gate.ts';
import { amountsIn } from './journal.ts';

/** The transaction of an operation. Steps of a payment record only its signed bytes. */
const transactionOf = ({ crypto_tx, signed, started: { intent } }: OperationState): UnsignedEvm => {
  const part = signed.findLast(({ isDead }) => !isDead);
  // An entry that somebody has changed may lack each of them.
  const isWhole =
    typeof part?.signed_transaction === 'string' && isPaymentIntent(intent) && typeof intent.chain === 'string';
  if (crypto_tx !== undefined || !isWhole) return parseCryptoTx(crypto_tx);
  return { ...readSigned(part.signed_transaction).fields, chainName: intent.chain };
};

/**
 * What the recorded transaction of an operation pays, and its fee; `null` without a readable transaction. The payment may
 * have ended, so this reads no disk, which could fail.
 */
export const signedFacts = (network: Network | undefined, state: OperationState, feePaid?: FeePaid) => {
  const review = network && undefinedOn(() => reviewEvm({ unsigned: transactionOf(state), network }));
  return review ? amountsIn(review, feePaid) : { receivers: null, fee_at_most: null };
};

/** The facts of a whole payment that `pay show` adds: its method, its receivers, and the fee of a transaction. */
export const recordedFacts = async (cli: CommandContext, state: OperationState) => {
  const { intent, kind } = state.started;
  if (isChargeIntent(intent)) {
    return { transaction_type: intent.type, receivers: intent.receivers, fee_at_most: null };
  }
  if (!isPaymentIntent(intent)) return {};
  const network = await undefinedOnFailure(networkOf(cli, kind));
  const { receivers, fee_at_most } = signedFacts(network, state);
  return { transaction_type: 'crypto', receivers: receivers ?? intent.receivers, fee_at_most };
};
