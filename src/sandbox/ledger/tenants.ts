import { createHash } from 'node:crypto';
import { NO_TENANT } from '../assumptions.ts';
import type { Ledger } from './ledger.ts';

/** Keys and tokens are kept as their SHA-256 only. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The tenant that an API key belongs to: `NO_TENANT` for a valid key of none, `undefined` for no valid key. */
export const tenantOfKey = async (ledger: Ledger, key: string): Promise<string | undefined> => {
  const hash = hashOf(key);
  const row = await ledger.selectFrom('tenants').select('id').where('key_hash', '=', hash).executeTakeFirst();
  if (row) return row.id;
  const keys = ledger.selectFrom('keys_without_tenant').select('key_hash').where('key_hash', '=', hash);
  return (await keys.executeTakeFirst()) && NO_TENANT;
};

/** As `tenantOfKey`, which is asked once for each valid key: none is ever taken back while a sandbox runs. */
export const openTenants = (ledger: () => Promise<Ledger>): ((key: string) => Promise<string | undefined>) => {
  const known = new Map<string, string>();
  return async (key) => {
    const tenant = known.get(key) ?? (await tenantOfKey(await ledger(), key));
    if (tenant !== undefined) known.set(key, tenant);
    return tenant;
  };
};

/** Makes a valid key that belongs to no tenant. */
export const putKeyWithoutTenant = async (ledger: Ledger, key: string, at: string): Promise<void> => {
  const row = { key_hash: hashOf(key), created_at: at };
  await ledger.insertInto('keys_without_tenant').values(row).execute();
};

/** Makes a tenant, or gives it this key when it is there. */
export const putTenant = async (ledger: Ledger, id: string, key: string, at: string): Promise<void> => {
  const key_hash = hashOf(key);
  await ledger
    .insertInto('tenants')
    .values({ id, key_hash, created_at: at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ key_hash }))
    .execute();
};

/** Makes another tenant with a key of its own; its name. */
export const addTenant = (ledger: Ledger, key: string, at: string): Promise<string> =>
  ledger.transaction().execute(async (step) => {
    const all = step.selectFrom('tenants').select(({ fn }) => fn.countAll<number>().as('count'));
    const id = `tenant_${(await all.executeTakeFirstOrThrow()).count + 1}`;
    await putTenant(step, id, key, at);
    return id;
  });
