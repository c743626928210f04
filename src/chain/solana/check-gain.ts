import { fromUnits } from '../../core/decimal.ts';
import { type Check, confirm, pass, refuse } from '../review/check.ts';
import type { AccountChange, AccountState, Simulation } from './accounts.ts';
import { addressBytes } from './address.ts';
import { gainsOfOthers } from './check-receivers.ts';
import { changesOf, netByMint } from './check-simulation.ts';
import { type Context, totalFees } from './context.ts';
import { nameOfMint, totalOf } from './flows.ts';
import { PROGRAMS, SOL, TOKEN_PROGRAMS } from './network.ts';

const OF_THE_SYSTEM: readonly string[] = Object.values(PROGRAMS);

const holds = ({ data }: AccountState, address: string): boolean =>
  Buffer.from(data).includes(Buffer.from(addressBytes(address)));

const hasChanged = ({ before, after }: AccountChange): boolean =>
  after !== undefined && (before === undefined || Buffer.compare(before.data, after.data) !== 0);

/** An account of an allowed program that the transaction creates or changes. */
type PositionAccount = {
  readonly address: string;
  readonly before: AccountState | undefined;
  readonly after: AccountState;
};

/** What allowed programs keep, where it changes. What the programs of every cluster keep is no position. */
const positionAccountsIn = ({ isProgramAllowed }: Context, { accounts }: Simulation): readonly PositionAccount[] =>
  accounts.flatMap((change) => {
    const { address, before, after } = change;
    if (after === undefined || !hasChanged(change)) return [];
    return isProgramAllowed(after.owner) && !OF_THE_SYSTEM.includes(after.owner) ? [{ address, before, after }] : [];
  });

/** An account is the wallet's position where it holds the wallet's key and that of nobody else who signs. */
const isOfWallet = ({ unsigned, wallet }: Context, { after }: PositionAccount): boolean => {
  const { addresses, signers } = unsigned.message;
  return holds(after, wallet) && !addresses.slice(1, signers).some((other) => holds(after, other));
};

/** Programs mark what kind an account is by its first bytes (Anchor: eight), and accounts of a kind are of one size. */
const KIND_BYTES = 8;

const isOfKind = (one: AccountState, other: AccountState): boolean =>
  one.owner === other.owner &&
  one.data.length === other.data.length &&
  Buffer.compare(one.data.subarray(0, KIND_BYTES), other.data.subarray(0, KIND_BYTES)) === 0;

/** Shares that the wallet has more of; their decimals are known where the simulation shows their mint. */
type Share = { readonly mint: string; readonly units: bigint; readonly decimals: number | undefined };

/** SPL Token, Mint: 82 bytes, or 165 and extensions behind, of which the 45th are the decimals. */
const MINT_BYTES = 82;
const DECIMALS_AT = 44;

const decimalsOf = ({ accounts }: Simulation, mint: string): number | undefined => {
  const after = accounts.find(({ address }) => address === mint)?.after;
  const isMint = after !== undefined && TOKEN_PROGRAMS.includes(after.owner) && after.data.length >= MINT_BYTES;
  return isMint ? after.data[DECIMALS_AT] : undefined;
};

/**
 * The tokens that are no known money and of which the wallet has more. What a plain instruction brings in beside a program
 * that is not understood is none: anybody can make a token and give it away.
 */
const sharesGained = (
  { network, flows, isOpaque }: Context,
  simulation: Simulation,
  nets: ReadonlyMap<string, bigint>,
): readonly Share[] => {
  const money = [SOL, ...network.tokens].map(({ mint }) => mint);
  const plain = (mint: string) => (isOpaque ? totalOf(flows, 'in', mint) : 0n);
  return [...nets].flatMap(([mint, net]) => {
    const units = net - plain(mint);
    return !money.includes(mint) && units > 0n ? [{ mint, units, decimals: decimalsOf(simulation, mint) }] : [];
  });
};

/** What shows that the wallet gains. */
type Evidence = {
  readonly shares: readonly Share[];
  readonly positions: readonly PositionAccount[];
  readonly pinned: readonly PositionAccount[];
  /** Positions that are like the wallet's and are not. */
  readonly foreign: readonly PositionAccount[];
  /** Others that are neither the wallet's nor those of the provider that takes what is put in. */
  readonly strange: readonly PositionAccount[];
  /** Whether the wallet has less of some shares: they are what is taken out. */
  readonly givesShares: boolean;
};

/** A provider's own account names where it keeps the money: the account that takes it, or one of the same kind does. */
const unexplainedIn = (
  context: Context,
  simulation: Simulation,
  kept: readonly PositionAccount[],
): readonly PositionAccount[] => {
  const others = kept.filter(({ after }) => !holds(after, context.wallet));
  const takers = gainsOfOthers(context, simulation).map(({ address }) => address);
  const reserves = others.filter(({ after }) => takers.some((address) => holds(after, address)));
  return others.filter(({ after }) => !reserves.some((reserve) => isOfKind(reserve.after, after)));
};

