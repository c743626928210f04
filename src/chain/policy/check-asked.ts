import type { Check } from '../verdict.ts';
import { checkChain, checkRecipients, checkTokens } from './check.ts';
import { checkDay, checkTransaction } from './check-limits.ts';
import type { Footprint, Leaving } from './footprint.ts';
import type { PolicyInForce } from './policy.ts';

/** What a payment is to do, before there is a transaction of it. What is not known yet is left out. */
export type Asked = {
  readonly chain?: string | undefined;
  /** The payer's token; with its address, for a policy may name it by either. */
  readonly token?: Pick<Leaving, 'token' | 'address'> | undefined;
  /** What is to leave, where the amount is in a known token. */
  readonly leaves?: Leaving | undefined;
  readonly recipients: readonly string[];
};

const footprintOf = ({ chain = '', token, recipients }: Asked): Footprint => ({
  chain,
  spends: token ? [{ ...token, amount: '0', isKnown: true }] : [],
  isOpen: false,
  recipients: recipients.map((address) => [address]),
  called: [],
  blind: [],
});

/**
 * What of a policy can be judged from what is asked for alone: only refusals that no transaction of it could escape.
 * The review holds the transaction against all of it.
 */
export const checkAsked = (inForce: PolicyInForce, asked: Asked): readonly Check[] => {
  const footprint = footprintOf(asked);
  const { leaves } = asked;
  return [
    ...(asked.chain === undefined ? [] : checkChain(inForce, footprint)),
    ...checkTokens(inForce, footprint),
    ...checkRecipients(inForce, footprint),
    ...(leaves ? [...checkTransaction(inForce, leaves), ...checkDay(inForce, [leaves])] : []),
  ];
};
