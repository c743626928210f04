import type { Outflow, Policy, PolicyInForce, PolicyOwner } from '../../src/chain/review/policy.ts';

type Given = { readonly owner?: PolicyOwner; readonly moved?: readonly Outflow[] };

/** One policy in force, of the profile acme where nothing else is said. */
export const inForce = (
  policy: Policy,
  { owner = { kind: 'profile', name: 'acme' }, moved = [] }: Given = {},
): PolicyInForce => ({
  policies: [{ policy, owner, moved }],
  refusals: [],
  challengeHosts: policy.challenge_hosts,
  hasMandate: false,
});
