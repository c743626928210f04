import type { KeyChain } from '../../contract/key-chain.ts';
import { isSameText } from '../../core/same-text.ts';
import { type Check, pass, refuse } from '../verdict.ts';
import { checkLimits } from './check-limits.ts';
import type { Footprint } from './footprint.ts';
import { listed, namesOne, refusedBy } from './names.ts';
import type { Policy, PolicyInForce } from './policy.ts';

type CheckPart = (inForce: PolicyInForce, footprint: Footprint) => readonly Check[];

/** The chain is one of those that are allowed. */
export const checkChain: CheckPart = (inForce, { chain }) => {
  const { chains } = inForce.policy;
  if (chains === undefined || namesOne(chains, chain)) return [];
  return [refusedBy('chains', inForce, `It is for ${chain}`, `the chains ${listed(chains)}`)];
};

/** Every token that leaves is one of those that are allowed. */
export const checkTokens: CheckPart = (inForce, { spends }) => {
  const { tokens } = inForce.policy;
  if (tokens === undefined) return [];
  return spends
    .filter(({ token, address }) => !namesOne(tokens, token, address))
    .map(({ token }) => refusedBy('tokens', inForce, `It moves ${token}`, `the tokens ${listed(tokens)}`));
};

/** Whoever is paid, or may take, is one of those that are allowed. */
export const checkRecipients: CheckPart = (inForce, { recipients }) => {
  const { recipients: allowed } = inForce.policy;
  if (allowed === undefined) return [];
  return recipients
    .filter((names) => !namesOne(allowed, ...names))
    .map(([name]) => {
      const found = `${name} is paid or may take`;
      return refusedBy('recipients', inForce, found, `the recipients ${listed(allowed)}`);
    });
};

const checkContracts: CheckPart = (inForce, { called }) => {
  const { contracts, tokens = [] } = inForce.policy;
  if (contracts === undefined) return [];
  return called
    .filter(({ is, moves, address }) => {
      const isPlain = moves === 'its known token' || (moves !== undefined && namesOne(tokens, address));
      return is === 'contract' && !isPlain && !namesOne(contracts, address);
    })
    .map(({ address }) =>
      refusedBy('contracts', inForce, `It calls the contract ${address}`, `the contracts ${listed(contracts)}`),
    );
};

const checkPrograms: CheckPart = (inForce, { called }) => {
  const { programs } = inForce.policy;
  if (programs === undefined) return [];
  return called
    .filter(({ is, address }) => is === 'program' && !namesOne(programs, address))
    .map(({ address }) =>
      refusedBy('programs', inForce, `It calls the program ${address}`, `the programs ${listed(programs)}`),
    );
};

const checkBlind: CheckPart = (inForce, { blind }) => {
  if (inForce.policy.blind_signing !== 'never') return [];
  return [...new Set(blind)].map((found) =>
    refusedBy('blind_signing', inForce, found.replace(/\.$/, ''), 'only what the review understands'),
  );
};

/** Parts that look at what leaves and at who gets it. */
const ABOUT_MONEY = ['tokens', 'recipients', 'most_per_transaction', 'most_per_day'] as const;

const isGiven = (part: Policy[keyof Policy]): boolean => Object.keys(part ?? {}).length > 0 || Array.isArray(part);

/** What cannot be told cannot be allowed: a limit that is not counted would be none. */
const checkOpen: CheckPart = ({ policy, profile }, { isOpen }) => {
  const parts = ABOUT_MONEY.filter((part) => isGiven(policy[part])).map((part) => `policy.${part}`);
  if (!isOpen || parts.length === 0) return [];
  const says = 'What leaves the wallet cannot be told from the bytes, and no simulation shows it';
  const cannot = `so ${parts.join(', ')} of the profile ${profile} cannot be held against it.`;
  return [refuse('policy', `${says}, ${cannot} A node can show it: --rpc-url.`)];
};

const PARTS: readonly CheckPart[] = [
  checkChain,
  checkBlind,
  checkContracts,
  checkPrograms,
  checkTokens,
  checkRecipients,
  checkOpen,
  (inForce, { spends }) => checkLimits(inForce, spends),
];

/** Holds what a transaction touches against a policy; says so where all of it is within. */
export const checkPolicy = (inForce: PolicyInForce | undefined, footprint: Footprint): readonly Check[] => {
  if (inForce === undefined) return [];
  const wrong = PARTS.flatMap((check) => check(inForce, footprint));
  return wrong.length > 0 ? wrong : [pass('policy', `It is within the policy of the profile ${inForce.profile}.`)];
};

/** A wallet's proof moves nothing; what counts is whether the policy has a chain of its family at all. */
export const checkFamily = (inForce: PolicyInForce | undefined, family: KeyChain): readonly Check[] => {
  const chains = inForce?.policy.chains;
  const isOfFamily = (chain: string) => isSameText(chain, 'solana') === (family === 'solana');
  if (inForce === undefined || chains === undefined || chains.some(isOfFamily)) return [];
  const found = `It is for a wallet of ${family === 'solana' ? 'Solana' : 'EVM chains'}`;
  return [refusedBy('chains', inForce, found, `the chains ${listed(chains)}`)];
};
