/** What the provider of the verification can decide. */
export const DECISIONS = ['approve', 'decline', 'review', 'expire', 'blocklist'] as const;

export type Decision = (typeof DECISIONS)[number];
