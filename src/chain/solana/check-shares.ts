import { type Check, confirm, pass, refuse } from '../review/check.ts';
import { type Context, type RequestedUnits, totalFees } from './context.ts';
import { type Flow, flowInWords, sumOf, totalOf, unitsInWords } from './flows.ts';
import { type Market, type SolanaNetwork, sharesAtFirst, tokenOf } from './network.ts';

const isBurn = ({ direction, how }: Flow): boolean => direction === 'out' && how === 'burn';

const checkTokenBurnt = (network: SolanaNetwork, flow: Flow): readonly Check[] => {
  const { mint } = flow;
  if (mint === undefined || tokenOf(network, mint) === undefined) return [];
  if (network.markets.some(({ share }) => share.mint === mint)) return [];
  return [refuse('burnt', `It burns ${flowInWords(network, flow)}: that is gone, and nobody has it.`)];
};

const checkSharesBurnt = (flows: readonly Flow[], market: Market): readonly Check[] => {
  const { share, token } = market;
  const burnt = sumOf(flows.filter((flow) => isBurn(flow) && flow.mint === share.mint));
  const comesIn = totalOf(flows, 'in', token.mint);
  if (sharesAtFirst(comesIn, market) >= burnt) return [];
  const comes = comesIn === 0n ? `no ${token.symbol}` : `only ${unitsInWords(token, comesIn)}`;
  const message = `It burns ${unitsInWords(share, burnt)}, and ${comes} come in for them.`;
  return [confirm('burnt', message)];
};

/** What is burnt is gone: shares are, for the token that they are of, and no other known token is ever. */
export const checkBurnt = ({ network, flows, requestedUnits }: Context): readonly Check[] => [
  ...flows.filter(isBurn).flatMap((flow) => checkTokenBurnt(network, flow)),
  // What was asked for says how much must come in.
  ...(requestedUnits === undefined ? network.markets.flatMap((market) => checkSharesBurnt(flows, market)) : []),
];

const sharesOf = ({ flows }: Context, { share }: Market, direction: 'in' | 'out'): bigint =>
  totalOf(flows, direction, share.mint);

/** What a share is worth grows slowly: fewer than half of the amount are hardly all that it buys. */
const MIN_PART = 2n;

/** Whether so few shares come for some units of their token that they are hardly all. */
const areFew = (shares: bigint, units: bigint, market: Market): boolean =>
  shares * MIN_PART < sharesAtFirst(units, market);

const checkGiven = (context: Context, requestedUnits: RequestedUnits, market: Market): Check => {
  const shares = sharesOf(context, market, 'in');
  if (shares === 0n) return refuse('shares', `No ${market.share.symbol} come in for it.`);
  const message = `${unitsInWords(market.share, shares)} come in for it`;
  if (!areFew(shares, requestedUnits.amount - totalFees(requestedUnits), market)) return pass('shares', `${message}.`);
  return confirm(
    'shares',
    `${message}: each would have to be worth more than ${MIN_PART} ${requestedUnits.token.symbol}.`,
  );
};

const checkTaken = (context: Context, requestedUnits: RequestedUnits, market: Market): Check => {
  const shares = sharesOf(context, market, 'out');
  return shares > sharesAtFirst(requestedUnits.amount, market)
    ? refuse('shares', `It takes ${unitsInWords(market.share, shares)}, and they are worth more than was asked for.`)
    : pass('shares', `It takes ${unitsInWords(market.share, shares)}.`);
};

const isPaidTo = ({ holderOf }: Context, { vault, token }: Market, { direction, how, other, mint, program }: Flow) => {
  if (direction !== 'out' || how !== 'transfer' || mint !== token.mint) return false;
  const holder = holderOf(other, mint, program);
  return holder?.is === 'vault' && holder.address === vault;
};

/** Where nothing was asked: what a vault is paid brings its shares, or it is a gift. */
const checkUnrequested = (context: Context): readonly Check[] =>
  context.network.markets.flatMap((market) => {
    const paid = sumOf(context.flows.filter((flow) => isPaidTo(context, market, flow)));
    const shares = sharesOf(context, market, 'in');
    if (!areFew(shares, paid, market)) return [];
    const message = `It pays ${unitsInWords(market.token, paid)} to the vault of ${market.provider}`;
    const comes = shares === 0n ? 'none of its shares' : `only ${unitsInWords(market.share, shares)}`;
    return [confirm('shares', `${message}, and ${comes} come in for it.`)];
  });

/** A deposit brings shares, a withdrawal takes no more of them than it is worth, as far as the shares are known. */
export const checkShares = (context: Context): readonly Check[] => {
  const { requestedUnits, isOpaque, flows, network } = context;
  if (isOpaque) return [];
  if (requestedUnits === undefined) return context.requested === undefined ? checkUnrequested(context) : [];
  const { operation: requested, into, out } = requestedUnits;
  const given = requested.kind === 'withdraw' || into === undefined ? [] : [checkGiven(context, requestedUnits, into)];
  const taken = requested.kind === 'deposit' || out === undefined ? [] : [checkTaken(context, requestedUnits, out)];
  const isBare = network.markets.length === 0 && requested.kind !== 'withdraw';
  const comesIn = flows.some(({ direction, mint }) => direction === 'in' && mint !== requestedUnits.token.mint);
  const bare = isBare && !comesIn ? [confirm('shares', 'It pays, and nothing comes in for it.')] : [];
  return [...given, ...taken, ...bare];
};
