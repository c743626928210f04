/**
 * The document's names of the two providers. They are neutral stand-ins: a live deployment has identifiers of
 * its own. So a request takes any name, and who knows the deployment (the sandbox) checks it against these.
 */
export const PROVIDERS = ['provider_a', 'provider_b'] as const;
