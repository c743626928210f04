import { createHash } from 'node:crypto';
import type { Service } from './service.ts';

/**
 * Stands for who asks: another API key may be another tenant's. Nothing of the key can be learned from it. The port of
 * the sandbox is another after each start, and its tenants are the same.
 */
export const fingerprintOf = ({ kind, baseUrl, apiKey }: Service): string | undefined => {
  if (apiKey === undefined) return undefined;
  const where = kind === 'sandbox' ? '' : baseUrl;
  return createHash('sha256')
    .update(JSON.stringify(['who asks', where, apiKey.reveal()]))
    .digest('hex')
    .slice(0, 16);
};
