import type { Outflow, Policy, PolicyInForce, PolicyOwner } from '../../src/chain/review/policy.ts';

type InForceOptions = { readonly owner?: PolicyOwner; readonly moved?: readonly Outflow[] };

/** A policy in force. Its owner is the profile acme by default. */
export const inForce = (
  policy: Policy,
  { owner = { kind: 'profile', name: 'acme' }, moved = [] }: InForceOptions = {},
): PolicyInForce => ({
  policies: [{ policy, owner, moved }],
  refusals: [],
  challengeHosts: policy.challenge_hosts,
  hasMandate: false,
});
