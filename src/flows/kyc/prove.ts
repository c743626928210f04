import type { ChallengeReview } from '../../chain/message/challenge.ts';
import { assertPasses } from '../../chain/review/check.ts';
import { type Client, call, dataOf } from '../../client/call.ts';
import type { KeyChain } from '../../contract/chains.ts';
import { challenge } from '../../contract/kyc/challenge.ts';
import { prepareWallet } from '../../contract/kyc/prepare-wallet.ts';
import { Failure } from '../../core/failure.ts';
import type { PolicyGate } from '../policy/gate.ts';

/** A step of the proof, for display. */
export type ProofEvent =
  | { readonly kind: 'challenged'; readonly wallet: string }
  | { readonly kind: 'reviewed'; readonly review: ChallengeReview }
  | { readonly kind: 'signed'; readonly signature: string }
  | { readonly kind: 'prepared'; readonly status: string };

/** Unlocks the private key while `work` runs. */
export type WithPrivateKey = <T>(work: (privateKey: Uint8Array) => Promise<T>) => Promise<T>;

/** The dependencies of `proveWallet`. */
export type ProofContext = {
  readonly client: Client;
  /** The policies that limit what is signed. */
  readonly gate?: PolicyGate | undefined;
  /** Hosts that a challenge may name besides the service's own. */
  readonly hosts?: readonly string[] | undefined;
  /** Asks the user about a review with checks that need confirmation. */
  readonly approve: (review: ChallengeReview) => Promise<boolean>;
  readonly withPrivateKey: WithPrivateKey;
  readonly on: (event: ProofEvent) => void | Promise<void>;
};

/** The wallet to prove, and the e-mail address to link to it. */
export type ProofRequest = {
  readonly chain: KeyChain;
  readonly address: string;
  readonly email?: string | undefined;
};

/** Gets a challenge and reviews it for this wallet. Throws `unexpected_answer` for a response without a challenge. */
const fetchAndReview = async ({ client, on, gate, hosts }: ProofContext, { chain, address, email }: ProofRequest) => {
  const data = dataOf(challenge, 'challenge_created', await call(client, challenge, { wallet: address }));
  await on({ kind: 'challenged', wallet: data.wallet });
  // Loaded on use: the review of texts in all languages is large.
  const { reviewChallenge } = await import('../../chain/message/challenge.ts');
  return reviewChallenge({
    message: data.message,
    wallet: data.wallet,
    walletChain: data.wallet_chain,
    key: { chain, address },
    now: client.io.clock.now(),
    host: new URL(client.service.baseUrl).host,
    hosts,
    email,
    policy: await gate?.inForce({ chain, address, kind: client.service.kind }),
  });
};

const signReviewed = async (context: ProofContext, review: ChallengeReview): Promise<string> => {
  // A refusal must not cost the user a password prompt.
  if (review.verdict === 'refuse') assertPasses(review.checks, 'pass');
  if (review.verdict === 'confirm' && !(await context.approve(review))) {
    throw new Failure('refused_by_review', 'not approved; nothing was signed');
  }
  const approval = review.verdict === 'pass' ? 'pass' : 'confirmed';
  const { signChallenge } = await import('../../chain/message/challenge.ts');
  return context.withPrivateKey(async (privateKey) => signChallenge(review, approval, privateKey));
};

const prepareUser = async ({ client }: ProofContext, { address, email }: ProofRequest, signed: object) => {
  const envelope = await call(client, prepareWallet, { wallet: address, ...signed, ...(email && { email }) });
  const expected = envelope.status === 'user_prepared' ? 'user_prepared' : 'user_already_prepared';
  return { status: envelope.status, ...dataOf(prepareWallet, expected, envelope) };
};

/**
 * Proves that the user owns a wallet (document: KYC by wallet): gets a challenge, reviews it, signs its text, and sends
 * the signature. A refused challenge needs no password and sends nothing.
 */
export const proveWallet = async (context: ProofContext, request: ProofRequest) => {
  const review = await fetchAndReview(context, request);
  await context.on({ kind: 'reviewed', review });
  const signature = await signReviewed(context, review);
  await context.on({ kind: 'signed', signature });
  const user = await prepareUser(context, request, { message: review.message, signed_bytes: signature });
  await context.on({ kind: 'prepared', status: user.status });
  return { wallet: request.address, chain: request.chain, ...user };
};
