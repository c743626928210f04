import { largerOf } from '../../core/decimal.ts';
import { allowRecipient } from '../allow.ts';
import { type Check, confirm } from '../verdict.ts';
import { changesOf, netByMint } from './check-simulation.ts';
import { USUAL_PERCENT } from './check-stated-fees.ts';
import type { Context } from './context.ts';
import type { Simulation } from './simulation.ts';
import { readTokenAccount } from './token-account.ts';
import { nameOfMint } from './words.ts';

/** What a token account that is not the wallet's has more of. */
export type Gain = {
  readonly address: string;
  readonly owner: string;
  readonly mint: string;
  readonly program: string;
  readonly units: bigint;
};

/** What everybody but the wallet gains by a simulation. */
export const gainsOfOthers = ({ wallet }: Context, { accounts }: Simulation): readonly Gain[] =>
  accounts.flatMap(({ address, before, after }) => {
    const [had, has] = [before && readTokenAccount(before), after && readTokenAccount(after)];
    if (has === undefined || after === undefined || has.owner === wallet) return [];
    const units = has.units - (had?.mint === has.mint ? had.units : 0n);
    return units > 0n ? [{ address, owner: has.owner, mint: has.mint, program: after.owner, units }] : [];
  });

const sumOf = (gains: readonly Gain[]): bigint => gains.reduce((sum, { units }) => sum + units, 0n);

/** What the wallet puts in of a mint: what it loses, and of a rebalance what was asked to move. */
const putIn = ({ wanted }: Context, nets: ReadonlyMap<string, bigint>, mint: string): bigint => {
  const moved = wanted?.asked.kind === 'rebalance' && mint === wanted.token.mint ? wanted.amount : 0n;
  return largerOf(-(nets.get(mint) ?? 0n), moved);
};

/** Who takes the most of what the wallet puts in: the owner of the provider's accounts. */
const takersOf = (context: Context, gains: readonly Gain[], nets: ReadonlyMap<string, bigint>): readonly string[] => {
  const isMost = ({ owner, mint }: Gain) => {
    const put = putIn(context, nets, mint);
    return put > 0n && sumOf(gains.filter((each) => each.owner === owner && each.mint === mint)) * 2n > put;
  };
  return [...new Set(gains.filter(isMost).map(({ owner }) => owner))];
};

/** What strangers may gain of a mint without a word of the user: the usual part, as a fee, of what goes in or comes in. */
const usualOf = (context: Context, nets: ReadonlyMap<string, bigint>, mint: string): bigint => {
  const net = nets.get(mint) ?? 0n;
  return (largerOf(putIn(context, nets, mint), net) * USUAL_PERCENT) / 100n;
};

/**
 * Of what others gain, what is more than the wallet puts in or than a usual fee. The provider that takes what is put in may
 * also gain shares of its own.
 */
export const strayGains = (context: Context, simulation: Simulation, gains: readonly Gain[]): readonly Gain[] => {
  const nets = netByMint(changesOf(simulation, context.wallet), context.wallet);
  const takers = takersOf(context, gains, nets);
  return [...new Set(gains.map(({ mint }) => mint))].flatMap((mint) => {
    const [put, usual] = [putIn(context, nets, mint), usualOf(context, nets, mint)];
    const ofMint = gains.filter((gain) => gain.mint === mint);
    const taken = ofMint.filter(({ owner }) => takers.includes(owner));
    const others = ofMint.filter(({ owner }) => !takers.includes(owner));
    const isMore = put > 0n && sumOf(taken) > put + usual;
    return [...(isMore ? taken : []), ...(sumOf(others) > usual ? others : [])];
  });
};

/**
 * Who else gains where a program that is not understood acts for the wallet: it may pay out what it keeps for the wallet,
 * and no balance of the wallet shows that.
 */
export const checkOthers = (context: Context): readonly Check[] => {
  const { simulation, isOpaque, network, isPinned, holderOf } = context;
  if (!isOpaque || simulation === undefined || simulation.error !== undefined) return [];
  const isKnown = ({ address, owner, mint, program }: Gain) =>
    isPinned(address) || isPinned(owner) || !['named', undefined].includes(holderOf(address, mint, program)?.is);
  const gains = gainsOfOthers(context, simulation).filter((gain) => !isKnown(gain));
  const message = strayGains(context, simulation, gains).map(
    ({ owner, mint }) =>
      [owner, `By the simulation ${owner} gains ${nameOfMint(network, mint)} beside what the wallet puts in.`] as const,
  );
  return [...new Map(message.map(([owner, text]) => [text, owner]))].map(([text, owner]) =>
    confirm('receivers', text, allowRecipient(owner)),
  );
};
