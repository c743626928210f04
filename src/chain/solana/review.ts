import { createHash } from 'node:crypto';
import { SOL_DECIMALS, SOLANA } from '../../contract/solana.ts';
import { fromUnits } from '../../core/decimal.ts';
import { verifyEd25519 } from '../../core/ed25519.ts';
import type { RemainingApproval } from '../afterwards.ts';
import { lacksFunds } from '../funds.ts';
import { checkPolicy } from '../policy/check.ts';
import { leavingOf, type Outflow } from '../policy/footprint.ts';
import { checkStated } from '../stated.ts';
import { type Check, NEW_ACCOUNTS, pass, refuse, type Verdict, worstFirst, worstOf } from '../verdict.ts';
import { addressBytes } from './address.ts';
import { afterwardsOf } from './afterwards.ts';
import { checkAmount } from './check-amount.ts';
import { checkBurnt } from './check-burnt.ts';
import { checkFee, mostFee, rentOf } from './check-fee.ts';
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
import type { Flow } from './flows.ts';
import { footprintOf } from './footprint.ts';
import { contextOf, type SolanaReviewInput } from './gather.ts';
import type { UnsignedSolana } from './message.ts';
import { amountOfFlow, nameOfMint } from './words.ts';

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
  const footprint = footprintOf(context);
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

/** One amount that leaves the wallet or comes in. `token` is a symbol, or the mint where it has none that is known. */
type SolanaMove = {
  readonly token: string;
  /** Decimal text; smallest units for a token whose decimals are not known. */
  readonly amount: string;
  /** The owner who gets it; the token account where its owner is not known. */
  readonly to: string;
  /** How `to` is known, where it is. */
  readonly to_name?: string;
  readonly label?: string;
  /** What the token account in `to` holds, where its owner is not known. */
  readonly token_account?: { readonly mint: string; readonly program: string };
};

const outgoing = (context: Context, flow: Flow): SolanaMove => {
  const { network, holderOf } = context;
  const { mint, program } = flow;
  const base = { token: nameOfMint(network, flow.mint), amount: amountOfFlow(network, flow) };
  if (flow.how === 'burn') return { ...base, to: flow.other, label: 'burnt' };
  const holder = holderOf(flow.other, mint, program);
  if (holder === undefined) {
    return { ...base, to: flow.other, ...(mint && program && { token_account: { mint, program } }) };
  }
  return holder.is === 'vault' || holder.is === 'fees'
    ? { ...base, to: holder.address, to_name: holder.name }
    : { ...base, to: holder.address };
};

/** What leaves the wallet and what comes in, beside the fee, as far as it is understood. */
const movesOf = (context: Context): readonly SolanaMove[] => {
  const { flows, network, wallet } = context;
  const of = (direction: Flow['direction']) => flows.filter((flow) => flow.direction === direction);
  const incoming = of('in').map((flow) => ({
    token: nameOfMint(network, flow.mint),
    amount: amountOfFlow(network, flow),
    to: wallet,
    label: 'comes in',
  }));
  const rent = rentOf(context);
  const rents =
    rent === 0n
      ? []
      : [{ token: 'SOL', amount: fromUnits(rent, SOL_DECIMALS), to: NEW_ACCOUNTS, label: 'rent, at most' }];
  return [...of('out').map((flow) => outgoing(context, flow)), ...incoming, ...rents];
};
