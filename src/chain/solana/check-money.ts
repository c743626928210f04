import { sumOf } from '../../core/decimal.ts';
import { inSentence } from '../../core/text.ts';
import { type Check, confirm, pass, refuse } from '../review/check.ts';
import { type Context, type RequestedUnits, totalFees } from './context.ts';
import { type Flow, flowInWords, nameOfMint, totalOf, unitsInWords } from './flows.ts';
import { type Market, type SolanaNetwork, sharesAtFirst, tokenOf } from './network.ts';

/** The token program and decimals of a flow are those of its token. */
const checkTokenFacts = ({ network }: Context, flow: Flow): readonly Check[] => {
  if (flow.mint === undefined) {
    return [refuse('token', 'Token: the transaction moves a token of the wallet without naming its mint.')];
  }
  const known = tokenOf(network, flow.mint);
  if (known === undefined || flow.program === undefined) return [];
  if (flow.program !== known.program) {
    return [refuse('token', `Token: the program that moves ${known.symbol} is not the token's own program.`)];
  }
  if (flow.decimals !== undefined && flow.decimals !== known.decimals) {
    const message = `Token: the transaction counts ${known.symbol} with ${flow.decimals} decimals`;
    return [refuse('token', `${message}; it has ${known.decimals}.`)];
  }
  return [];
};

/** The provider whose shares a withdrawal burns, where the user states no provider. */
const unstatedProvider = ({ network, requestedUnits }: Context, { how, mint }: Flow): string | undefined => {
  if (how !== 'burn' || !requestedUnits || requestedUnits.operation.providerOut !== undefined) return undefined;
  const isOfToken = ({ share, token }: Market) => share.mint === mint && token.mint === requestedUnits.token.mint;
  return requestedUnits.operation.kind === 'deposit' ? undefined : network.markets.find(isOfToken)?.provider;
};

/** An outgoing flow of another token than the requested one. */
const checkOther = (context: Context, flow: Flow): readonly Check[] => {
  const { network, requestedUnits } = context;
  if (requestedUnits === undefined || flow.mint === requestedUnits.token.mint) return [];
  // A withdrawal burns its shares, where they are known.
  if (flow.how === 'burn' && flow.mint !== undefined && flow.mint === requestedUnits.out?.share.mint) return [];
  const provider = unstatedProvider(context, flow);
  if (provider !== undefined) {
    const state = `If ${provider} pays out, state it: --provider-out ${provider}.`;
    const message = `Token: ${flowInWords(network, flow)} leave the wallet, and no provider is stated. ${state}`;
    return [{ ...refuse('token', message), state_with: `--provider-out ${provider}` }];
  }
  const message = `Token: ${flowInWords(network, flow)} also leave the wallet`;
  const isReturn = requestedUnits.operation.kind !== 'deposit' && flow.mint !== undefined;
  // The shares of a live provider are not known; a known token is no share.
  if (isReturn && network.markets.length === 0 && tokenOf(network, flow.mint ?? '') === undefined) {
    return [confirm('token', `${message}. bursar does not know whether these are the provider's shares.`)];
  }
  return [refuse('token', `${message}; only ${requestedUnits.token.symbol} was requested.`)];
};

/** Tokens of a transaction without a request that can be compared. */
const checkUnrequested = ({ requested, network, flows }: Context): readonly Check[] => {
  if (requested !== undefined) {
    const message = `the mint of ${inSentence(requested.asset)} on Solana is unknown`;
    return [confirm('token', `Token: ${message}, so nothing is compared.`)];
  }
  return flows.flatMap((flow) => {
    if (flow.direction === 'in' || flow.mint === undefined || tokenOf(network, flow.mint) !== undefined) return [];
    const message = `Token: ${flowInWords(network, flow)} leave the wallet`;
    return [confirm('token', `${message}; bursar does not know that token.`)];
  });
};

/** The requested token leaves the wallet, compared by mint and not by name. */
export const checkTokens = (context: Context): readonly Check[] => {
  const { flows, requestedUnits, network } = context;
  const wrong = flows.flatMap((flow) => checkTokenFacts(context, flow));
  if (requestedUnits === undefined) return [...wrong, ...checkUnrequested(context)];
  const outs = flows.filter(({ direction }) => direction === 'out');
  const all = [...wrong, ...outs.flatMap((flow) => checkOther(context, flow))];
  if (all.length > 0) return all;
  return [pass('token', `Token: ${nameOfMint(network, requestedUnits.token.mint)}, as requested.`)];
};

