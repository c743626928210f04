import { SOL_DECIMALS, SOLANA } from '../../contract/solana.ts';
import { fromUnits, largerOf } from '../../core/decimal.ts';
import { withRecorded } from '../review/check-limits.ts';
import type { CalledProgram, Footprint, Outflow, Spend, UndecodedPart } from '../review/footprint.ts';
import { type AccountState, readTokenAccount, type Simulation } from './accounts.ts';
import { mostFee, rentOf } from './check-fee-and-funds.ts';
import { gainsOfOthers, strayGains } from './check-receivers.ts';
import { changesOf, netByMint, spentBy } from './check-simulation.ts';
import type { Context } from './context.ts';
import { type Flow, nameOfMint } from './flows.ts';
import { PROGRAMS, SOL, tokenOf } from './network.ts';

/** Units of a mint; `undefined` for a token that is not named. Decimals are those that an instruction says. */
type Units = { readonly mint: string | undefined; readonly units: bigint; readonly decimals: number | undefined };

/**
 * Shares that are given back for the token that was asked for, which comes in by the same transaction, are no payment:
 * how many they may be is checked beside. Where nothing was asked, what comes in for them may be too little.
 */
const isExchanged = ({ wanted, flows }: Context, { how, mint }: Flow): boolean =>
  wanted?.out !== undefined &&
  how === 'burn' &&
  mint === wanted.out.share.mint &&
  flows.some((flow) => flow.direction === 'in' && flow.mint === wanted.token.mint);

const outOf = (context: Context): readonly Flow[] =>
  context.flows.filter((flow) => flow.direction === 'out' && !isExchanged(context, flow));

/** What was asked to go in, as far as nothing shows what leaves: a withdrawal takes nothing out of the wallet. */
const askedLoss = ({ wanted }: Context): readonly Units[] =>
  wanted === undefined || wanted.asked.kind === 'withdraw'
    ? []
    : [{ mint: wanted.token.mint, units: wanted.amount, decimals: undefined }];

/**
 * By mint, what others gain of known money, and what strangers gain of any token: a program may pay out what it keeps for the
 * wallet, and no option of the user lifts what a policy says of that.
 */
const paidOutOf = (context: Context, simulation: Simulation): ReadonlyMap<string, bigint> => {
  const gains = gainsOfOthers(context, simulation);
  const money = gains.filter(({ mint }) => context.network.tokens.some((token) => token.mint === mint));
  const stray = strayGains(context, simulation, gains).filter((gain) => !money.includes(gain));
  const sums = new Map<string, bigint>();
  for (const { mint, units } of [...money, ...stray]) sums.set(mint, (sums.get(mint) ?? 0n) + units);
  return sums;
};

/** What leaves where a program that is not understood acts for the wallet: as a simulation shows it, or as asked. */
const lossesOf = (context: Context): readonly Units[] => {
  const { simulation, wallet, isOpaque } = context;
  if (!isOpaque) return [];
  if (simulation === undefined) return askedLoss(context);
  const nets = netByMint(changesOf(simulation, wallet), wallet);
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

const spendOf = ({ network }: Context, { mint, units, decimals }: Units): Spend => {
  const token = mint === undefined ? undefined : network.tokens.find((each) => each.mint === mint);
  const known = mint === undefined ? decimals : (tokenOf(network, mint)?.decimals ?? decimals);
  return {
    token: nameOfMint(network, mint),
    amount: known === undefined ? units.toString() : fromUnits(units, known),
    ...(mint === undefined || mint === SOL.mint ? {} : { address: mint }),
    isKnown: token !== undefined,
  };
};

const spendsOf = (context: Context): readonly Spend[] => {
  const [told, seen] = [outOf(context), lossesOf(context)];
  const mints = [...new Set([...told, ...seen].map(({ mint }) => mint))];
  return mints.flatMap((mint) => {
    const of = (all: readonly Units[]) =>
      all.filter((each) => each.mint === mint).reduce((sum, { units }) => sum + units, 0n);
    const decimals = told.find((flow) => flow.mint === mint)?.decimals;
    const units = largerOf(of(told), of(seen));
    return units === 0n ? [] : [spendOf(context, { mint, units, decimals })];
  });
};

const unitsIn = (state: AccountState | undefined, mint: string): bigint => {
  const account = state && readTokenAccount(state);
  return mint === SOL.mint && account === undefined ? (state?.lamports ?? 0n) : unitsOf(account, mint);
};

const unitsOf = (account: ReturnType<typeof readTokenAccount>, mint: string): bigint =>
  account?.mint === mint ? account.units : 0n;

/** Whose accounts gain of a mint that the wallet loses: the owner first, then the account itself. */
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

const OF_THE_SYSTEM: readonly string[] = Object.values(PROGRAMS);

const calledBy = ({ resolved }: Context): readonly CalledProgram[] =>
  [...new Set(resolved.instructions.map(({ program }) => program))]
    .filter((program) => !OF_THE_SYSTEM.includes(program))
    .map((address) => ({ address, is: 'program' }));

/** A policy that names a program vouches for it, as long as a simulation shows what it takes. */
const blindIn = (context: Context): readonly UndecodedPart[] => {
  const unknown = context.steps.flatMap((step) => (step.kind === 'unknown' ? [step.program] : []));
  const strange = [...new Set(unknown)].map((program) => ({
    message: `It calls the program ${program}, which is not understood`,
    program,
  }));
  const isOpen = context.isOpaque && context.simulation === undefined;
  return isOpen
    ? [...strange, { message: 'A program acts for the wallet, and no simulation shows what it takes' }]
    : strange;
};

const recordedSpends = ({ network }: Context, recorded: readonly Outflow[]): readonly Spend[] =>
  recorded.map((each) => {
    const mint = each.address ?? (each.token === SOL.symbol ? SOL.mint : undefined);
    return { ...each, isKnown: network.tokens.some((token) => token.mint === mint) };
  });

/** What a transaction touches. `recorded` is what leaves by it as an earlier review recorded it. */
export const footprintOf = (context: Context, recorded?: readonly Outflow[]): Footprint => {
  const footprint = ofContext(context);
  return recorded ? withRecorded(footprint, recordedSpends(context, recorded)) : footprint;
};

const ofContext = (context: Context): Footprint => ({
  chain: SOLANA,
  spends: spendsOf(context),
  isOpen: context.isOpaque && context.simulation === undefined,
  recipients: recipientsOf(context),
  called: calledBy(context),
  blind: blindIn(context),
  fee: { at_most: fromUnits(mostFee(context), SOL_DECIMALS), coin: SOL.symbol },
});
