import { fromUnits } from '../../core/decimal.ts';
import { type Check, confirm, pass, refuse } from '../review/check.ts';
import { type AccountChange, type AccountState, contains, type Simulation } from './accounts.ts';
import { gainsOfOthers } from './check-receivers.ts';
import { netByMint } from './check-simulation.ts';
import { type Context, totalFees } from './context.ts';
import { nameOfMint, totalOf } from './flows.ts';
import { PROGRAMS, SOL, TOKEN_PROGRAMS } from './network.ts';

const SYSTEM_PROGRAMS: readonly string[] = Object.values(PROGRAMS);

/** An account of an allowed program that the transaction creates or changes: it may be a position. */
type PositionAccount = AccountChange & { readonly after: AccountState };

/** The changed accounts of allowed programs. Accounts of the system programs are no positions. */
const positionAccountsIn = ({ isProgramAllowed }: Context, { accounts }: Simulation): readonly PositionAccount[] =>
  accounts.flatMap(({ address, before, after }) => {
    if (after === undefined || (before && Buffer.compare(before.data, after.data) === 0)) return [];
    return isProgramAllowed(after.owner) && !SYSTEM_PROGRAMS.includes(after.owner) ? [{ address, before, after }] : [];
  });

/** An account is the wallet's position if it contains the wallet's key and no other signer's. */
const isOfWallet = ({ unsigned, wallet }: Context, { after }: PositionAccount): boolean => {
  const { addresses, signers } = unsigned.message;
  return contains(after, wallet) && !addresses.slice(1, signers).some((other) => contains(after, other));
};

/** The first bytes of an account mark its kind (Anchor: eight). Accounts of a kind have the same size. */
const KIND_BYTES = 8;

const isOfKind = (one: AccountState, other: AccountState): boolean =>
  one.owner === other.owner &&
  one.data.length === other.data.length &&
  Buffer.compare(one.data.subarray(0, KIND_BYTES), other.data.subarray(0, KIND_BYTES)) === 0;

/** Shares that the wallet gains; their decimals are known if the simulation shows their mint. */
type Share = { readonly mint: string; readonly units: bigint; readonly decimals: number | undefined };

/** SPL Token, Mint: 82 bytes, or 165 and extensions. The byte at 44 has the decimals. */
const MINT_BYTES = 82;
const DECIMALS_AT = 44;

const decimalsOf = ({ accounts }: Simulation, mint: string): number | undefined => {
  const after = accounts.find(({ address }) => address === mint)?.after;
  const isMint = after !== undefined && TOKEN_PROGRAMS.includes(after.owner) && after.data.length >= MINT_BYTES;
  return isMint ? after.data[DECIMALS_AT] : undefined;
};

/**
 * The wallet's gains of tokens that are no known money. Beside a program that bursar cannot decode, a plain instruction's
 * token does not count: anyone can create a token and give it away.
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

/** Accounts without the wallet's key that are no reserve. A reserve contains the account that takes the money. */
const unexplainedIn = (
  context: Context,
  simulation: Simulation,
  kept: readonly PositionAccount[],
): readonly PositionAccount[] => {
  const others = kept.filter(({ after }) => !contains(after, context.wallet));
  const takers = gainsOfOthers(context, simulation).map(({ address }) => address);
  const reserves = others.filter(({ after }) => takers.some((address) => contains(after, address)));
  return others.filter(({ after }) => !reserves.some((reserve) => isOfKind(reserve.after, after)));
};

/** Facts of a simulation about the wallet's gain. */
const evidenceIn = (context: Context, simulation: Simulation) => {
  const { network, wallet, isPinned } = context;
  const nets = netByMint(simulation, wallet);
  const kept = positionAccountsIn(context, simulation);
  const positions = kept.filter((each) => isOfWallet(context, each));
  const isLike = ({ after }: PositionAccount) => positions.some((own) => isOfKind(own.after, after));
  return {
    shares: sharesGained(context, simulation, nets),
    positions,
    pinned: kept.filter(({ address }) => isPinned(address)),
    /** Positions of the same kind as the wallet's that belong to others. */
    foreign: kept.filter((each) => !contains(each.after, wallet) && isLike(each)),
    /** Other accounts that belong neither to the wallet nor to the provider that takes the deposit. */
    unexplained: unexplainedIn(context, simulation, kept),
    /** Whether the wallet loses shares: they are taken out. */
    givesShares: [...nets].some(([mint, net]) => net < 0n && !network.tokens.some((token) => token.mint === mint)),
  };
};

