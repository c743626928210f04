import { createHash } from 'node:crypto';
import type { Kind } from '../contract/chains.ts';
import type { Secret } from '../core/secret.ts';

/** The service of a command. */
export type Service = {
  /** The name of the profile, or `(environment)` if only the environment names the service. */
  readonly profile: string;
  /** Real money or the sandbox. Every result of an operation shows it. */
  readonly kind: Kind;
  /** The origin, with a path prefix if there is one, without a slash at the end. */
  readonly baseUrl: string;
  /** Sent only to this service. */
  readonly apiKey: Secret | undefined;
};

/**
 * Identifies the API key and its service without revealing the key: another key may belong to another tenant. The
 * sandbox's address is left out, because its port changes at each start.
 */
export const apiKeyFingerprint = ({ kind, baseUrl, apiKey }: Service): string | undefined => {
  if (apiKey === undefined) return undefined;
  const where = kind === 'sandbox' ? '' : baseUrl;
  return createHash('sha256')
    .update(JSON.stringify(['who asks', where, apiKey.reveal()]))
    .digest('hex')
    .slice(0, 16);
};

/** The deployment that identifies a service in the journal. */
export const deploymentOfService = (service: Service) => {
  const { profile, kind, baseUrl } = service;
  return { profile, kind, baseUrl, asker: apiKeyFingerprint(service) };
};

/** A short hash of an API key, for display. */
export const shortFingerprint = (key: Secret): string =>
  `sha256:${createHash('sha256').update(key.reveal()).digest('hex').slice(0, 8)}`;
