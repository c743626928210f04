import type { ExpectedPayment, Price } from '../../chain/evm/context.ts';
import { parseCryptoTx } from '../../chain/evm/parse.ts';
import { type Review, reviewEvm } from '../../chain/evm/review.ts';
import { type ApprovedTransaction, approve } from '../../chain/evm/sign.ts';
import { digestOf, type UnsignedEvm } from '../../chain/evm/transaction.ts';
import { needsOverrideOption } from '../../chain/review/approval.ts';
import { fundingCommand } from '../../chain/review/funds.ts';
import { kindOfChainId } from '../../contract/chains.ts';
import type { Io } from '../../io/io.ts';
import type { Deployment } from '../../journal/same-service.ts';
import { readFacts } from '../node/read-facts.ts';
import type { Signing } from '../policy/gate.ts';
import { namingFunds, notSigned } from '../policy/refusal.ts';
import { isPricedOtherwise, PAYMENT_WORDS, unstatedIn } from '../statement.ts';
import type { PayContext, StatedFacts } from './context.ts';
import { knownNonces } from './nonce.ts';

/** What a review needs of the world. */
export type Reviewing = Pick<
  PayContext,
  'network' | 'overrides' | 'stating' | 'worthOf' | 'node' | 'pins' | 'gate' | 'nameOf' | 'approve' | 'on'
>;

/** The payer's transaction of a payment: as the service gave it, and what it must do. */
export type Unsigned = { readonly cryptoTx: unknown; readonly expected: ExpectedPayment };

export type Passed = { readonly review: Review; readonly approved: ApprovedTransaction };

/** What was handed over before: the journal that has it, of which service, and a look at it where a payment is known. */
export type Before = {
  readonly io: Io;
  readonly deployment?: Deployment;
  /** Gives the hash of another transaction that holds the same nonce. */
  readonly look?: (unsigned: UnsignedEvm) => Promise<string | undefined>;
};

/** What the journal, a node and the keystore know of a transaction and its payer. */
const factsOf = async ({ node, network, nameOf }: Reviewing, unsigned: UnsignedEvm, before: Before) => {
  const nonceUsedBy = await before.look?.(unsigned);
  const [facts, payerName] = await Promise.all([node && readFacts(node, unsigned, network), nameOf?.(unsigned.from)]);
  return { node: facts, payerName, nonceUsedBy, nonces: await knownNonces(before, unsigned, facts) };
};

/** A standing mandate states all facts but what a payment costs that is priced in another currency. */
const isLeftByMandate =
  (facts: StatedFacts['facts']) =>
  (name: string): boolean =>
    isPricedOtherwise(facts) && (name === 'amount' || name === 'currency');

/** A price that a policy of the key stands for is compared with the market, unless the user stated a bound. */
const withMarket = async (
  { worthOf }: Reviewing,
  { price, tokenSymbol }: ExpectedPayment,
): Promise<Price | undefined> => {
  if (price === undefined || price.atMost !== undefined || tokenSymbol === undefined) return price;
  return { ...price, market: await worthOf?.(price.amount, price.currency, tokenSymbol) };
};

/** Whose signature it is: the world follows from the chain id of the bytes. */
export const signingOf = ({ chainId }: UnsignedEvm, address: string): Signing => ({
  chain: 'evm',
  address,
  kind: kindOfChainId(chainId),
});

/**
 * Reviews, shows and asks. Throws `refused_by_review` when the review contradicts what was asked or the user
 * says no; as the node does where it cannot be asked.
 */
export const passReview = async (
  reviewing: Reviewing,
  { cryptoTx, expected }: Unsigned,
  signer: string,
  before: Before,
): Promise<Passed> => {
  const { network, overrides, pins } = reviewing;
  const unsigned = parseCryptoTx(cryptoTx);
  const known = await factsOf(reviewing, unsigned, before);
  const policy = await reviewing.gate?.inForce(signingOf(unsigned, signer), {
    digest: digestOf(unsigned),
    place: unsigned,
  });
  const { facts, uncovered, by } = reviewing.stating;
  const price = policy?.hasMandate ? await withMarket(reviewing, expected) : expected.price;
  const isPriceCovered = price?.market !== undefined;
  const left = isPriceCovered ? [] : uncovered.filter(isLeftByMandate(facts));
  const names = policy?.hasMandate ? left : uncovered;
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
  // A question whose yes would not do is not asked.
  const canPass = review.verdict !== 'refuse' && !review.checks.some(needsOverrideOption);
  if (canPass && !(await reviewing.approve(review))) throw notSigned();
  const next = fundingCommand(review.checks, network.kind, known.payerName ?? review.from);
  return { review, approved: namingFunds(next, () => approve(review, 'confirmed')) };
};
