import type { Check } from '../verdict.ts';
import { checkChain, checkRecipients, checkTokens } from './check.ts';
import { checkAskAbove, checkDay, checkTransaction } from './check-limits.ts';
import type { Footprint, Outflow } from './footprint.ts';
import type { AppliedPolicy, PolicyInForce } from './policy.ts';

/** What a payment is to do, before there is a transaction of it. What is not known yet is left out. */
export type PlannedOutflow = {
  readonly chain?: string | undefined;
  /** The payer's token; with its address, for a policy may name it by either. */
  readonly token?: Pick<Outflow, 'token' | 'address'> | undefined;
  /** What is to leave, where the amount is in a known token. */
  readonly outflow?: Outflow | undefined;
  readonly recipients: readonly string[];
  /** Who is to sign it, where that is known; only the limits of that key's policy are held against it. */
  readonly payer?: string | undefined;
  /** Only a profile says what its chain or token is: a policy of a key is not held against those. */
  readonly isOfProfile?: boolean;
};

const footprintOf = ({ chain = '', token, recipients }: PlannedOutflow): Footprint => ({
  chain,
  spends: token ? [{ ...token, amount: '0', isKnown: true }] : [],
  isOpen: false,
  recipients: recipients.map((address) => [address]),
  called: [],
  blind: [],
  fee: undefined,
});

const checkOne = (applied: AppliedPolicy, asked: PlannedOutflow): readonly Check[] => {
  const footprint = footprintOf(asked);
  const recipients = checkRecipients(applied, footprint);
  if (asked.isOfProfile && applied.owner.kind === 'key') return recipients;
  const { outflow: leaves } = asked;
  return [
    ...(asked.chain === undefined ? [] : checkChain(applied, footprint)),
    ...checkTokens(applied, footprint),
    ...recipients,
    ...(leaves ? [...checkTransaction(applied, leaves), ...checkDay(applied, [leaves])] : []),
    ...(leaves ? checkAskAbove(applied, leaves) : []),
  ];
};

/**
 * What of the policies can be judged from what is asked for alone: only what no transaction of it could escape. The review
 * holds the transaction against all of them.
 */
export const checkAsked = ({ policies, refusals }: PolicyInForce, asked: PlannedOutflow): readonly Check[] => [
  ...refusals,
  ...policies.flatMap((applied) => checkOne(applied, asked)),
];
