import { SOL_DECIMALS, SOLANA } from '../../contract/chains.ts';
import { fromUnits, largerOf, sumOf, sumsBy } from '../../core/decimal.ts';
import { withRecorded } from '../review/check-limits.ts';
import type { CalledProgram, Footprint, Outflow, Spend, UndecodedPart } from '../review/policy.ts';
import { type AccountState, readTokenAccount, type Simulation } from './accounts.ts';
import { mostFee, rentOf } from './check-fee-and-funds.ts';
import { gainsOfOthers, unexplainedGains } from './check-receivers.ts';
import { netByMint, spentBy } from './check-simulation.ts';
import type { Context } from './context.ts';
import { amountText, type Flow, nameOfMint, type Units } from './flows.ts';
import { PROGRAMS, SOL } from './network.ts';

/**
 * Shares that are given back for the requested token in the same transaction are no payment; `checkShares` limits their
 * number. Without a request they count as an outflow.
 */
const isExchanged = ({ requestedUnits, flows }: Context, { how, mint }: Flow): boolean =>
  requestedUnits?.out !== undefined &&
  how === 'burn' &&
  mint === requestedUnits.out.share.mint &&
  flows.some((flow) => flow.direction === 'in' && flow.mint === requestedUnits.token.mint);

const outOf = (context: Context): readonly Flow[] =>
  context.flows.filter((flow) => flow.direction === 'out' && !isExchanged(context, flow));

/** The requested loss, where there is no simulation. A withdrawal takes nothing out of the wallet. */
const requestedLoss = ({ requestedUnits }: Context): readonly Units[] =>
  requestedUnits === undefined || requestedUnits.operation.kind === 'withdraw'
    ? []
    : [{ mint: requestedUnits.token.mint, units: requestedUnits.amount, decimals: undefined }];

/**
 * Gains of others by mint: of known money, and unexplained gains of any token. A program may pay out what it holds for the
 * wallet, and a policy must see that.
 */
const paidOutOf = (context: Context, simulation: Simulation): ReadonlyMap<string, bigint> => {
  const gains = gainsOfOthers(context, simulation);
  const money = gains.filter(({ mint }) => context.network.tokens.some((token) => token.mint === mint));
  const stray = unexplainedGains(context, simulation, gains).filter((gain) => !money.includes(gain));
  return sumsBy([...money, ...stray], ({ mint }) => mint);
};

/** Losses by a program that bursar cannot decode: by the simulation, or by the request. */
const lossesOf = (context: Context): readonly Units[] => {
  const { simulation, wallet, isOpaque } = context;
  if (!isOpaque) return [];
  if (simulation === undefined) return requestedLoss(context);
  const nets = netByMint(simulation, wallet);
  const paidOut = paidOutOf(context, simulation);
  const tokens = [...new Set([...nets.keys(), ...paidOut.keys()])].map((mint) => ({
    mint,
    units: largerOf(-(nets.get(mint) ?? 0n), paidOut.get(mint) ?? 0n),
  }));
  const own = simulation.accounts.find(({ address }) => address === wallet);
  const coin = spentBy(own) - mostFee(context) - rentOf(context);
  return [...tokens, { mint: SOL.mint, units: coin }]
    .filter(({ units }) => units > 0n)
    .map((each) => ({ ...each, decimals: undefined }));
};

const spendOf = ({ network }: Context, spent: Units): Spend => {
  const { mint } = spent;
  return {
    token: nameOfMint(network, mint),
    amount: amountText(network, spent),
    ...(mint === undefined || mint === SOL.mint ? {} : { address: mint }),
    isKnown: network.tokens.some((token) => token.mint === mint),
  };
};

const spendsOf = (context: Context): readonly Spend[] => {
  const [decoded, other] = [outOf(context), lossesOf(context)];
  const mints = [...new Set([...decoded, ...other].map(({ mint }) => mint))];
  return mints.flatMap((mint) => {
    const of = (all: readonly Units[]) => sumOf(all.filter((each) => each.mint === mint));
    const decimals = decoded.find((flow) => flow.mint === mint)?.decimals;
    const units = largerOf(of(decoded), of(other));
    return units === 0n ? [] : [spendOf(context, { mint, units, decimals })];
  });
};

const unitsIn = (state: AccountState | undefined, mint: string): bigint => {
  const account = state && readTokenAccount(state);
  if (mint === SOL.mint && account === undefined) return state?.lamports ?? 0n;
  return account?.mint === mint ? account.units : 0n;
};

/** Accounts that gain a mint that the wallet loses; each with its owner first. */
const gainersIn = ({ accounts }: Simulation, wallet: string, mint: string): readonly (readonly string[])[] =>
  accounts.flatMap(({ address, before, after }) => {
    if (unitsIn(after, mint) <= unitsIn(before, mint)) return [];
    const owner = after && readTokenAccount(after)?.owner;
    if (address === wallet || owner === wallet) return [];
    return [owner === undefined ? [address] : [owner, address]];
  });

const recipientsOf = (context: Context): readonly (readonly string[])[] => {
  const { holderOf, wallet, steps, simulation } = context;
  const paid = outOf(context)
    .filter(({ how }) => how === 'transfer')
    .map(({ other, mint, program }) => {
      const holder = holderOf(other, mint, program);
      return holder === undefined ? [other] : [holder.address, other];
    });
  const opened = steps.flatMap((step) =>
    step.kind === 'opens' && step.payer === wallet ? [[step.owner, step.account]] : [],
  );
  const gained = lossesOf(context).flatMap(({ mint }) =>
    simulation === undefined || mint === undefined ? [] : gainersIn(simulation, wallet, mint),
  );
  const others = [...paid, ...opened, ...gained].filter(([name]) => name !== wallet);
  return others.filter(([name], at) => others.findIndex(([other]) => other === name) === at);
};

const SYSTEM_PROGRAMS: readonly string[] = Object.values(PROGRAMS);

const calledBy = ({ resolved }: Context): readonly CalledProgram[] =>
  [...new Set(resolved.instructions.map(({ program }) => program))]
    .filter((program) => !SYSTEM_PROGRAMS.includes(program))
    .map((address) => ({ address, is: 'program' }));

/** A policy may allow a program by its address; without a simulation that is not enough. */
const blindIn = (context: Context): readonly UndecodedPart[] => {
  const unknown = context.steps.flatMap((step) => (step.kind === 'unknown' ? [step.program] : []));
  const undecoded = [...new Set(unknown)].map((program) => ({
    message: `The transaction calls the program ${program}, which bursar cannot decode`,
    program,
  }));
  if (!context.isOpaque || context.simulation !== undefined) return undecoded;
  return [...undecoded, { message: 'A program acts for the wallet, and there is no simulation of what it takes' }];
};

const recordedSpends = ({ network }: Context, recorded: readonly Outflow[]): readonly Spend[] =>
  recorded.map((each) => {
    const mint = each.address ?? (each.token === SOL.symbol ? SOL.mint : undefined);
    return { ...each, isKnown: network.tokens.some((token) => token.mint === mint) };
  });

/** The footprint of a transaction, with what an earlier review of the same bytes recorded as outflows. */
export const footprintOf = (context: Context): Footprint => {
  const footprint = {
    chain: SOLANA,
    spends: spendsOf(context),
    isIncomplete: context.isOpaque && context.simulation === undefined,
    recipients: recipientsOf(context),
    called: calledBy(context),
    blind: blindIn(context),
    fee: { at_most: fromUnits(mostFee(context), SOL_DECIMALS), coin: SOL.symbol },
  };
  return context.recorded ? withRecorded(footprint, recordedSpends(context, context.recorded)) : footprint;
};
