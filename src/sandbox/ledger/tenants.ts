import { createHash } from 'node:crypto';
import type { Ledger } from './ledger.ts';

/** Keys and tokens are kept as their SHA-256 only. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The tenant that an API key belongs to. */
export const tenantOfKey = async (ledger: Ledger, key: string): Promise<string | undefined> =>
  (await ledger.selectFrom('tenants').select('id').where('key_hash', '=', hashOf(key)).executeTakeFirst())?.id;

/** Makes a tenant, or gives it this key when it is there. */
export const putTenant = async (ledger: Ledger, id: string, key: string, at: string): Promise<void> => {
  const key_hash = hashOf(key);
  await ledger
    .insertInto('tenants')
    .values({ id, key_hash, created_at: at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ key_hash }))
    .execute();
};
