import type { KeyChain } from '../../contract/chains.ts';
import { compareDecimals } from '../../core/decimal.ts';
import { isSameText } from '../../core/text.ts';
import { type Check, pass, refuse } from './check.ts';
import { checkAskAbove, checkDay, checkLimits, checkTransaction } from './check-limits.ts';
import {
  type AppliedPolicy,
  type CalledProgram,
  type Footprint,
  listInWords,
  namesOne,
  type Outflow,
  ownerInWords,
  type Policy,
  type PolicyInForce,
  refuseByPolicy,
} from './policy.ts';

type CheckPart = (applied: AppliedPolicy, footprint: Footprint) => readonly Check[];

/** What a list of a policy has to allow: by any of its names, and a fact about it. */
type ListEntry = { readonly names: readonly (string | undefined)[]; readonly fact: string };

/** A refusal for each part of a transaction that a list of the policy lacks. */
const refuseUnlisted = (
  applied: AppliedPolicy,
  part: 'chains' | 'tokens' | 'recipients' | 'contracts' | 'programs',
  all: readonly ListEntry[],
): readonly Check[] => {
  const list = applied.policy[part];
  if (list === undefined) return [];
  const allowed = `only these ${part}: ${listInWords(list)}`;
  const unlisted = all.filter(({ names }) => !namesOne(list, ...names));
  return unlisted.map(({ fact }) => refuseByPolicy(part, applied, fact, allowed));
};

const checkChain = (applied: AppliedPolicy, { chain }: Pick<Footprint, 'chain'>): readonly Check[] =>
  refuseUnlisted(applied, 'chains', [{ names: [chain], fact: `The chain is ${chain}` }]);

const checkTokens = (applied: AppliedPolicy, { spends }: Pick<Footprint, 'spends'>): readonly Check[] => {
  const tokens = spends.map(({ token, address }) => ({ names: [token, address], fact: `The token is ${token}` }));
  return refuseUnlisted(applied, 'tokens', tokens);
};

const checkRecipients = (applied: AppliedPolicy, { recipients }: Pick<Footprint, 'recipients'>): readonly Check[] => {
  const paid = recipients.map((names) => ({ names, fact: `${names[0]} is paid or may take tokens` }));
  return refuseUnlisted(applied, 'recipients', paid);
};

const callsOf = (called: readonly CalledProgram[]): readonly ListEntry[] =>
  called.map(({ is, address }) => ({ names: [address], fact: `The transaction calls the ${is} ${address}` }));

const checkContracts: CheckPart = (applied, { called }) => {
  const { tokens = [] } = applied.policy;
  const isPlain = ({ moves, address }: CalledProgram) =>
    moves === 'its known token' || (moves !== undefined && namesOne(tokens, address));
  const contracts = called.filter((each) => each.is === 'contract' && !isPlain(each));
  return refuseUnlisted(applied, 'contracts', callsOf(contracts));
};

const checkPrograms: CheckPart = (applied, { called }) =>
  refuseUnlisted(applied, 'programs', callsOf(called.filter(({ is }) => is === 'program')));

const checkBlind: CheckPart = (applied, { blind }) => {
  const { blind_signing, programs = [] } = applied.policy;
  if (blind_signing !== 'never') return [];
  const undecoded = blind.filter(({ program }) => program === undefined || !namesOne(programs, program));
  return [...new Set(undecoded.map(({ message }) => message))].map((fact) =>
    refuseByPolicy('blind_signing', applied, fact.replace(/\.$/, ''), 'only what bursar can decode'),
  );
};

const checkFee: CheckPart = (applied, { chain, fee }) => {
  return Object.entries(applied.policy.most_fee ?? {})
    .filter(([name, most]) => namesOne([name], chain) && compareDecimals(fee.at_most, most) > 0)
    .map(([, most]) => {
      const fact = `The fee may be ${fee.at_most} ${fee.coin}`;
      return refuseByPolicy('most_fee', applied, fact, `at most ${most} ${fee.coin} on ${chain}`);
    });
};

/** Parts that need to see the outflows and their recipients. */
const ABOUT_MONEY = ['tokens', 'recipients', 'most_per_transaction', 'most_per_day', 'ask_above'] as const;

/** Without the outflows a limit cannot be compared, so it refuses. */
const checkIncomplete: CheckPart = ({ policy, owner }, { isIncomplete, isCounted }) => {
  const unseen = isCounted ? (['recipients'] as const) : ABOUT_MONEY;
  const isSet = (part: keyof Policy) => Object.keys(policy[part] ?? {}).length > 0 || Array.isArray(policy[part]);
  const parts = unseen.filter(isSet).map((part) => `policy.${part}`);
  if (!isIncomplete || parts.length === 0) return [];
  const what = isCounted ? 'who receives what leaves the wallet' : 'what leaves the wallet';
  const fact = `The bytes do not show ${what}, and there is no simulation`;
  const limits = `${parts.join(', ')} of ${ownerInWords(owner)} cannot be compared`;
  return [refuse('policy', `${fact}: ${limits}. A node can simulate it: --rpc-url.`)];
};