/** Sums of every subset of the fees: each fee may be part of the amount or come on top of it. */
const sumsOfSome = ([first, ...rest]: readonly bigint[]): readonly bigint[] =>
  first === undefined ? [0n] : sumsOfSome(rest).flatMap((sum) => [sum, sum + first]);

/** The allowed sums of the token that leave and come in: the request, with stated fees inside it or on top of it. */
const allowedSums = ({ operation, amount, fees }: RequestedUnits): Record<Flow['direction'], readonly bigint[]> => {
  const some = sumsOfSome(fees);
  const above = some.map((fee) => amount + fee);
  const below = some.map((fee) => amount - fee);
  switch (operation.kind) {
    case 'deposit':
      return { out: above, in: [0n] };
    case 'withdraw':
      return { out: some, in: below };
    case 'rebalance':
      return { out: [...above, ...below], in: below };
    default:
      return operation.kind satisfies never;
  }
};

const feesInWords = (units: RequestedUnits): string =>
  totalFees(units) === 0n ? '' : ` (fees: ${unitsInWords(units.token, totalFees(units))}, as the service says)`;

/** The amount that leaves or comes in is the requested one, with the stated fees. */
export const checkAmount = ({ flows, requestedUnits, isOpaque }: Context): readonly Check[] => {
  if (requestedUnits === undefined) return [];
  const allowed = allowedSums(requestedUnits);
  const { token, amount } = requestedUnits;
  const sums = { out: totalOf(flows, 'out', token.mint), in: totalOf(flows, 'in', token.mint) };
  // A program that is not decoded moves amounts that the bytes do not show: only too high sums are certain.
  const isRight = (sum: bigint, right: readonly bigint[]) =>
    isOpaque ? right.some((most) => sum <= most) : right.includes(sum);
  const request = `${unitsInWords(token, amount)} was requested${feesInWords(requestedUnits)}`;
  const wrong = (['out', 'in'] as const).flatMap((direction) => {
    if (isRight(sums[direction], allowed[direction])) return [];
    const verb = direction === 'out' ? 'leave the wallet' : 'come in';
    return [refuse('amount', `Amount: ${unitsInWords(token, sums[direction])} ${verb}; ${request}.`)];
  });
  const net = sums.out - sums.in;
  if (requestedUnits.operation.kind === 'rebalance' && !isOpaque && net > totalFees(requestedUnits)) {
    const message = `Amount: the wallet loses ${unitsInWords(token, net)}; a rebalance costs only the fees`;
    return [...wrong, refuse('amount', `${message}.`)];
  }
  if (wrong.length > 0 || isOpaque) return wrong;
  return [pass('amount', `Amount: ${unitsInWords(token, amount)}, as requested${feesInWords(requestedUnits)}.`)];
};

/** Fees up to this part of the amount, in percent, need no confirmation. */
export const USUAL_PERCENT = 5n;

/**
 * Only the service states the fees, and high fees could take the whole wallet. Above the usual part the user must
 * confirm them; a fee as large as the amount is refused.
 */
export const checkStatedFees = ({ requestedUnits }: Context): readonly Check[] => {
  if (requestedUnits === undefined) return [];
  const { amount, token } = requestedUnits;
  const fees = totalFees(requestedUnits);
  if (fees * 100n <= amount * USUAL_PERCENT) return [];
  const message = `Stated fees: ${unitsInWords(token, fees)} for an amount of ${unitsInWords(token, amount)}`;
  return [
    fees >= amount
      ? refuse('stated_fee', `${message}: the fees must be lower than the amount.`)
      : confirm('stated_fee', `${message}, which is more than ${USUAL_PERCENT} %.`),
  ];
};

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
const checkUnrequestedShares = (context: Context): readonly Check[] =>
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
  if (requestedUnits === undefined) return context.requested === undefined ? checkUnrequestedShares(context) : [];
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
