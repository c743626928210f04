import type { ExpectedPayment } from '../../chain/evm/context.ts';
import { parseCryptoTx } from '../../chain/evm/parse.ts';
import { type ApprovedTransaction, approve, type Review, reviewEvm } from '../../chain/evm/review.ts';
import { digestOf, type UnsignedEvm } from '../../chain/evm/transaction.ts';
import { needsOverrideOption } from '../../chain/review/check.ts';
import { fundingOf } from '../../chain/review/check-limits.ts';
import { kindOfChainId } from '../../contract/chains.ts';
import type { Io } from '../../io/io.ts';
import type { Deployment } from '../../journal/keys.ts';
import { readFacts } from '../node/read-facts.ts';
import type { GateQuery } from '../policy/gate.ts';
import { namingFunds, notSigned } from '../policy/key-policy.ts';
import { isPricedOtherwise, PAYMENT_WORDS, unstatedIn } from '../statement.ts';
import type { PayContext } from './context.ts';
import { knownNonces } from './nonce.ts';

/** The dependencies of a review. */
export type PayReviewContext = Pick<
  PayContext,
  'network' | 'overrides' | 'stating' | 'worthOf' | 'node' | 'pins' | 'gate' | 'nameOf' | 'approve' | 'on'
>;

/** The payer's transaction from the service, and the expected payment. */
export type UnsignedPayment = { readonly cryptoTx: unknown; readonly expected: ExpectedPayment };

export type ApprovedReview = { readonly review: Review; readonly approved: ApprovedTransaction };

/** Access to earlier sent bytes: the journal, the service, and the payment if known. */
export type Before = {
  readonly io: Io;
  readonly deployment?: Deployment;
  /** Returns the hash of another transaction with the same nonce. */
  readonly look?: (unsigned: UnsignedEvm) => Promise<string | undefined>;
};

/** The facts of a transaction and its payer from the journal, a node and the keystore. */
const factsOf = async ({ node, network, nameOf }: PayReviewContext, unsigned: UnsignedEvm, before: Before) => {
  const nonceUsedBy = await before.look?.(unsigned);
  const [facts, payerName] = await Promise.all([node && readFacts(node, unsigned, network), nameOf?.(unsigned.from)]);
  return { node: facts, payerName, nonceUsedBy, nonces: await knownNonces(before, unsigned, facts) };
};

/** A key policy states all facts except the cost of a payment that is priced in another currency. */
const COST: readonly string[] = ['amount', 'currency'];

/** A price allowed by a key policy is compared with the market, unless the user stated a limit. */
const withMarket = async ({ worthOf }: PayReviewContext, { price, tokenSymbol }: ExpectedPayment) => {
  if (price === undefined || price.atMost !== undefined || tokenSymbol === undefined) return price;
  return { ...price, market: await worthOf?.(price.amount, price.currency, tokenSymbol) };
};

/** The signer. The chain id of the bytes determines the kind of chain. */
export const signingOf = ({ chainId }: UnsignedEvm, address: string): GateQuery => ({
  chain: 'evm',
  address,
  kind: kindOfChainId(chainId),
});

/**
 * Reviews a transaction, shows it and asks the user. Throws `refused_by_review` if the review finds a contradiction or
 * the user declines. Throws the node's failure if it cannot be reached.
 */
export const passReview = async (
  reviewing: PayReviewContext,
  { cryptoTx, expected }: UnsignedPayment,
  signer: string,
  before: Before,
): Promise<ApprovedReview> => {
  const { network, overrides, pins } = reviewing;
  const unsigned = parseCryptoTx(cryptoTx);
  const known = await factsOf(reviewing, unsigned, before);
  const policy = await reviewing.gate?.inForce(signingOf(unsigned, signer), {
    digest: digestOf(unsigned),
    place: unsigned,
  });
  const { facts, uncovered, by } = reviewing.stating;
  const price = policy?.hasMandate ? await withMarket(reviewing, expected) : expected.price;
  const isCostLeft = price?.market === undefined && isPricedOtherwise(facts);
  const names = policy?.hasMandate ? uncovered.filter((name) => isCostLeft && COST.includes(name)) : uncovered;
  const unstated = unstatedIn(facts, names, PAYMENT_WORDS, by);
  const review = reviewEvm({
    unsigned,
    network,
    expected: { ...expected, price },
    signer,
    overrides,
    ...known,
    pins,
    unstated,
    policy,
  });
  await reviewing.on({ kind: 'reviewed', review });
  // No question if a yes would not be enough.
  const canPass = review.verdict !== 'refuse' && !review.checks.some(needsOverrideOption);
  if (canPass && !(await reviewing.approve(review))) throw notSigned();
  const funding = fundingOf(review.checks, network.kind, known.payerName ?? review.from, review.from);
  return { review, approved: namingFunds(funding, () => approve(review, 'confirmed')) };
};