type Evidence = ReturnType<typeof evidenceIn>;

/**
 * Whether a position shows the deposit. A rebalance also changes the position that it takes from, so it needs two changed
 * positions, or a new one.
 */
const hasDeposited = ({ requested }: Context, { positions, givesShares }: Evidence): boolean => {
  const isAlone = requested?.kind !== 'rebalance' || requested.providerIn === requested.providerOut || givesShares;
  return positions.length >= (isAlone ? 1 : 2) || positions.some(({ before }) => before === undefined);
};

/** A share is worth about one unit of its token or a little more, so fewer than half as many are too few. */
const MIN_PART = 2n;

/** Whether the shares are too few for the deposit; shares of unknown decimals cannot be compared. */
const areFew = ({ requestedUnits }: Context, { units, decimals }: Share): boolean => {
  if (requestedUnits === undefined || decimals === undefined) return false;
  const put = requestedUnits.amount - totalFees(requestedUnits);
  return units * MIN_PART * 10n ** BigInt(requestedUnits.token.decimals) < put * 10n ** BigInt(decimals);
};

const checkShares = (context: Context, shares: readonly Share[]): Check => {
  const names = shares.map(({ mint }) => nameOfMint(context.network, mint)).join(' and ');
  if (!shares.every((share) => areFew(context, share))) return pass('gain', `Simulation: the wallet gains ${names}.`);
  const message = shares.map(({ units, decimals = 0 }) => fromUnits(units, decimals)).join(' and ');
  return confirm('gain', `Simulation: the wallet gains only ${message} of ${names} for its deposit.`);
};

const checkSimulated = (context: Context, simulation: Simulation): Check => {
  const { network, isOpaque } = context;
  const evidence = evidenceIn(context, simulation);
  const { shares, positions, pinned, foreign, unexplained } = evidence;
  const [other] = foreign;
  if (other !== undefined) {
    const message = `Simulation: ${other.address} changes. It looks like the wallet's position but lacks the wallet's key.`;
    return pinned.includes(other) ? pass('gain', `${message} The policy lists it.`) : confirm('gain', message);
  }
  if (shares.length > 0) return checkShares(context, shares);
  const [unexplainedAccount] = unexplained.filter((each) => !pinned.includes(each));
  if (unexplainedAccount !== undefined && positions.length > 0) {
    const message = `Simulation: ${unexplainedAccount.address} changes besides the wallet's position`;
    return confirm('gain', `${message}. Its owner is not known.`);
  }
  if (hasDeposited(context, evidence)) {
    const names = positions.map(({ address }) => address).join(' and ');
    return pass('gain', `Simulation: the wallet's position changes: ${names}.`);
  }
  const [listed] = pinned;
  if (listed) return pass('gain', `Simulation: the position ${listed.address} changes, which the policy lists.`);
  const message = 'Simulation: the wallet gets nothing for its deposit: no shares, and no position of its own.';
  // If every program is decoded, the gain is known and must be there.
  return isOpaque || network.markets.length === 0 ? confirm('gain', message) : refuse('gain', message);
};

/** Whether a simulation takes known money of the wallet. Without a request it then counts as a deposit. */
const takesMoney = (context: Context, simulation: Simulation): boolean => {
  const { network, wallet } = context;
  const nets = netByMint(simulation, wallet);
  return [...nets].some(([mint, net]) => net < 0n && network.tokens.some((token) => token.mint === mint));
};

/**
 * The wallet must gain what it puts in; balances alone do not show whom an undecoded program credits. Evidence is more of a
 * share token, a position with the wallet's key, or a position that the policy lists.
 */
export const checkGain = (context: Context): readonly Check[] => {
  const { requested, simulation, isOpaque } = context;
  if (requested?.kind === 'withdraw' || simulation?.error !== undefined) return [];
  if (simulation !== undefined) {
    const isRelevant = requested !== undefined || (isOpaque && takesMoney(context, simulation));
    return isRelevant ? [checkSimulated(context, simulation)] : [];
  }
  if (requested === undefined || !isOpaque) return [];
  const message = 'The program that takes the deposit cannot be decoded';
  return [confirm('gain', `${message}. Only a simulation shows who gains it: --rpc-url.`)];
};
