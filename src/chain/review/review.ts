import { type Check, checkStated, type UnstatedFact, type Verdict, worstFirst, worstOf } from './check.ts';
import { checkPolicy } from './check-policy.ts';
import {
  type AppliedPolicy,
  type Footprint,
  type Outflow,
  outflowsOf,
  type PolicyInForce,
  type RemainingApproval,
} from './policy.ts';

/** What the review of a transaction takes beside it, in both families. */
export type SharedReviewInput = {
  /** The address of the key that will sign; left out in a review without a key. */
  readonly signer?: string | undefined;
  /** The name of the payer's key. */
  readonly payerName?: string | undefined;
  /** Facts that only the service states. */
  readonly unstated?: readonly UnstatedFact[] | undefined;
  /** The policies that apply to this signature. */
  readonly policy?: PolicyInForce | undefined;
};

/** The user's override options in both families. None of them overrides a contradiction. */
export type SharedOverrides = {
  /** Addresses that may be paid or may take tokens though the request does not name them. */
  readonly allowRecipients?: readonly string[] | undefined;
  /** The maximum fee without rent, as decimal text of the chain's coin. It replaces the usual maximum. */
  readonly feeAtMost?: string | undefined;
};

/** One amount that leaves the payer, or that comes in. `token` is a symbol, or the address of an unknown token. */
export type Move = {
  readonly token: string;
  /** Decimal text; `all` for an unlimited right. For a token of unknown decimals smallest units. */
  readonly amount: string;
  /** The owner that gets it; on Solana the token account of an unknown owner. */
  readonly to: string;
  /** The name of `to`, where it has one. */
  readonly to_name?: string;
  /** The name of the account that it comes from, where that is known. */
  readonly from_name?: string;
  readonly label?: string;
};

/** What every review states. */
export type SharedReview = {
  readonly verdict: Verdict;
  /** Rights over the payer's money after the transaction; empty if none remains. */
  readonly remainingApprovals: readonly RemainingApproval[];
  /** What leaves the payer by token, without fee and rent; limits compare with it. */
  readonly outflows: readonly Outflow[];
  /** The maximum fee, as decimal text of the chain's coin. */
  readonly fee: Footprint['fee'];
  /** The worst first. */
  readonly checks: readonly Check[];
  /** The hash of the bytes that a signature signs; it identifies exactly these bytes. */
  readonly digest: string;
};

/** The findings about one transaction. */
type Findings = Pick<SharedReview, 'remainingApprovals' | 'checks'> & {
  readonly footprint: Footprint;
  /** The footprint in the names that a policy uses. */
  readonly footprintFor: (applied: AppliedPolicy) => Footprint;
  /** Whether all of it is decoded. Other code may move money that it holds for the payer; no balance shows that. */
  readonly isDecoded: boolean;
};

/** Adds the checks of unstated facts and of policies to those of a transaction, and concludes. */
export const concludeReview = (
  { unstated = [], policy }: SharedReviewInput,
  { remainingApprovals, checks: found, footprint, footprintFor, isDecoded }: Findings,
): Omit<SharedReview, 'digest'> => {
  const outflows = outflowsOf(footprint);
  const isHarmless = outflows.length === 0 && remainingApprovals.length === 0 && isDecoded;
  const checks = worstFirst([...found, ...checkStated(unstated, isHarmless), ...checkPolicy(policy, footprintFor)]);
  return { verdict: worstOf(checks), remainingApprovals, outflows, fee: footprint.fee, checks: Object.freeze(checks) };
};
