import { reviewEvm } from '../../../chain/evm/review.ts';
import { readSigned } from '../../../chain/evm/signed.ts';
import { digestOf } from '../../../chain/evm/transaction.ts';
import type { SignedPart } from '../../../journal/operation-state.ts';
import { isOfPolicy, keepingRefusal, refusedByPolicy } from '../../policy/refusal.ts';
import type { PayContext } from '../context.ts';
import { expectedOf } from '../expected.ts';
import { signingOf } from '../review.ts';
import type { Resumption } from './resumption.ts';

/**
 * Holds bytes that were approved and never sent against the policies as they are now: one may be younger than their review.
 * Throws `refused_by_review`, and then they are not sent any more.
 */
export const assertStillAllowed = async (
  { gate, operation, network, overrides, pins, stating }: PayContext,
  { intent, state }: Resumption,
  { signed_transaction, from }: SignedPart,
): Promise<void> => {
  if (gate === undefined) return;
  const unsigned = { ...readSigned(signed_transaction).fields, chainName: intent.chain };
  const own = { digest: digestOf(unsigned), place: unsigned };
  await keepingRefusal(operation, state.payment_id, async () => {
    const policy = await gate.inForce(signingOf(unsigned, from), own);
    const expected = expectedOf(intent, stating);
    const { checks } = reviewEvm({ unsigned, network, expected, signer: from, overrides, pins, policy });
    const wrong = checks.filter(isOfPolicy);
    if (wrong.length > 0)
      throw refusedByPolicy(wrong, 'The signed transaction was not sent, and is not sent any more.');
  });
};
