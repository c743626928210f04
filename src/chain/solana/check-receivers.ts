import { fromUnits } from '../../core/decimal.ts';
import { allowRecipient } from '../allow.ts';
import { type Check, confirm, pass, refuse } from '../verdict.ts';
import { USUAL_PERCENT } from './check-stated-fees.ts';
import { type Context, type Holder, type RequestedUnits, totalFees } from './context.ts';
import { type Flow, sumOf } from './flows.ts';
import { flowInWords, unitsInWords } from './words.ts';

type Paid = { readonly flow: Flow; readonly holder: Holder | undefined };

/** Transfers out, each with who gets it. */
const paidBy = ({ flows, holderOf }: Context): readonly Paid[] =>
  flows
    .filter(({ direction, how }) => direction === 'out' && how === 'transfer')
    .map((flow) => ({ flow, holder: holderOf(flow.other, flow.mint, flow.program) }));

const checkStranger = ({ network }: Context, { flow, holder }: Paid): readonly Check[] => {
  if (holder !== undefined && holder.is !== 'named') return [];
  const who = holder === undefined ? flow.other : `${flow.other} of ${holder.address}`;
  const message = `It pays ${flowInWords(network, flow)} to ${who}, and nothing here says who that is.`;
  return [confirm('receivers', message, allowRecipient(holder?.address ?? flow.other))];
};

/** A fee that no answer states: up to the usual part of the amount it passes. */
const checkUnstatedFee = (message: string, fees: bigint, { amount }: RequestedUnits): Check =>
  fees * 100n <= amount * USUAL_PERCENT
    ? pass('stated_fee', `${message}: at most ${USUAL_PERCENT} % of the amount.`)
    : confirm('stated_fee', `${message}: that is more than ${USUAL_PERCENT} % of the amount.`);

/**
 * What the fee's receiver gets is the fees that the service states, where both are known. More is refused; less is
 * no loss, and yet not what was stated.
 */
const checkFees = ({ wanted, network, isOpaque }: Context, paid: readonly Paid[]): readonly Check[] => {
  if (wanted === undefined || network.feeReceiver === undefined) return [];
  const fees = sumOf(
    paid.filter(({ flow, holder }) => holder?.is === 'fees' && flow.mint === wanted.token.mint).map(({ flow }) => flow),
  );
  const message = `It pays ${unitsInWords(wanted.token, fees)} to the service as a fee`;
  if (wanted.asked.areFeesUnstated === true) return fees === 0n ? [] : [checkUnstatedFee(message, fees, wanted)];
  const stated = totalFees(wanted);
  if (fees === 0n && (stated === 0n || isOpaque)) return [];
  if (fees === stated) return [pass('stated_fee', `${message}, as it states.`)];
  const both = `${message}, and it states ${fromUnits(stated, wanted.token.decimals)}.`;
  return [fees > stated ? refuse('stated_fee', both) : confirm('stated_fee', both)];
};

/** Who gets what leaves the wallet. A token account that cannot be shown to be somebody's is a stranger's. */
export const checkReceivers = (context: Context): readonly Check[] => {
  const paid = paidBy(context);
  const strangers = paid.flatMap((each) => checkStranger(context, each));
  const known = paid.flatMap(({ holder }) => (holder !== undefined && holder.is !== 'named' ? [holder.name] : []));
  const message = [...new Set(known)].join(' and ');
  return [
    ...strangers,
    ...checkFees(context, paid),
    ...(strangers.length === 0 && message !== '' ? [pass('receivers', `What leaves goes to ${message}.`)] : []),
  ];
};
