import { Failure, messageOf } from '../../core/failure.ts';
import { memoize } from '../../core/once.ts';
import { assertPasses, type Check, type Consent } from '../review/check.ts';
import { lacksFunds } from '../review/check-limits.ts';
import type { AppliedPolicy } from '../review/policy.ts';
import { concludeReview, type Move, type SharedReview } from '../review/review.ts';
import { normaliseEvmAddress } from './address.ts';
import { checkCalls, checkValue, isCertain } from './check-calls.ts';
import { checkChain, checkFee, checkFunds, checkNode, checkNonce, checkSigner } from './check-envelope.ts';
import { checkAmount, checkToken, movesOf, remainingApprovalsOf } from './check-money.ts';
import { checkGains, checkReceivedAssets, checkReceivers } from './check-receivers.ts';
import { checkSimulation } from './check-simulation.ts';
import { type Context, type Outlay, outlaysOf, type ReviewInput } from './context.ts';
import { decodeCall } from './decode.ts';
import { footprintOf, strictFootprintOf } from './footprint.ts';
import { findChain } from './network.ts';
import { type Recovery, secondVerifier } from './second-verifier.ts';
import { evmAddressOf, signingKeyOf } from './signing-key.ts';
import { buildTransaction, digestOf, readSigned, type UnsignedEvm } from './transaction.ts';

/** The review of a transaction: the user sees it, and `approve` checks it. */
export type Review = SharedReview & {
  readonly chain: string;
  readonly chain_id: number;
  readonly from: string;
  readonly nonce: number;
  readonly moves: readonly Move[];
  /** The reviewed fields; this review allows a signature of no others. */
  readonly unsigned: UnsignedEvm;
};

const contextOf = (input: ReviewInput): Context => {
  const { unsigned, network, expected = {}, overrides = {}, pins = [] } = input;
  const chain = findChain(network, unsigned.chainName);
  const allowed = new Set((overrides.allowRecipients ?? []).map(normaliseEvmAddress));
  return {
    ...input,
    call: decodeCall(unsigned, chain),
    chain: chain ?? { name: unsigned.chainName, id: unsigned.chainId, coin: 'coins', tokens: {} },
    isKnownChain: chain !== undefined,
    expected,
    allowBlind: overrides.allowBlind === true,
    isAllowed: (address) => allowed.has(address),
    pins,
  };
};

const checkOutlay = (context: Context, outlay: Outlay): readonly Check[] => {
  const token = checkToken(context, outlay);
  // The amounts of a wrong token cannot be compared with the requested ones.
  if (token.verdict === 'refuse') return [token];
  const receivers = outlay.kind === 'allows' ? [] : checkReceivers(context, outlay);
  return [token, ...checkAmount(context, outlay), ...receivers];
};

/**
 * Decodes a transaction and compares it with the request. Reads only its input.
 * Throws `invalid_input` for an invalid amount, percentage or allowed address.
 */
export const reviewEvm = (input: ReviewInput): Review => {
  const context = contextOf(input);
  const { unsigned, chain } = context;
  const funds = checkFunds(context);
  const found = [
    ...checkCalls(context),
    ...outlaysOf(context).flatMap((outlay) => checkOutlay(context, outlay)),
    ...checkValue(context),
    checkChain(context),
    ...checkSigner(context),
    ...checkNonce(context),
    ...checkNode(context),
    ...funds,
    // A transfer without funds also fails in the simulation: one message is enough.
    ...(lacksFunds(funds) && context.node?.simulation.kind === 'fails' ? [] : checkSimulation(context)),
    ...checkGains(context),
    ...checkReceivedAssets(context),
    ...checkFee(context),
  ];
  const footprint = footprintOf(context, found);
  const footprintFor = ({ owner, policy }: AppliedPolicy) =>
    owner.kind === 'key' ? strictFootprintOf(context, found, policy) : footprint;
  const remainingApprovals = remainingApprovalsOf(context);
  const findings = { checks: found, remainingApprovals, footprint, footprintFor, isDecoded: isCertain(context) };
  const { verdict, ...concluded } = concludeReview(input, findings);
  return Object.freeze({
    verdict,
    chain: chain.name,
    chain_id: unsigned.chainId,
    from: unsigned.from,
    nonce: unsigned.nonce,
    moves: movesOf(context),
    ...concluded,
    digest: digestOf(unsigned),
    unsigned,
  });
};

declare const approved: unique symbol;

/** A transaction that passed a review. Only `approve` creates one, and only an approved transaction can be signed. */
export type ApprovedTransaction = {
  readonly [approved]: true;
  readonly unsigned: UnsignedEvm;
  readonly digest: string;
};

/** Approves the bytes of a review for a signature. Throws `refused_by_review` like `assertPasses`. */
export const approve = (review: Review, consent: Consent): ApprovedTransaction => {
  const { checks, unsigned, digest } = review;
  if (digestOf(unsigned) !== digest) throw new Failure('internal', 'the review is not of this transaction');
  assertPasses(checks, consent);
  return Object.freeze({ unsigned: Object.freeze({ ...unsigned }), digest }) as ApprovedTransaction;
};

/** A signed transaction. `hash` identifies it on the chain, already before it is sent. */
export type SignedEvm = { readonly signed_transaction: string; readonly hash: string; readonly from: string };

/** Reads the new signature back by another implementation, so that no fault of a library leaves this file. */
const readBack = (
  raw: string,
  { unsigned }: ApprovedTransaction,
  hash: string | null,
  recover: Recovery,
): SignedEvm => {
  try {
    const { signed_transaction, from, hash: own } = readSigned(raw, unsigned, recover);
    if (own !== hash) throw new Failure('internal', 'the hash differs');
    return { signed_transaction, hash: own, from };
  } catch (error) {
    throw new Failure('internal', `the signed bytes are not the reviewed ones: ${messageOf(error)}`, { cause: error });
  }
};

/** A process may sign many transactions with one key. */
const addressOf = memoize(evmAddressOf);

/**
 * Signs an approved transaction (EIP-1559, RFC 6979: the same bytes each time).
 * Throws `refused_by_review` for the key of another wallet, `invalid_input` for an invalid key, `internal` if the result is
 * not the approved transaction.
 */
export const signEvm = async (approved: ApprovedTransaction, privateKey: Uint8Array): Promise<SignedEvm> => {
  const { unsigned, digest } = approved;
  // Nothing is signed that could not be checked.
  const recover = await secondVerifier();
  const transaction = buildTransaction(unsigned);
  if (transaction.unsignedHash !== digest) throw new Failure('internal', 'the approval is not of this transaction');
  const signer = addressOf(privateKey);
  if (signer !== unsigned.from) {
    throw new Failure('refused_by_review', `The key has the address ${signer}; the payer is ${unsigned.from}.`);
  }
  transaction.signature = signingKeyOf(privateKey).sign(digest);
  return readBack(transaction.serialized, approved, transaction.hash, recover);
};
