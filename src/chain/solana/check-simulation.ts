import { fromUnits, largerOf, smallerOf, sumsBy } from '../../core/decimal.ts';
import { escapeText, inSentence } from '../../core/text.ts';
import { type Check, confirm, pass, refuse } from '../review/check.ts';
import { type AccountChange, contains, readTokenAccount, type Simulation, type TokenAccount } from './accounts.ts';
import { mostFee, rentOf } from './check-fee-and-funds.ts';
import { type Context, type RequestedUnits, totalFees } from './context.ts';
import { nameOfMint, totalOf, unitsInWords } from './flows.ts';
import { PROGRAMS, SOL, tokenOf } from './network.ts';

type TokenChange = Pick<AccountChange, 'address'> & Readonly<Record<'before' | 'after', TokenAccount | undefined>>;

/** The changes of the wallet's token accounts. */
export const changesOf = ({ accounts }: Simulation, wallet: string): readonly TokenChange[] =>
  accounts
    .map(({ address, before, after }) => ({
      address,
      before: before && readTokenAccount(before),
      after: after && readTokenAccount(after),
    }))
    .filter(({ before, after }) => before?.owner === wallet || after?.owner === wallet);

/** The rights over the wallet's token accounts must stay as they were. */
const checkOwnership = (wallet: string, { address, before, after }: TokenChange): readonly Check[] => {
  if (after === undefined) return [];
  const { owner, delegate, delegated, closer } = after;
  const hadDelegate = delegate === before?.delegate && before !== undefined && delegated <= before.delegated;
  const hadCloser = closer === before?.closer || closer === wallet;
  const changes = [
    ...(owner === wallet ? [] : [`belongs to ${owner}`]),
    ...(delegate === undefined || hadDelegate ? [] : [`lets ${delegate} take tokens`]),
    ...(closer === undefined || hadCloser ? [] : [`can be closed by ${closer}`]),
  ];
  return changes.map((change) => refuse('ownership', `Simulation: afterwards the token account ${address} ${change}.`));
};

/** The wallet must stay a plain account of the System program; otherwise it could never pay again. */
const checkWalletOwner = (change: AccountChange | undefined): readonly Check[] => {
  const { after } = change ?? {};
  if (after === undefined || (after.owner === PROGRAMS.system && after.data.length === 0)) return [];
  return [refuse('ownership', `Simulation: afterwards the wallet itself belongs to the program ${after.owner}.`)];
};

/** The total change of the wallet's token accounts, by mint. */
export const netByMint = (simulation: Simulation, wallet: string): ReadonlyMap<string, bigint> => {
  const heldIn = (account: TokenAccount | undefined, sign: bigint) =>
    account?.owner === wallet ? [{ mint: account.mint, units: sign * account.units }] : [];
  const changes = changesOf(simulation, wallet);
  const parts = changes.flatMap(({ before, after }) => [...heldIn(before, -1n), ...heldIn(after, 1n)]);
  return sumsBy(parts, ({ mint }) => mint);
};

/** The allowed change of the requested token; negative for a loss. */
const netRange = (requestedUnits: RequestedUnits): readonly [bigint, bigint] => {
  const { operation: requested, amount } = requestedUnits;
  const fees = totalFees(requestedUnits);
  switch (requested.kind) {
    case 'deposit':
      return [-(amount + fees), -amount];
    case 'withdraw':
      return [amount - fees, amount];
    case 'rebalance':
      return [-fees, 0n];
    default:
      return requested.kind satisfies never;
  }
};

const checkNet = (context: Context, mint: string, net: bigint): readonly Check[] => {
  const { requestedUnits, network, flows, isOpaque } = context;
  const token = tokenOf(network, mint);
  const name = nameOfMint(network, mint);
  const amount = token === undefined ? `${net} smallest units` : fromUnits(net, token.decimals);
  const message = `Simulation: the wallet's balance of ${name} changes by ${amount}`;
  if (requestedUnits !== undefined && mint === requestedUnits.token.mint) {
    const [least, most] = netRange(requestedUnits);
    return net < least || net > most
      ? [refuse('simulation', `${message}; ${requestedUnits.operation.amount} was requested.`)]
      : [pass('simulation', `${message}, as requested.`)];
  }
  if (net >= 0n) return [];
  if (requestedUnits === undefined) {
    const isStated = !isOpaque && totalOf(flows, 'in', mint) - totalOf(flows, 'out', mint) === net;
    if (isStated) return [pass('simulation', `${message}, as its instructions say.`)];
    return [confirm('simulation', `${message}.`)];
  }
  if (token !== undefined) {
    const isShares = requestedUnits.operation.kind !== 'deposit' && token.mint === requestedUnits.out?.share.mint;
    if (isShares) return [pass('simulation', `${message}, for the withdrawn amount.`)];
    return [refuse('simulation', `${message}, which was not requested.`)];
  }
  // The token may be the shares of an unknown provider, or unrelated.
  return [confirm('simulation', `${message}. bursar does not know whether that belongs to the request.`)];
};

