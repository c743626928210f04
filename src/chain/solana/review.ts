import { createHash } from 'node:crypto';
import { SOL_DECIMALS, SOLANA } from '../../contract/solana.ts';
import { fromUnits } from '../../core/decimal.ts';
import { verifyEd25519 } from '../../core/ed25519.ts';
import { type Check, pass, refuse, type Verdict, worstFirst, worstOf } from '../review/check.ts';
import { checkPolicy } from '../review/check-policy.ts';
import { leavingOf, type Outflow, type RemainingApproval } from '../review/footprint.ts';
import { lacksFunds } from '../review/funds.ts';
import { checkStated } from '../review/stated-facts.ts';
import { addressBytes } from './address.ts';
import { checkFee, checkFunds, mostFee } from './check-fee-and-funds.ts';
import { checkGain } from './check-gain.ts';
import { checkAmount, checkStatedFees, checkTokens } from './check-money.ts';
import { checkOthers, checkReceivers } from './check-receivers.ts';
import { checkBurnt, checkShares } from './check-shares.ts';
import { checkSimulation } from './check-simulation.ts';
import { checkSteps } from './check-steps.ts';
import type { Context } from './context.ts';
import { footprintOf } from './footprint.ts';
import { contextOf, type SolanaReviewInput } from './gather.ts';
import { afterwardsOf, movesOf, type SolanaMove } from './moves.ts';
import type { UnsignedSolana } from './parse.ts';

/** What bursar found out about a transaction, for the user to see and for `approveSolana` to judge. */
export type SolanaReview = {
  readonly verdict: Verdict;
  readonly chain: typeof SOLANA;
  /** The fee payer, whose money it is about. */
  readonly from: string;
  readonly moves: readonly SolanaMove[];
  /** Who may do what with the wallet's money when it is done; empty where nobody may. */
  readonly remainingApprovals: readonly RemainingApproval[];
  /** What leaves the wallet, token by token, fee and rent not counted: the measure of limits. */
  readonly outflows: readonly Outflow[];
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
  const footprint = footprintOf(context, input.recorded);
  const remainingApprovals = afterwardsOf(context);
  const outflows = leavingOf(footprint);
  // A program that is not understood may move what it keeps for the wallet, and no balance shows it.
  const isHarmless = outflows.length === 0 && remainingApprovals.length === 0 && !context.isOpaque;
  const stated = checkStated(input.unstated ?? [], isHarmless);
  const checks = worstFirst([...checksOf(context), ...stated, ...checkPolicy(input.policy, () => footprint)]);
  return Object.freeze({
    verdict: worstOf(checks),
    chain: SOLANA,
    from: context.wallet,
    moves: movesOf(context),
    remainingApprovals,
    outflows,
    fee: { at_most: fromUnits(mostFee(context), SOL_DECIMALS), coin: 'SOL' },
    checks: Object.freeze(checks),
    digest: digestOfMessage(context.unsigned),
    unsigned: context.unsigned,
  });
};

/** The fee payer is the wallet that was asked for, and the key that will sign. */
const checkPayer = ({ wallet, signer, statedWallet }: Context): readonly Check[] => {
  if (statedWallet !== undefined && statedWallet !== wallet) {
    return [refuse('fee_payer', `Its fee payer is ${wallet}, and ${statedWallet} was asked for.`)];
  }
  if (signer === undefined) return [pass('fee_payer', `Its fee payer is ${wallet}.`)];
  if (signer !== wallet) return [refuse('fee_payer', `Its fee payer is ${wallet}, and the key is that of ${signer}.`)];
  return [pass('fee_payer', `Its fee payer is ${wallet}, the address of the key.`)];
};

const isSignedBy = (address: string, bytes: Uint8Array, signature: Uint8Array): boolean =>
  verifyEd25519(bytes, signature, addressBytes(address));

const isZero = (signature: Uint8Array): boolean => signature.every((byte) => byte === 0);

/** Everybody else who must sign has signed these bytes: nobody can ask for more with a signature that comes later. */
const checkSignatures = ({ unsigned }: Context): readonly Check[] => {
  const { message, messageBytes, signatures } = unsigned;
  const others = message.addresses.slice(1, message.signers);
  const own = signatures[0];
  const wrong = others.flatMap((address, at) => {
    const signature = signatures[at + 1];
    if (signature === undefined || isZero(signature)) {
      return [refuse('signatures', `${address} must sign it as well, and has not.`)];
    }
    if (isSignedBy(address, messageBytes, signature)) return [];
    return [refuse('signatures', `The signature of ${address} is not one of this transaction.`)];
  });
  const isOwnWrong = own !== undefined && !isZero(own) && !isSignedBy(message.addresses[0] ?? '', messageBytes, own);
  const all = isOwnWrong
    ? [refuse('signatures', 'It carries a signature of the fee payer that is not one of this transaction.'), ...wrong]
    : wrong;
  if (all.length > 0) return all;
  const says = others.length === 0 ? 'Nobody else has to sign it.' : `Signed already by ${others.join(' and ')}.`;
  return [pass('signatures', says)];
};

/** What lookup tables bring in is known, and brings in nothing twice. */
const checkTables = ({ resolved, unsigned }: Context): readonly Check[] => {
  const { unresolved, twice } = resolved;
  if (unresolved.length > 0) {
    const says = `It takes accounts from the lookup table ${unresolved.join(' and ')}, which only a node can read.`;
    return [refuse('lookup_tables', `${says} Without --rpc-url it cannot be judged.`)];
  }
  if (twice !== undefined) return [refuse('lookup_tables', `A lookup table brings in ${twice}, which it has already.`)];
  if (unsigned.message.lookups.length === 0) return [];
  return [pass('lookup_tables', 'Its lookup tables were read from the chain.')];
};