const PARTS: readonly CheckPart[] = [
  checkChain,
  checkFee,
  checkBlind,
  checkContracts,
  checkPrograms,
  checkTokens,
  checkRecipients,
  checkIncomplete,
  (applied, { spends }) => checkLimits(applied, spends),
];

const checkOne = (applied: AppliedPolicy, footprint: Footprint): readonly Check[] => {
  const wrong = PARTS.flatMap((check) => check(applied, footprint));
  return wrong.length > 0 ? wrong : [pass('policy', `The policy of ${ownerInWords(applied.owner)} allows it.`)];
};

/**
 * Compares the footprint of a transaction with every policy in force. `footprintFor` returns it in the names that a
 * policy uses: the policy of a key ignores token names of a profile.
 */
export const checkPolicy = (
  inForce: PolicyInForce | undefined,
  footprintFor: (applied: AppliedPolicy) => Footprint,
): readonly Check[] => [
  ...(inForce?.refusals ?? []),
  ...(inForce?.policies ?? []).flatMap((applied) => checkOne(applied, footprintFor(applied))),
];

/** Checks a wallet's challenge against `chains`: a policy must have at least one chain of the wallet's family. */
export const checkFamily = (inForce: PolicyInForce | undefined, family: KeyChain): readonly Check[] => {
  const isOfFamily = (chain: string) => isSameText(chain, 'solana') === (family === 'solana');
  const fact = `The challenge is for a wallet on ${family === 'solana' ? 'Solana' : 'EVM chains'}`;
  return (inForce?.policies ?? []).flatMap((applied) => {
    const { chains } = applied.policy;
    if (chains === undefined || chains.some(isOfFamily)) return [];
    return [refuseByPolicy('chains', applied, fact, `only these chains: ${listInWords(chains)}`)];
  });
};

/** Compares the hosts that a challenge names with `challenge_hosts`. Hosts of the service need no entry. */
export const checkHosts = (
  inForce: PolicyInForce | undefined,
  hosts: readonly string[],
  isOfService: (host: string) => boolean,
): readonly Check[] =>
  (inForce?.policies ?? []).flatMap((applied) => {
    const { challenge_hosts: listed } = applied.policy;
    if (listed === undefined) return [];
    const allowed = `only these hosts: ${listInWords(listed)}`;
    return hosts
      .filter((host) => !isOfService(host) && !listed.some((each) => isSameText(each, host)))
      .map((host) => refuseByPolicy('challenge_hosts', applied, `The challenge names ${host}`, allowed));
  });

/** A requested payment before its transaction exists. Unknown facts are left out. */
export type PlannedOutflow = {
  readonly chain?: string | undefined;
  /** The payer's token, by symbol and address: a policy may use either. */
  readonly token?: Pick<Outflow, 'token' | 'address'> | undefined;
  /** The amount, where it is in a known token. */
  readonly outflow?: Outflow | undefined;
  readonly recipients: readonly string[];
  /** The signer, where it is known; only the limits of that key's policy apply. */
  readonly payer?: string | undefined;
  /** Chain or token are known from a profile alone: the policy of a key ignores them. */
  readonly isOfProfile?: boolean;
};

const checkPlan = (applied: AppliedPolicy, planned: PlannedOutflow): readonly Check[] => {
  const { chain, token, outflow, recipients } = planned;
  const spends = token ? [{ ...token, amount: '0', isKnown: true }] : [];
  const ofRecipients = checkRecipients(applied, { recipients: recipients.map((address) => [address]) });
  if (planned.isOfProfile && applied.owner.kind === 'key') return ofRecipients;
  return [
    ...(chain === undefined ? [] : checkChain(applied, { chain })),
    ...checkTokens(applied, { spends }),
    ...ofRecipients,
    ...(outflow ? [...checkTransaction(applied, outflow), ...checkDay(applied, [outflow])] : []),
    ...(outflow ? checkAskAbove(applied, outflow) : []),
  ];
};

/** Refusals that are certain from the request alone. The review later checks the transaction against all limits. */
export const checkPlannedOutflow = (
  { policies, refusals }: PolicyInForce,
  planned: PlannedOutflow,
): readonly Check[] => [...refusals, ...policies.flatMap((applied) => checkPlan(applied, planned))];
