import type { Check } from '../../chain/review/check.ts';
import { parseSolana } from '../../chain/solana/parse.ts';
import { digestOfMessage, reviewSolana } from '../../chain/solana/review.ts';
import type { SignedSolana } from '../../chain/solana/signatures.ts';
import type { Io } from '../../io/io.ts';
import type { ReviewEvent } from '../../journal/event.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import { readKeyPolicy } from '../policy/key-policy.ts';
import { isOfPolicy, keepingRefusal, refusedByPolicy, sendingNothing } from '../policy/refusal.ts';
import { factsFrom } from '../solana/facts.ts';
import type { Reviewing } from './context.ts';
import { entriesOf, passReviews, type Recording, recordReviews, signingOf, type ToReview } from './sign.ts';

/** A key of this machine among those that have signed beside the fee payer: a review is of the fee payer's money alone. */
const ownCosigner = async (io: Io, transaction: string): Promise<string | undefined> => {
  const { addresses, signers } = parseSolana(transaction).message;
  const others = addresses.slice(1, signers);
  if (others.length === 0) return undefined;
  const keys = await openKeystore(io).list();
  for (const address of others) {
    const isOwn = keys.some((key) => key.status === 'usable' && key.address === address);
    if (isOwn || (await readKeyPolicy(io, { chain: 'solana', address })) !== undefined) return address;
  }
  return undefined;
};

/**
 * Bytes that were signed elsewhere pass the same review as ours, under the policy of a key of that address, and are
 * recorded alike. Throws `refused_by_review`.
 */
export const reviewSigned = async (
  reviewing: Recording,
  io: Io,
  all: readonly (ToReview & { readonly signed: SignedSolana })[],
): Promise<void> => {
  const address = all[0]?.signed.from ?? '';
  const cosigners = await Promise.all(all.map(({ transaction }) => ownCosigner(io, transaction)));
  const key = cosigners.find((each) => each !== undefined);
  await sendingNothing(() =>
    keepingRefusal(reviewing.operation, undefined, async () => {
      const { reviews } = await passReviews(reviewing, all, { address, key, isSigned: true });
      await recordReviews(reviewing, entriesOf(reviewing, reviews), address);
    }),
  );
};

/** Records reviews of before again: what left by these bytes then leaves by them now. */
export const recordAgain = (reviewing: Recording, all: readonly ReviewEvent[], address: string): Promise<void> =>
  sendingNothing(() => keepingRefusal(reviewing.operation, undefined, () => recordReviews(reviewing, all, address)));

/** A policy that cannot tell what leaves: of bytes that were reviewed before a simulation showed it then. */
const isAboutOpen = ({ id }: Check): boolean => id === 'policy';

/** The checks of bytes that were reviewed before, under the policies as they are now. */
const checkedAgain = async (
  reviewing: Reviewing,
  { transaction, asked, wallet }: ToReview,
): Promise<readonly Check[]> => {
  const { network, overrides, witness, gate } = reviewing;
  const unsigned = parseSolana(transaction);
  const facts = witness && (await factsFrom(witness, unsigned, network.kind, { isLater: true }));
  const signing = signingOf(reviewing, unsigned.message.addresses[0] ?? '');
  const policy = await gate?.inForce(signing, { digest: digestOfMessage(unsigned) });
  return reviewSolana({ unsigned, network, requested: asked, wallet, overrides, facts, policy }).checks;
};

/**
 * Compares bytes that were reviewed before with what the user states now: what is left unstated needs no statement again,
 * and a contradiction stays one, so does what a policy refuses that may be younger than the review. What a node would say
 * of them now is not asked, for they may have landed. Throws `refused_by_review`.
 */
export const assertAsStated = async (reviewing: Reviewing, all: readonly ToReview[]): Promise<void> => {
  for (const each of all) {
    const checks = await checkedAgain(reviewing, each);
    const wrong = checks.filter((check) => check.verdict === 'refuse' && !isAboutOpen(check));
    if (wrong.length === 0) continue;
    throw refusedByPolicy(wrong, 'This machine has reviewed these bytes before, and nothing was sent now.');
  }
};

/**
 * Checks bytes that were approved and never sent against the policies as they are now: a policy may be younger than their
 * review. Throws `refused_by_review`, and then they are not sent any more.
 */
export const assertStillAllowed = (reviewing: Recording, transaction: string): Promise<void> =>
  keepingRefusal(reviewing.operation, undefined, async () => {
    if (reviewing.gate === undefined) return;
    const wrong = (await checkedAgain(reviewing, { transaction, asked: undefined })).filter(isOfPolicy);
    if (wrong.length > 0)
      throw refusedByPolicy(wrong, 'The signed transaction was not sent, and is not sent any more.');
  });
