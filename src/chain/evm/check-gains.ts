import { isSameText } from '../../core/same-text.ts';
import { type Check, pass, refuse } from '../verdict.ts';
import { normaliseEvmAddress } from './address.ts';
import { inWords } from './asset.ts';
import type { Payment } from './calldata.ts';
import { isSure } from './check-batch.ts';
import { checkReceivers } from './check-receivers.ts';
import { type Debit, paidDebit, shownTo } from './check-simulation.ts';
import type { Context } from './context.ts';

/** Who gains of what was asked for, by the simulation. */
const gainsOf = (context: Context, { asset }: Debit): readonly Payment[] => {
  const of = asset.kind === 'coin' ? 'coin' : asset.address;
  const gains = shownTo(context)?.gains ?? [];
  return gains
    .filter((gain) => isSameText(gain.of, of))
    .map(({ to, units }) => ({ to: normaliseEvmAddress(to), units }));
};

/**
 * Where a call that is not understood sends the money, as a simulation shows it: to the receivers of the split, by
 * their shares, or to the contract that is called. What a contract keeps is its own affair: the service pays out of
 * it, and nothing here can see how. Money that goes to neither is refused.
 */
export const checkGains = (context: Context): readonly Check[] => {
  const { unsigned, expected } = context;
  const asked = paidDebit(context);
  if (isSure(context) || shownTo(context) === undefined || asked === undefined || asked.units === 0n) return [];
  if (expected.receivers === undefined) return [];
  const gains = gainsOf(context, asked);
  const kept = gains.filter(({ to }) => isSameText(to, unsigned.to)).reduce((sum, { units }) => sum + units, 0n);
  const payments = gains.filter(({ to }) => !isSameText(to, unsigned.to));
  const isListed = ({ to }: Payment) => expected.receivers?.some(({ wallet }) => isSameText(wallet, to)) === true;
  if (kept === 0n && !payments.some((payment) => isListed(payment) || context.isAllowed(payment.to))) {
    const whom = payments.map(({ to }) => to).join(' and ') || 'nobody that the node can name';
    const says = `Run on the node's state, ${inWords(asked.asset, asked.units)} go to ${whom}`;
    return [refuse('receivers', `${says}: neither to a receiver of the payment nor to the contract that is called.`)];
  }
  const keeps = kept === 0n ? [] : [pass('receivers', `${unsigned.to} keeps ${inWords(asked.asset, kept)} of it.`)];
  const outlay = { kind: 'pays', asset: asked.asset, payments, total: asked.units } as const;
  return [...keeps, ...checkReceivers(context, outlay, kept > 0n)];
};
