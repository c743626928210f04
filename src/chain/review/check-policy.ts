import type { KeyChain } from '../../contract/key-chain.ts';
import { compareDecimals } from '../../core/decimal.ts';
import { isSameText } from '../../core/same-text.ts';
import { type Check, pass, refuse } from './check.ts';
import { checkAskAbove, checkDay, checkLimits, checkTransaction } from './check-limits.ts';
import type { Footprint, Outflow } from './footprint.ts';
import {
  type AppliedPolicy,
  listed,
  namesOne,
  ownerInWords,
  type Policy,
  type PolicyInForce,
  refusedBy,
} from './policy.ts';

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

const checkPlan = (applied: AppliedPolicy, asked: PlannedOutflow): readonly Check[] => {
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
  ...policies.flatMap((applied) => checkPlan(applied, asked)),
];

type CheckPart = (applied: AppliedPolicy, footprint: Footprint) => readonly Check[];

/** The chain is one of those that are allowed. */
export const checkChain: CheckPart = (applied, { chain }) => {
  const { chains } = applied.policy;
  if (chains === undefined || namesOne(chains, chain)) return [];
  return [refusedBy('chains', applied, `It is for ${chain}`, `the chains ${listed(chains)}`)];
};

/** Every token that leaves is one of those that are allowed. */
export const checkTokens: CheckPart = (applied, { spends }) => {
  const { tokens } = applied.policy;
  if (tokens === undefined) return [];
  return spends
    .filter(({ token, address }) => !namesOne(tokens, token, address))
    .map(({ token }) => refusedBy('tokens', applied, `It moves ${token}`, `the tokens ${listed(tokens)}`));
};

/** Whoever is paid, or may take, is one of those that are allowed. */
export const checkRecipients: CheckPart = (applied, { recipients }) => {
  const { recipients: allowed } = applied.policy;
  if (allowed === undefined) return [];
  return recipients
    .filter((names) => !namesOne(allowed, ...names))
    .map(([name]) => {
      const found = `${name} is paid or may take`;
      return refusedBy('recipients', applied, found, `the recipients ${listed(allowed)}`);
    });
};

const checkContracts: CheckPart = (applied, { called }) => {
  const { contracts, tokens = [] } = applied.policy;
  if (contracts === undefined) return [];
  return called
    .filter(({ is, moves, address }) => {
      const isPlain = moves === 'its known token' || (moves !== undefined && namesOne(tokens, address));
      return is === 'contract' && !isPlain && !namesOne(contracts, address);
    })
    .map(({ address }) =>
      refusedBy('contracts', applied, `It calls the contract ${address}`, `the contracts ${listed(contracts)}`),
    );
};

const checkPrograms: CheckPart = (applied, { called }) => {
  const { programs } = applied.policy;
  if (programs === undefined) return [];
  return called
    .filter(({ is, address }) => is === 'program' && !namesOne(programs, address))
    .map(({ address }) =>
      refusedBy('programs', applied, `It calls the program ${address}`, `the programs ${listed(programs)}`),
    );
};

const checkBlind: CheckPart = (applied, { blind }) => {
  const { blind_signing, programs = [] } = applied.policy;
  if (blind_signing !== 'never') return [];
  const strange = blind.filter(({ program }) => program === undefined || !namesOne(programs, program));
  return [...new Set(strange.map(({ message }) => message))].map((found) =>
    refusedBy('blind_signing', applied, found.replace(/\.$/, ''), 'only what the review understands'),
  );
};

const checkFee: CheckPart = (applied, { chain, fee }) => {
  if (fee === undefined) return [];
  return Object.entries(applied.policy.most_fee ?? {})
    .filter(([name, most]) => namesOne([name], chain) && compareDecimals(fee.at_most, most) > 0)
    .map(([, most]) => {
      const found = `Its fee may cost ${fee.at_most} ${fee.coin}`;
      return refusedBy('most_fee', applied, found, `at most ${most} ${fee.coin} on ${chain}`);
    });
};

/** Parts that look at what leaves and at who gets it. */
const ABOUT_MONEY = ['tokens', 'recipients', 'most_per_transaction', 'most_per_day', 'ask_above'] as const;

const isGiven = (part: Policy[keyof Policy]): boolean => Object.keys(part ?? {}).length > 0 || Array.isArray(part);

/** What cannot be told cannot be allowed: a limit that is not counted would be none. */
const checkOpen: CheckPart = ({ policy, owner }, { isOpen, isCounted }) => {
  const open = isCounted ? (['recipients'] as const) : ABOUT_MONEY;
  const parts = open.filter((part) => isGiven(policy[part])).map((part) => `policy.${part}`);
  if (!isOpen || parts.length === 0) return [];
  const subject = isCounted ? 'Who gets what leaves the wallet' : 'What leaves the wallet';
  const message = `${subject} cannot be told from the bytes, and no simulation shows it`;
  const cannot = `so ${parts.join(', ')} of ${ownerInWords(owner)} cannot be held against it.`;
  return [refuse('policy', `${message}, ${cannot} A node can show it: --rpc-url.`)];
};

const PARTS: readonly CheckPart[] = [
  checkChain,
  checkFee,
  checkBlind,
  checkContracts,
  checkPrograms,
  checkTokens,
  checkRecipients,
  checkOpen,
  (applied, { spends }) => checkLimits(applied, spends),
];

/** One policy against what a transaction touches; says so where all of it is within. */
const checkOne = (applied: AppliedPolicy, footprint: Footprint): readonly Check[] => {
  const wrong = PARTS.flatMap((check) => check(applied, footprint));
  return wrong.length > 0 ? wrong : [pass('policy', `It is within the policy of ${ownerInWords(applied.owner)}.`)];
};

/**
 * Holds what a transaction touches against every policy that is in force. `footprintFor` gives it in the names that a
 * policy is written in: the policy of a key does not go by what a profile calls a token.
 */
export const checkPolicy = (
  inForce: PolicyInForce | undefined,
  footprintFor: (applied: AppliedPolicy) => Footprint,
): readonly Check[] => [
  ...(inForce?.refusals ?? []),
  ...(inForce?.policies ?? []).flatMap((applied) => checkOne(applied, footprintFor(applied))),
];

/** A wallet's proof moves nothing; what counts is whether a policy has a chain of its family at all. */
export const checkFamily = (inForce: PolicyInForce | undefined, family: KeyChain): readonly Check[] => {
  const isOfFamily = (chain: string) => isSameText(chain, 'solana') === (family === 'solana');
  const found = `It is for a wallet of ${family === 'solana' ? 'Solana' : 'EVM chains'}`;
  return (inForce?.policies ?? []).flatMap((applied) => {
    const { chains } = applied.policy;
    if (chains === undefined || chains.some(isOfFamily)) return [];
    return [refusedBy('chains', applied, found, `the chains ${listed(chains)}`)];
  });
};

/**
 * The hosts that a challenge names, against the hosts that the policies list: those of the service need no entry.
 * `isOfService` says whether a host is one of its.
 */
export const checkHosts = (
  inForce: PolicyInForce | undefined,
  hosts: readonly string[],
  isOfService: (host: string) => boolean,
): readonly Check[] =>
  (inForce?.policies ?? []).flatMap((applied) => {
    const { challenge_hosts: allowed } = applied.policy;
    if (allowed === undefined) return [];
    return hosts
      .filter((host) => !isOfService(host) && !allowed.some((each) => isSameText(each, host)))
      .map((host) => refusedBy('challenge_hosts', applied, `It names ${host}`, `the hosts ${listed(allowed)}`));
  });
