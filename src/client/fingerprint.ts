import { createHash } from 'node:crypto';
import type { Secret } from '../core/secret.ts';
import type { Service } from './service.ts';

/**
 * Stands for who asks: another API key may be another tenant's. Nothing of the key can be learned from it. The port of
 * the sandbox is another after each start, and its tenants are the same.
 */
export const apiKeyFingerprint = ({ kind, baseUrl, apiKey }: Service): string | undefined => {
  if (apiKey === undefined) return undefined;
  const where = kind === 'sandbox' ? '' : baseUrl;
  return createHash('sha256')
    .update(JSON.stringify(['who asks', where, apiKey.reveal()]))
    .digest('hex')
    .slice(0, 16);
};

/** Tells one API key from another without showing any of it. */
export const shortFingerprint = (key: Secret): string =>
  `sha256:${createHash('sha256').update(key.reveal()).digest('hex').slice(0, 8)}`;
