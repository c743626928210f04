import { fromUnits, largerOf, sumOf } from '../../core/decimal.ts';
import { allowRecipient, type Check, confirm, pass, refuse } from '../review/check.ts';
import { readTokenAccount, type Simulation } from './accounts.ts';
import { USUAL_PERCENT } from './check-money.ts';
import { netByMint } from './check-simulation.ts';
import { type Context, type Holder, type RequestedUnits, totalFees } from './context.ts';
import { type Flow, flowInWords, nameOfMint, unitsInWords } from './flows.ts';

/** What a token account of another owner gains. */
export type Gain = {
  readonly address: string;
  readonly owner: string;
  readonly mint: string;
  readonly program: string;
  readonly units: bigint;
};

/** The gains of all other owners in a simulation. */
export const gainsOfOthers = ({ wallet }: Context, { accounts }: Simulation): readonly Gain[] =>
  accounts.flatMap(({ address, before, after }) => {
    const [had, has] = [before && readTokenAccount(before), after && readTokenAccount(after)];
    if (has === undefined || after === undefined || has.owner === wallet) return [];
    const units = has.units - (had?.mint === has.mint ? had.units : 0n);
    return units > 0n ? [{ address, owner: has.owner, mint: has.mint, program: after.owner, units }] : [];
  });

/** What the wallet puts in of a mint: its loss, or the requested amount of a rebalance. */
const amountPutIn = ({ requestedUnits }: Context, nets: ReadonlyMap<string, bigint>, mint: string): bigint => {
  const moved =
    requestedUnits?.operation.kind === 'rebalance' && mint === requestedUnits.token.mint ? requestedUnits.amount : 0n;
  return largerOf(-(nets.get(mint) ?? 0n), moved);
};

/** Owners that gain most of what the wallet puts in: those of the provider's accounts. */
const takersOf = (context: Context, gains: readonly Gain[], nets: ReadonlyMap<string, bigint>): readonly string[] => {
  const isMost = ({ owner, mint }: Gain) => {
    const put = amountPutIn(context, nets, mint);
    return put > 0n && sumOf(gains.filter((each) => each.owner === owner && each.mint === mint)) * 2n > put;
  };
  return [...new Set(gains.filter(isMost).map(({ owner }) => owner))];
};

/**
 * Gains of other owners beyond what the wallet puts in, or beyond a usual fee. The provider that takes the deposit may also
 * gain shares of its own.
 */
export const unexplainedGains = (context: Context, simulation: Simulation, gains: readonly Gain[]): readonly Gain[] => {
  const nets = netByMint(simulation, context.wallet);
  const takers = takersOf(context, gains, nets);
  return [...new Set(gains.map(({ mint }) => mint))].flatMap((mint) => {
    const put = amountPutIn(context, nets, mint);
    // The usual fee of what goes in or comes in needs no confirmation.
    const usual = (largerOf(put, nets.get(mint) ?? 0n) * USUAL_PERCENT) / 100n;
    const ofMint = gains.filter((gain) => gain.mint === mint);
    const taken = ofMint.filter(({ owner }) => takers.includes(owner));
    const others = ofMint.filter(({ owner }) => !takers.includes(owner));
    const isMore = put > 0n && sumOf(taken) > put + usual;
    return [...(isMore ? taken : []), ...(sumOf(others) > usual ? others : [])];
  });
};

/**
 * Gains of other owners where a program that bursar cannot decode acts for the wallet. The program may pay out what it holds
 * for the wallet, and no balance of the wallet shows that.
 */
export const checkOthers = (context: Context): readonly Check[] => {
  const { simulation, isOpaque, network, isPinned, holderOf } = context;
  if (!isOpaque || simulation === undefined || simulation.error !== undefined) return [];
  const isKnown = ({ address, owner, mint, program }: Gain) =>
    isPinned(address) || isPinned(owner) || !['named', undefined].includes(holderOf(address, mint, program)?.is);
  const gains = gainsOfOthers(context, simulation).filter((gain) => !isKnown(gain));
  const owners = unexplainedGains(context, simulation, gains).map(({ owner, mint }) => {
    const message = `Simulation: ${owner} gains ${nameOfMint(network, mint)} besides what the wallet puts in.`;
    return [message, owner] as const;
  });
  return [...new Map(owners)].map(([message, owner]) => confirm('receivers', message, allowRecipient(owner)));
};

type OutgoingTransfer = { readonly flow: Flow; readonly holder: Holder | undefined };

/** Outgoing transfers with their receivers. */
const outgoingTransfers = ({ flows, holderOf }: Context): readonly OutgoingTransfer[] =>
  flows
    .filter(({ direction, how }) => direction === 'out' && how === 'transfer')
    .map((flow) => ({ flow, holder: holderOf(flow.other, flow.mint, flow.program) }));

const checkUnknownReceiver = ({ network }: Context, { flow, holder }: OutgoingTransfer): readonly Check[] => {
  if (holder !== undefined && holder.is !== 'named') return [];
  const who = holder === undefined ? flow.other : `${flow.other} of ${holder.address}`;
  const message = `The transaction pays ${flowInWords(network, flow)} to ${who}, which bursar does not know.`;
  return [confirm('receivers', message, allowRecipient(holder?.address ?? flow.other))];
};

/** A fee that no answer of the service states: up to the usual part of the amount it passes. */
const checkUnstatedFee = (message: string, fees: bigint, { amount }: RequestedUnits): Check =>
  fees * 100n <= amount * USUAL_PERCENT
    ? pass('stated_fee', `${message}, at most ${USUAL_PERCENT} % of the amount.`)
    : confirm('stated_fee', `${message}, more than ${USUAL_PERCENT} % of the amount.`);

/**
 * Compares the amount for the fee's receiver with the fees that the service states, where both are known. A higher fee is
 * refused; for a lower one the user must confirm the difference.
 */
const checkFees = (
  { requestedUnits, network, isOpaque }: Context,
  paid: readonly OutgoingTransfer[],
): readonly Check[] => {
  if (requestedUnits === undefined || network.feeReceiver === undefined) return [];
  const { token } = requestedUnits;
  const ofFees = paid.filter(({ flow, holder }) => holder?.is === 'fees' && flow.mint === token.mint);
  const fees = sumOf(ofFees.map(({ flow }) => flow));
  const message = `Service fee: ${unitsInWords(token, fees)}`;
  if (requestedUnits.operation.areFeesUnstated === true)
    return fees === 0n ? [] : [checkUnstatedFee(message, fees, requestedUnits)];
  const stated = totalFees(requestedUnits);
  if (fees === 0n && (stated === 0n || isOpaque)) return [];
  if (fees === stated) return [pass('stated_fee', `${message}, as the service says.`)];
  const both = `${message}; the service says ${fromUnits(stated, token.decimals)}.`;
  return [fees > stated ? refuse('stated_fee', both) : confirm('stated_fee', both)];
};

/** The receivers of what leaves the wallet. A token account without a known owner counts as unknown. */
export const checkReceivers = (context: Context): readonly Check[] => {
  const paid = outgoingTransfers(context);
  const unknown = paid.flatMap((each) => checkUnknownReceiver(context, each));
  const known = paid.flatMap(({ holder }) => (holder !== undefined && holder.is !== 'named' ? [holder.name] : []));
  const message = [...new Set(known)].join(' and ');
  return [
    ...unknown,
    ...checkFees(context, paid),
    ...(unknown.length === 0 && message !== '' ? [pass('receivers', `Receivers: ${message}.`)] : []),
  ];
};
