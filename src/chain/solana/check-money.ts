import { inSentence } from '../../core/remote-text.ts';
import { type Check, confirm, pass, refuse } from '../review/check.ts';
import { type Context, type RequestedUnits, totalFees } from './context.ts';
import { type Flow, flowInWords, nameOfMint, totalOf, unitsInWords } from './flows.ts';
import { tokenOf } from './network.ts';

/** A flow whose token, program or decimals contradict what is known of the token. */
const contradiction = ({ network }: Context, flow: Flow): readonly Check[] => {
  if (flow.mint === undefined) {
    return [refuse('token', 'It moves a token by the authority of the wallet and does not say which.')];
  }
  const known = tokenOf(network, flow.mint);
  if (known === undefined || flow.program === undefined) return [];
  if (flow.program !== known.program) {
    return [refuse('token', `It moves ${known.symbol} by a program that is not the one of that token.`)];
  }
  if (flow.decimals !== undefined && flow.decimals !== known.decimals) {
    return [refuse('token', `It counts ${known.symbol} with ${flow.decimals} decimals; it has ${known.decimals}.`)];
  }
  return [];
};

/** Whether a flow out is the shares of what is withdrawn, where the shares are known. */
const isShares = ({ requestedUnits }: Context, { mint, how }: Flow): boolean =>
  requestedUnits?.out !== undefined && how === 'burn' && mint === requestedUnits.out.share.mint;

/** What leaves beside the token that was asked for. */
const checkOther = (context: Context, flow: Flow): readonly Check[] => {
  const { network, requestedUnits } = context;
  if (requestedUnits === undefined || flow.mint === requestedUnits.token.mint || isShares(context, flow)) return [];
  const message = `It also takes ${flowInWords(network, flow)}`;
  const isReturn = requestedUnits.operation.kind !== 'deposit' && flow.mint !== undefined;
  // What a live provider's shares are is not known here; a token that is known is none of them.
  if (isReturn && network.markets.length === 0 && tokenOf(network, flow.mint ?? '') === undefined) {
    return [confirm('token', `${message}. Whether those are the provider's shares is not known.`)];
  }
  return [refuse('token', `${message}, and ${requestedUnits.token.symbol} was asked for.`)];
};

const checkUnrequested = ({ requested, network, flows }: Context): readonly Check[] => {
  if (requested !== undefined) {
    return [
      confirm(
        'token',
        `The mint of ${inSentence(requested.asset)} on Solana is not known: nothing can be compared with it.`,
      ),
    ];
  }
  return flows.flatMap((flow) => {
    if (flow.direction === 'in' || flow.mint === undefined || tokenOf(network, flow.mint) !== undefined) return [];
    return [confirm('token', `It takes ${flowInWords(network, flow)}, a token that is not known.`)];
  });
};

/** What leaves the wallet is the token that was asked for, by its mint and not by its name. */
export const checkTokens = (context: Context): readonly Check[] => {
  const { flows, requestedUnits, network } = context;
  const wrong = flows.flatMap((flow) => contradiction(context, flow));
  if (requestedUnits === undefined) return [...wrong, ...checkUnrequested(context)];
  const outs = flows.filter(({ direction }) => direction === 'out');
  const all = [...wrong, ...outs.flatMap((flow) => checkOther(context, flow))];
  if (all.length > 0) return all;
  return [pass('token', `It is about ${nameOfMint(network, requestedUnits.token.mint)}, as asked.`)];
};

/** What a service may state without a person looking at it, in percent of the amount. */
export const USUAL_PERCENT = 5n;

/**
 * The fees are the one part of what is compared that the service says itself: stated high enough they would let it
 * take the whole wallet as a fee. Beyond what is usual a person decides, and a fee as large as the amount is refused.
 */
export const checkStatedFees = ({ requestedUnits }: Context): readonly Check[] => {
  if (requestedUnits === undefined) return [];
  const { amount, token } = requestedUnits;
  const fees = totalFees(requestedUnits);
  if (fees * 100n <= amount * USUAL_PERCENT) return [];
  const message = `The service states fees of ${unitsInWords(token, fees)}, and ${unitsInWords(token, amount)} was asked for`;
  return [
    fees >= amount
      ? refuse('stated_fee', `${message}: a fee is less than what it is for.`)
      : confirm('stated_fee', `${message}: that is more than ${USUAL_PERCENT} %.`),
  ];
};

/** Sums of some of the fees, of none and of all: each may be part of the amount or come beside it. */
const sumsOfSome = ([first, ...rest]: readonly bigint[]): readonly bigint[] =>
  first === undefined ? [0n] : sumsOfSome(rest).flatMap((sum) => [sum, sum + first]);

/** The sums of the token that may leave and come in: what was asked, the stated fees out of it or beside it. */
const allowedSums = ({
  operation: requested,
  amount,
  fees,
}: RequestedUnits): Readonly<Record<Flow['direction'], readonly bigint[]>> => {
  const some = sumsOfSome(fees);
  const above = some.map((fee) => amount + fee);
  const below = some.map((fee) => amount - fee);
  switch (requested.kind) {
    case 'deposit':
      return { out: above, in: [0n] };
    case 'withdraw':
      return { out: some, in: below };
    case 'rebalance':
      return { out: [...above, ...below], in: below };
    default: {
      const never: never = requested.kind;
      return never;
    }
  }
};

const feesInWords = (requestedUnits: RequestedUnits): string =>
  totalFees(requestedUnits) === 0n
    ? ''
    : `, and ${unitsInWords(requestedUnits.token, totalFees(requestedUnits))} are fees that the service states`;

/** The amount that leaves and comes in is what was asked for, the stated fees included. */
export const checkAmount = ({ flows, requestedUnits, isOpaque }: Context): readonly Check[] => {
  if (requestedUnits === undefined) return [];
  const allowed = allowedSums(requestedUnits);
  const { token } = requestedUnits;
  const sums = { out: totalOf(flows, 'out', token.mint), in: totalOf(flows, 'in', token.mint) };
  // A program that is not understood moves amounts that the bytes do not show: only too much can be seen.
  const isRight = (sum: bigint, right: readonly bigint[]) =>
    isOpaque ? right.some((most) => sum <= most) : right.includes(sum);
  const requested = `${unitsInWords(token, requestedUnits.amount)} was asked for${feesInWords(requestedUnits)}`;
  const wrong = (['out', 'in'] as const).flatMap((direction) => {
    if (isRight(sums[direction], allowed[direction])) return [];
    const verb = direction === 'out' ? 'leave the wallet' : 'come in';
    return [refuse('amount', `${unitsInWords(token, sums[direction])} ${verb}, and ${requested}.`)];
  });
  const net = sums.out - sums.in;
  if (requestedUnits.operation.kind === 'rebalance' && !isOpaque && net > totalFees(requestedUnits)) {
    return [...wrong, refuse('amount', `${unitsInWords(token, net)} of the wallet's own go as well.`)];
  }
  if (wrong.length > 0 || isOpaque) return wrong;
  return [
    pass(
      'amount',
      `The amount is ${unitsInWords(token, requestedUnits.amount)}, as asked${feesInWords(requestedUnits)}.`,
    ),
  ];
};
