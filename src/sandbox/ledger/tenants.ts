import { createHash } from 'node:crypto';
import { NO_TENANT } from '../assumptions.ts';
import type { Ledger } from './ledger.ts';

/** The SHA-256 of a key or a token as hex. The ledger stores only this. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The tenant of an API key; `NO_TENANT` for a valid key without a tenant, `undefined` for an invalid key. */
export const tenantOfKey = async (ledger: Ledger, key: string): Promise<string | undefined> => {
  const hash = hashOf(key);
  const row = await ledger.selectFrom('tenants').select('id').where('key_hash', '=', hash).executeTakeFirst();
  if (row) return row.id;
  const keys = ledger.selectFrom('keys_without_tenant').select('key_hash').where('key_hash', '=', hash);
  return (await keys.executeTakeFirst()) && NO_TENANT;
};

/** `tenantOfKey` with a cache of valid keys. A key stays valid while a sandbox runs. */
export const openTenants = (ledger: () => Promise<Ledger>): ((key: string) => Promise<string | undefined>) => {
  const cache = new Map<string, string>();
  return async (key) => {
    const tenant = cache.get(key) ?? (await tenantOfKey(await ledger(), key));
    if (tenant !== undefined) cache.set(key, tenant);
    return tenant;
  };
};

/** Stores a valid key without a tenant. */
export const putKeyWithoutTenant = async (ledger: Ledger, key: string, at: string): Promise<void> => {
  const row = { key_hash: hashOf(key), created_at: at };
  await ledger.insertInto('keys_without_tenant').values(row).execute();
};

/** Stores a tenant with this key. An existing tenant gets this key in place of its old key. */
export const putTenant = async (ledger: Ledger, id: string, key: string, at: string): Promise<void> => {
  const key_hash = hashOf(key);
  await ledger
    .insertInto('tenants')
    .values({ id, key_hash, created_at: at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ key_hash }))
    .execute();
};

/** Stores a new tenant with this key, and returns the tenant's id. */
export const addTenant = (ledger: Ledger, key: string, at: string): Promise<string> =>
  ledger.transaction().execute(async (step) => {
    const all = step.selectFrom('tenants').select(({ fn }) => fn.countAll<number>().as('count'));
    const id = `tenant_${(await all.executeTakeFirstOrThrow()).count + 1}`;
    await putTenant(step, id, key, at);
    return id;
  });
