import { approve } from '../../chain/evm/approve.ts';
import type { Expected } from '../../chain/evm/context.ts';
import { parseCryptoTx } from '../../chain/evm/parse.ts';
import { type Review, reviewEvm } from '../../chain/evm/review.ts';
import { type SignedEvm, signEvm } from '../../chain/evm/sign.ts';
import { Failure } from '../../core/failure.ts';
import { type OpenKey, type PayContext, timed } from './context.ts';

type Reviewing = Pick<PayContext, 'network' | 'overrides'>;

/** Reviews a `crypto_tx` against what was asked. Throws `refused_by_review` for one that is no EVM transaction. */
export const reviewCryptoTx = (
  { network, overrides }: Reviewing,
  cryptoTx: unknown,
  expected: Expected,
  signer?: string,
): Review => reviewEvm({ unsigned: parseCryptoTx(cryptoTx), network, expected, signer, overrides });

const allowedBy = ({ overrides }: PayContext): readonly string[] => [
  ...(overrides.allowBlind ? ['--allow-blind'] : []),
  ...(overrides.allowRecipients ?? []).map((address) => `--allow-recipient ${address}`),
];

/** Signed bytes, and the review that let them be signed. */
export type ReviewedAndSigned = { readonly review: Review; readonly signed: SignedEvm };

/**
 * Reviews, asks, records and signs: those same bytes, and nothing else. Throws `refused_by_review` when the
 * review contradicts what was asked or the user says no; then nothing was signed.
 */
export const reviewAndSign = async (
  context: PayContext,
  paymentId: string,
  cryptoTx: unknown,
  expected: Expected,
  key: OpenKey,
): Promise<ReviewedAndSigned> => {
  const review = reviewCryptoTx(context, cryptoTx, expected, key.address);
  await context.on({ kind: 'reviewed', review });
  if (review.verdict !== 'refused' && !(await context.approve(review))) {
    throw new Failure('refused_by_review', 'not approved; nothing was signed');
  }
  const approved = approve(review, 'user_said_yes');
  const { verdict, digest } = review;
  await context.movement.record({ step: 'reviewed', verdict, digest, allowed: allowedBy(context) });
  const [signed, took] = await timed(context, async () => signEvm(approved, key.privateKey));
  await context.movement.record({ step: 'signed', payment_id: paymentId, ...signed });
  await context.on({ kind: 'signed', hash: signed.hash, took });
  return { review, signed };
};
