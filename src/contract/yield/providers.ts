/**
 * The document's neutral names of the two providers. A live deployment has names of its own. So a request accepts any
 * name, and only the sandbox checks it against this list.
 */
export const PROVIDERS = ['provider_a', 'provider_b'] as const;
