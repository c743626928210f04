import { createHash } from 'node:crypto';
import { SOL_DECIMALS, SOLANA } from '../../contract/solana.ts';
import { fromUnits } from '../../core/decimal.ts';
import type { Afterwards } from '../afterwards.ts';
import { lacksFunds } from '../funds.ts';
import { checkPolicy } from '../policy/check.ts';
import { leavingOf, type Outflow } from '../policy/footprint.ts';
import { checkStated } from '../stated.ts';
import { type Check, type Verdict, worstFirst, worstOf } from '../verdict.ts';
import { afterwardsOf } from './afterwards.ts';
import { checkAmount } from './check-amount.ts';
import { checkBurnt } from './check-burnt.ts';
import { checkPayer, checkSignatures, checkTables } from './check-envelope.ts';
import { checkFee, mostFee } from './check-fee.ts';
import { checkFunds } from './check-funds.ts';
import { checkGain } from './check-gain.ts';
import { checkOthers } from './check-others.ts';
import { checkReceivers } from './check-receivers.ts';
import { checkShares } from './check-shares.ts';
import { checkSimulation } from './check-simulation.ts';
import { checkStatedFees } from './check-stated-fees.ts';
import { checkSteps } from './check-steps.ts';
import { checkTokens } from './check-token.ts';
import type { Context } from './context.ts';
import { footprintOf } from './footprint.ts';
import { contextOf, type SolanaReviewInput } from './gather.ts';
import type { UnsignedSolana } from './message.ts';
import { movesOf, type SolanaMove } from './moves.ts';

/** What bursar found out about a transaction, for the user to see and for `approveSolana` to judge. */
export type SolanaReview = {
  readonly verdict: Verdict;
  readonly chain: typeof SOLANA;
  /** The fee payer, whose money it is about. */
  readonly from: string;
  readonly moves: readonly SolanaMove[];
  /** Who may do what with the wallet's money when it is done; empty where nobody may. */
  readonly afterwards: readonly Afterwards[];
  /** What leaves the wallet, token by token, fee and rent not counted: the measure of limits. */
  readonly leaves: readonly Outflow[];
  /** The most that the fee can cost, as decimal text. */
  readonly fee: { readonly at_most: string; readonly coin: string };
  /** The worst first. */
  readonly checks: readonly Check[];
  /** SHA-256 of the message, in hex: it stands for exactly the bytes that are signed. */
  readonly digest: string;
  /** The only bytes that can be signed on the strength of this review. */
  readonly unsigned: UnsignedSolana;
};

/** SHA-256 of the bytes that a signature would sign, in hex. */
export const digestOfMessage = ({ messageBytes }: UnsignedSolana): string =>
  createHash('sha256').update(messageBytes).digest('hex');

const checksOf = (context: Context): readonly Check[] => {
  const tables = checkTables(context);
  const envelope = [...tables, ...checkPayer(context), ...checkSignatures(context), ...checkFee(context)];
  const steps = checkSteps(context);
  const funds = checkFunds(context);
  const tokens = checkTokens(context);
  // An amount of the wrong token would only be compared with nonsense.
  const money = tokens.some(({ verdict }) => verdict === 'refuse')
    ? []
    : [...checkAmount(context), ...checkShares(context), ...checkReceivers(context)];
  return [
    ...tokens,
    ...money,
    ...checkBurnt(context),
    ...checkStatedFees(context),
    ...steps,
    ...funds,
    // A transfer without the money for it fails: that is said once.
    ...(lacksFunds(funds) && context.simulation?.error !== undefined ? [] : checkSimulation(context)),
    ...checkGain(context),
    ...checkOthers(context),
    ...envelope,
  ];
};

/**
 * Decodes a transaction and holds it against what was asked. Reads nothing but its input; what a node said comes
 * in as facts. Throws `invalid_input` for an amount, fee or allowed address that is none.
 */
export const reviewSolana = (input: SolanaReviewInput): SolanaReview => {
  const context = contextOf(input);
  const footprint = footprintOf(context);
  const afterwards = afterwardsOf(context);
  const leaves = leavingOf(footprint);
  // A program that is not understood may move what it keeps for the wallet, and no balance shows it.
  const isHarmless = leaves.length === 0 && afterwards.length === 0 && !context.isOpaque;
  const stated = checkStated(input.unstated ?? [], isHarmless);
  const checks = worstFirst([...checksOf(context), ...stated, ...checkPolicy(input.policy, () => footprint)]);
  return Object.freeze({
    verdict: worstOf(checks),
    chain: SOLANA,
    from: context.wallet,
    moves: movesOf(context),
    afterwards,
    leaves,
    fee: { at_most: fromUnits(mostFee(context), SOL_DECIMALS), coin: 'SOL' },
    checks: Object.freeze(checks),
    digest: digestOfMessage(context.unsigned),
    unsigned: context.unsigned,
  });
};