const evidenceIn = (context: Context, simulation: Simulation): Evidence => {
  const { network, wallet, isPinned } = context;
  const nets = netByMint(changesOf(simulation, wallet), wallet);
  const kept = positionAccountsIn(context, simulation);
  const positions = kept.filter((each) => isOfWallet(context, each));
  const isLike = ({ after }: PositionAccount) => positions.some((own) => isOfKind(own.after, after));
  return {
    shares: sharesGained(context, simulation, nets),
    positions,
    pinned: kept.filter(({ address }) => isPinned(address)),
    foreign: kept.filter((each) => !holds(each.after, wallet) && isLike(each)),
    strange: unexplainedIn(context, simulation, kept),
    givesShares: [...nets].some(([mint, net]) => net < 0n && !network.tokens.some((token) => token.mint === mint)),
  };
};

/**
 * A rebalance also changes the position that it takes from: of two providers that both keep positions, two change. One
 * that is new is the one that money is put in.
 */
const hasDeposited = ({ requested }: Context, { positions, givesShares }: Evidence): boolean => {
  const isAlone = requested?.kind !== 'rebalance' || requested.providerIn === requested.providerOut || givesShares;
  return positions.length >= (isAlone ? 1 : 2) || positions.some(({ before }) => before === undefined);
};

/** A share is worth about one unit of its token or a little more: fewer than half as many are hardly all. */
const MIN_PART = 2n;

/** Whether so few shares come for what is put in; shares whose decimals nothing shows cannot be compared. */
const areFew = ({ requestedUnits }: Context, { units, decimals }: Share): boolean => {
  if (requestedUnits === undefined || decimals === undefined) return false;
  const put = requestedUnits.amount - totalFees(requestedUnits);
  return units * MIN_PART * 10n ** BigInt(requestedUnits.token.decimals) < put * 10n ** BigInt(decimals);
};

const checkShares = (context: Context, shares: readonly Share[]): Check => {
  const names = shares.map(({ mint }) => nameOfMint(context.network, mint)).join(' and ');
  if (!shares.every((share) => areFew(context, share)))
    return pass('gain', `By the simulation the wallet has more of ${names}.`);
  const message = shares.map(({ units, decimals = 0 }) => fromUnits(units, decimals)).join(' and ');
  return confirm('gain', `By the simulation the wallet gets only ${message} of ${names} for what it puts in.`);
};

const checkSimulated = (context: Context, simulation: Simulation): Check => {
  const { network, isOpaque } = context;
  const evidence = evidenceIn(context, simulation);
  const { shares, positions, pinned, foreign, strange } = evidence;
  const [stranger] = foreign;
  if (stranger !== undefined) {
    const message = `It changes ${stranger.address}, which is like the wallet's position and does not hold the wallet's key.`;
    return pinned.includes(stranger) ? pass('gain', `${message} The policy names it.`) : confirm('gain', message);
  }
  if (shares.length > 0) return checkShares(context, shares);
  const [other] = strange.filter((each) => !pinned.includes(each));
  if (other !== undefined && positions.length > 0) {
    const message = `It changes ${other.address} beside the wallet's position, and nothing shows whose that is.`;
    return confirm('gain', message);
  }
  if (hasDeposited(context, evidence)) {
    const names = positions.map(({ address }) => address).join(' and ');
    return pass('gain', `By the simulation the wallet's position changes: ${names}.`);
  }
  if (pinned.length > 0) {
    return pass('gain', `By the simulation the position changes that the policy names: ${pinned[0]?.address}.`);
  }
  const message =
    'By the simulation the wallet gets nothing for what it puts in: no shares, and no position of its own.';
  // Where all of it is understood, what comes in is known, and must be there.
  return isOpaque || network.markets.length === 0 ? confirm('gain', message) : refuse('gain', message);
};

/** Whether a simulation takes known money of the wallet: what nobody stated is judged as a deposit then. */
const takesMoney = (context: Context, simulation: Simulation): boolean => {
  const { network, wallet } = context;
  const nets = netByMint(changesOf(simulation, wallet), wallet);
  return [...nets].some(([mint, net]) => net < 0n && network.tokens.some((token) => token.mint === mint));
};

/**
 * What is put in must be the wallet's afterwards: balances alone do not show who is credited by a program that is not
 * understood. Evidence is more of a share token, a position that holds the wallet's key, or one that the policy names.
 */
export const checkGain = (context: Context): readonly Check[] => {
  const { requested, simulation, isOpaque } = context;
  if (requested?.kind === 'withdraw') return [];
  if (simulation !== undefined) {
    if (simulation.error !== undefined) return [];
    const isJudged = requested !== undefined || (isOpaque && takesMoney(context, simulation));
    return isJudged ? [checkSimulated(context, simulation)] : [];
  }
  if (requested === undefined || !isOpaque) return [];
  const message =
    'A program that is not understood takes what is put in: only a simulation by --rpc-url shows who gains it.';
  return [confirm('gain', message)];
};
