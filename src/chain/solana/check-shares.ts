import { type Check, confirm, pass, refuse } from '../review/check.ts';
import { type Context, type RequestedUnits, totalFees } from './context.ts';
import { type Flow, flowInWords, sumOf, totalOf, unitsInWords } from './flows.ts';
import { type Market, type SolanaNetwork, sharesAtFirst, tokenOf } from './network.ts';

const sharesOf = ({ flows }: Context, { share }: Market, direction: 'in' | 'out'): bigint =>
  totalOf(flows, direction, share.mint);

/** The value of a share grows slowly, so fewer shares than half of the amount are too few. */
const MIN_PART = 2n;

const areFew = (shares: bigint, units: bigint, market: Market): boolean =>
  shares * MIN_PART < sharesAtFirst(units, market);

const checkReceivedShares = (context: Context, units: RequestedUnits, market: Market): Check => {
  const shares = sharesOf(context, market, 'in');
  if (shares === 0n) return refuse('shares', `Shares: the wallet gets no ${market.share.symbol} for its deposit.`);
  const message = `Shares: the wallet gets ${unitsInWords(market.share, shares)} for its deposit`;
  if (!areFew(shares, units.amount - totalFees(units), market)) return pass('shares', `${message}.`);
  return confirm('shares', `${message}; each would be worth more than ${MIN_PART} ${units.token.symbol}.`);
};

const checkReturnedShares = (context: Context, units: RequestedUnits, market: Market): Check => {
  const shares = sharesOf(context, market, 'out');
  const message = `Shares: ${unitsInWords(market.share, shares)} leave the wallet`;
  return shares > sharesAtFirst(units.amount, market)
    ? refuse('shares', `${message}; they are worth more than the requested ${unitsInWords(units.token, units.amount)}.`)
    : pass('shares', `${message}.`);
};

const isPaidTo = ({ holderOf }: Context, { vault, token }: Market, { direction, how, other, mint, program }: Flow) => {
  if (direction !== 'out' || how !== 'transfer' || mint !== token.mint) return false;
  const holder = holderOf(other, mint, program);
  return holder?.is === 'vault' && holder.address === vault;
};

/** Without a request: a payment to a vault must bring its shares. */
const checkUnrequested = (context: Context): readonly Check[] =>
  context.network.markets.flatMap((market) => {
    const paid = sumOf(context.flows.filter((flow) => isPaidTo(context, market, flow)));
    const shares = sharesOf(context, market, 'in');
    if (!areFew(shares, paid, market)) return [];
    const message = `Shares: the vault of ${market.provider} gets ${unitsInWords(market.token, paid)}`;
    const received = shares === 0n ? 'no shares' : `only ${unitsInWords(market.share, shares)}`;
    return [confirm('shares', `${message}; the wallet gets ${received} for it.`)];
  });

/** A deposit brings shares, and a withdrawal takes no more of them than its worth, where the shares are known. */
export const checkShares = (context: Context): readonly Check[] => {
  const { requestedUnits, isOpaque, flows, network } = context;
  if (isOpaque) return [];
  if (requestedUnits === undefined) return context.requested === undefined ? checkUnrequested(context) : [];
  const { operation, into, out } = requestedUnits;
  const isDeposit = operation.kind !== 'withdraw';
  const comesIn = flows.some(({ direction, mint }) => direction === 'in' && mint !== requestedUnits.token.mint);
  const isGift = network.markets.length === 0 && isDeposit && !comesIn;
  return [
    ...(isDeposit && into ? [checkReceivedShares(context, requestedUnits, into)] : []),
    ...(operation.kind !== 'deposit' && out ? [checkReturnedShares(context, requestedUnits, out)] : []),
    ...(isGift ? [confirm('shares', 'Shares: the wallet pays and gets nothing for it in this transaction.')] : []),
  ];
};

const isBurn = ({ direction, how }: Flow): boolean => direction === 'out' && how === 'burn';

const checkTokenBurnt = (network: SolanaNetwork, flow: Flow): readonly Check[] => {
  const { mint } = flow;
  if (mint === undefined || tokenOf(network, mint) === undefined) return [];
  if (network.markets.some(({ share }) => share.mint === mint)) return [];
  return [refuse('burnt', `The transaction burns ${flowInWords(network, flow)}: the money would be lost.`)];
};

const checkSharesBurnt = (flows: readonly Flow[], market: Market): readonly Check[] => {
  const { share, token } = market;
  const burnt = sumOf(flows.filter((flow) => isBurn(flow) && flow.mint === share.mint));
  const comesIn = totalOf(flows, 'in', token.mint);
  if (sharesAtFirst(comesIn, market) >= burnt) return [];
  const received = comesIn === 0n ? `no ${token.symbol}` : `only ${unitsInWords(token, comesIn)}`;
  const message = `The transaction burns ${unitsInWords(share, burnt)}; the wallet gets ${received} for them.`;
  return [confirm('burnt', message)];
};

/** Only shares may be burnt, and only for their token. No other known token is ever burnt. */
export const checkBurnt = ({ network, flows, requestedUnits }: Context): readonly Check[] => [
  ...flows.filter(isBurn).flatMap((flow) => checkTokenBurnt(network, flow)),
  // With a request, `checkAmount` compares what comes in.
  ...(requestedUnits === undefined ? network.markets.flatMap((market) => checkSharesBurnt(flows, market)) : []),
];
