import { createHash } from 'node:crypto';
import type { Secret } from '../core/secret.ts';
import type { Service } from './service.ts';

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

/** A short hash of an API key, for display. */
export const shortFingerprint = (key: Secret): string =>
  `sha256:${createHash('sha256').update(key.reveal()).digest('hex').slice(0, 8)}`;
