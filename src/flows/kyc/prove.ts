import type { ChallengeReview } from '../../chain/message/challenge.ts';
import { assertPasses } from '../../chain/review/approval.ts';
import { type Client, call, dataOf } from '../../client/call.ts';
import type { KeyChain } from '../../contract/key-chain.ts';
import { challenge } from '../../contract/kyc/challenge.ts';
import { prepareWallet } from '../../contract/kyc/prepare-wallet.ts';
import { Failure } from '../../core/failure.ts';
import type { PolicyGate } from '../policy/gate.ts';

/** What happened, for whoever shows it. */
export type ProofEvent =
  | { readonly kind: 'challenged'; readonly wallet: string }
  | { readonly kind: 'reviewed'; readonly review: ChallengeReview }
  | { readonly kind: 'signed'; readonly signature: string }
  | { readonly kind: 'prepared'; readonly status: string };

/** Opens the private key for the time of some work. */
export type WithPrivateKey = <T>(work: (privateKey: Uint8Array) => Promise<T>) => Promise<T>;

/** What a proof works with. */
export type ProofContext = {
  readonly client: Client;
  /** What the profile lets be signed. */
  readonly gate?: PolicyGate | undefined;
  /** Hosts that the user lets a challenge name beside the service's own. */
  readonly hosts?: readonly string[] | undefined;
  /** The user's answer to a review with checks that need confirmation. */
  readonly approve: (review: ChallengeReview) => Promise<boolean>;
  readonly withPrivateKey: WithPrivateKey;
  readonly on: (event: ProofEvent) => void | Promise<void>;
};

/** Whose wallet is proven, and the e-mail that is linked to it. */
export type ProofRequest = {
  readonly chain: KeyChain;
  readonly address: string;
  readonly email?: string | undefined;
};

/** Gets a challenge and holds it against the wallet. Throws `unexpected_answer` for an answer that is none. */
const askForChallenge = async ({ client, on, gate, hosts }: ProofContext, { chain, address, email }: ProofRequest) => {
  const data = dataOf(challenge, 'challenge_created', await call(client, challenge, { wallet: address }));
  await on({ kind: 'challenged', wallet: data.wallet });
  // What reads texts of all languages is loaded with the first text.
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

const signedBytes = async (context: ProofContext, review: ChallengeReview): Promise<string> => {
  // What no word can let pass costs no password.
  if (review.verdict === 'refuse') assertPasses(review.checks, 'pass');
  if (review.verdict === 'confirm' && !(await context.approve(review))) {
    throw new Failure('refused_by_review', 'not approved; nothing was signed');
  }
  const word = review.verdict === 'pass' ? 'pass' : 'confirmed';
  const { signChallenge } = await import('../../chain/message/challenge.ts');
  return context.withPrivateKey(async (privateKey) => signChallenge(review, word, privateKey));
};

const prepareUser = async ({ client }: ProofContext, { address, email }: ProofRequest, signed: object) => {
  const envelope = await call(client, prepareWallet, { wallet: address, ...signed, ...(email && { email }) });
  const isNew = envelope.status === 'user_prepared';
  const data = isNew
    ? dataOf(prepareWallet, 'user_prepared', envelope)
    : dataOf(prepareWallet, 'user_already_prepared', envelope);
  return { status: envelope.status, ...data };
};

/**
 * Proves to the service that a wallet is the user's: gets a challenge, reviews it, signs its text, and prepares the
 * user with it (document: KYC by wallet). What a review refuses costs no password and sends nothing.
 */
export const proveWallet = async (context: ProofContext, request: ProofRequest) => {
  const review = await askForChallenge(context, request);
  await context.on({ kind: 'reviewed', review });
  const signature = await signedBytes(context, review);
  await context.on({ kind: 'signed', signature });
  const user = await prepareUser(context, request, { message: review.message, signed_bytes: signature });
  await context.on({ kind: 'prepared', status: user.status });
  return { wallet: request.address, chain: request.chain, ...user };
};