/** The wallet's loss of the coin, in lamports. */
export const spentBy = (change: AccountChange | undefined): bigint =>
  (change?.before?.lamports ?? 0n) - (change?.after?.lamports ?? 0n);

/**
 * The rent of new accounts of the wallet: its token accounts, and accounts of a program that contain its key or that a policy
 * lists. The rent of an account is 6,960 lamports for each byte and 128 more.
 */
const rentOfMade = ({ isProgramAllowed, isPinned, wallet }: Context, { accounts }: Simulation): bigint =>
  accounts.reduce((sum, { address, before, after }) => {
    if (before !== undefined || after === undefined) return sum;
    const { owner, data, lamports } = after;
    const rent = 6960n * BigInt(data.length + 128);
    const isKept = isPinned(address) || contains(after, wallet);
    const isOwn = isProgramAllowed(owner) && isKept;
    if (!isOwn && readTokenAccount(after)?.owner !== wallet) return sum;
    return sum + smallerOf(lamports, rent);
  }, 0n);

/** The rent of closed accounts of the wallet, which comes back to the wallet. */
const rentOfClosed = ({ isProgramAllowed, wallet }: Context, { accounts }: Simulation): bigint =>
  accounts.reduce((sum, { before, after }) => {
    if (before === undefined || (after !== undefined && after.lamports > 0n)) return sum;
    const isKept = isProgramAllowed(before.owner) && contains(before, wallet);
    return isKept || readTokenAccount(before)?.owner === wallet ? sum + before.lamports : sum;
  }, 0n);

/** The coin pays the fee and rent only. */
const checkCoin = (context: Context, simulation: Simulation, change: AccountChange | undefined): readonly Check[] => {
  const spent = spentBy(change);
  const rent = largerOf(rentOf(context), rentOfMade(context, simulation));
  const paid = totalOf(context.flows, 'out', SOL.mint);
  const closed = rentOfClosed(context, simulation);
  const most = mostFee(context) + rent + paid - closed;
  if (spent <= most) return [];
  if (closed > 0n) {
    const message = `Simulation: an account of the wallet is closed, but not all of its rent of ${unitsInWords(SOL, closed)} comes back.`;
    return [confirm('simulation', message)];
  }
  const message = `Simulation: the wallet pays ${unitsInWords(SOL, spent)}; fee, rent and payments are ${unitsInWords(SOL, most)}`;
  return [confirm('simulation', `${message}.`)];
};

/** Compares a node's simulation with the request: balances, and rights over the accounts afterwards. */
export const checkSimulation = (context: Context): readonly Check[] => {
  const { simulation, wallet, requestedUnits } = context;
  if (simulation === undefined) return [];
  if (simulation.error !== undefined) {
    return [refuse('simulation', `Simulation: the transaction fails: ${inSentence(escapeText(simulation.error))}.`)];
  }
  const own = simulation.accounts.find(({ address }) => address === wallet);
  if (own === undefined) return [refuse('simulation', 'The simulation does not contain the wallet.')];
  const changes = changesOf(simulation, wallet);
  const nets = netByMint(simulation, wallet);
  const mint = requestedUnits?.token.mint;
  if (mint === SOL.mint) return [confirm('simulation', 'The simulation does not distinguish SOL from wrapped SOL.')];
  return [
    ...checkWalletOwner(own),
    ...changes.flatMap((change) => checkOwnership(wallet, change)),
    ...(mint === undefined || nets.has(mint) ? [] : checkNet(context, mint, 0n)),
    ...[...nets].flatMap(([mint, net]) => checkNet(context, mint, net)),
    ...checkCoin(context, simulation, own),
  ];
};
