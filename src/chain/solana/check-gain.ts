import { type Check, confirm, pass, refuse } from '../verdict.ts';
import { addressBytes } from './address.ts';
import { changesOf, netByMint } from './check-simulation.ts';
import type { Context } from './context.ts';
import { totalOf } from './flows.ts';
import { SOL } from './network.ts';
import { PROGRAMS } from './programs/addresses.ts';
import type { AccountChange, AccountState, Simulation } from './simulation.ts';
import { nameOfMint } from './words.ts';

const OF_THE_SYSTEM: readonly string[] = Object.values(PROGRAMS);

const holds = ({ data }: AccountState, address: string): boolean =>
  Buffer.from(data).includes(Buffer.from(addressBytes(address)));

const hasChanged = ({ before, after }: AccountChange): boolean =>
  after !== undefined && (before === undefined || Buffer.compare(before.data, after.data) !== 0);

/** An account of an allowed program that the transaction creates or changes. */
type Kept = { readonly address: string; readonly before: AccountState | undefined; readonly after: AccountState };

/** What allowed programs keep, where it changes. What the programs of every cluster keep is no position. */
const keptBy = ({ isProgramAllowed }: Context, { accounts }: Simulation): readonly Kept[] =>
  accounts.flatMap((change) => {
    const { address, before, after } = change;
    if (after === undefined || !hasChanged(change)) return [];
    return isProgramAllowed(after.owner) && !OF_THE_SYSTEM.includes(after.owner) ? [{ address, before, after }] : [];
  });

/** An account is the wallet's position where it holds the wallet's key and that of nobody else who signs. */
const isOfWallet = ({ unsigned, wallet }: Context, { after }: Kept): boolean => {
  const { addresses, signers } = unsigned.message;
  return holds(after, wallet) && !addresses.slice(1, signers).some((other) => holds(after, other));
};

/** Programs mark what kind an account is by its first bytes (Anchor: eight), and accounts of a kind are of one size. */
const KIND_BYTES = 8;

const isOfKind = (one: AccountState, other: AccountState): boolean =>
  one.owner === other.owner &&
  one.data.length === other.data.length &&
  Buffer.compare(one.data.subarray(0, KIND_BYTES), other.data.subarray(0, KIND_BYTES)) === 0;

/**
 * The mints that are no known money and of which the wallet has more. What a plain instruction brings in beside a program
 * that is not understood is none: anybody can make a token and give it away.
 */
const sharesGained = ({ network, flows, isOpaque }: Context, nets: ReadonlyMap<string, bigint>): readonly string[] => {
  const money = [SOL, ...network.tokens].map(({ mint }) => mint);
  const plain = (mint: string) => (isOpaque ? totalOf(flows, 'in', mint) : 0n);
  return [...nets].flatMap(([mint, net]) => (!money.includes(mint) && net - plain(mint) > 0n ? [mint] : []));
};

/** What shows that the wallet gains; `foreign` are positions that are like the wallet's and are not. */
type Evidence = {
  readonly shares: readonly string[];
  readonly positions: readonly Kept[];
  readonly pinned: readonly Kept[];
  readonly foreign: readonly Kept[];
  /** Whether the wallet has less of some shares: they are what is taken out. */
  readonly givesShares: boolean;
};

const evidenceIn = (context: Context, simulation: Simulation): Evidence => {
  const { network, wallet, isPinned } = context;
  const nets = netByMint(changesOf(simulation, wallet), wallet);
  const kept = keptBy(context, simulation);
  const positions = kept.filter((each) => isOfWallet(context, each));
  const isLike = ({ after }: Kept) => positions.some((own) => isOfKind(own.after, after));
  return {
    shares: sharesGained(context, nets),
    positions,
    pinned: kept.filter(({ address }) => isPinned(address)),
    foreign: kept.filter((each) => !holds(each.after, wallet) && isLike(each)),
    givesShares: [...nets].some(([mint, net]) => net < 0n && !network.tokens.some((token) => token.mint === mint)),
  };
};

/**
 * A rebalance also changes the position that it takes from: of two providers that both keep positions, two change. One
 * that is new is the one that money is put in.
 */
const isPutIn = ({ asked }: Context, { positions, givesShares }: Evidence): boolean => {
  const isAlone = asked?.kind !== 'rebalance' || asked.providerIn === asked.providerOut || givesShares;
  return positions.length >= (isAlone ? 1 : 2) || positions.some(({ before }) => before === undefined);
};

const checkSimulated = (context: Context, simulation: Simulation): Check => {
  const { network, isOpaque } = context;
  const evidence = evidenceIn(context, simulation);
  const { shares, positions, pinned, foreign } = evidence;
  const [stranger] = foreign;
  if (stranger !== undefined) {
    const says = `It changes ${stranger.address}, which is like the wallet's position and does not hold the wallet's key.`;
    return pinned.includes(stranger) ? pass('gain', `${says} The policy names it.`) : confirm('gain', says);
  }
  if (shares.length > 0) {
    const names = shares.map((mint) => nameOfMint(network, mint)).join(' and ');
    return pass('gain', `By the simulation the wallet has more of ${names}.`);
  }
  if (isPutIn(context, evidence)) {
    const names = positions.map(({ address }) => address).join(' and ');
    return pass('gain', `By the simulation the wallet's position changes: ${names}.`);
  }
  if (pinned.length > 0) {
    return pass('gain', `By the simulation the position changes that the policy names: ${pinned[0]?.address}.`);
  }
  const says = 'By the simulation the wallet gets nothing for what it puts in: no shares, and no position of its own.';
  // Where all of it is understood, what comes in is known, and must be there.
  return isOpaque || network.markets.length === 0 ? confirm('gain', says) : refuse('gain', says);
};

/**
 * What is put in must be the wallet's afterwards: balances alone do not show who is credited by a program that is not
 * understood. Evidence is more of a share token, a position that holds the wallet's key, or one that the policy names.
 */
export const checkGain = (context: Context): readonly Check[] => {
  const { asked, simulation, isOpaque } = context;
  if (asked === undefined || asked.kind === 'withdraw') return [];
  if (simulation !== undefined) return simulation.error === undefined ? [checkSimulated(context, simulation)] : [];
  if (!isOpaque) return [];
  const says =
    'A program that is not understood takes what is put in: only a simulation by --rpc-url shows who gains it.';
  return [confirm('gain', says)];
};
