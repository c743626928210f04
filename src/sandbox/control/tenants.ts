import { newKey } from '../address.ts';
import { addTenant, putKeyWithoutTenant } from '../ledger/tenants.ts';
import type { Services } from '../services.ts';
import { ok, type Route, withInput } from './route.ts';
import { tenantInput } from './tenant-shapes.ts';

/** Makes a key, shown this once: that of a new tenant, or a valid one that belongs to none. */
export const tenantRoutes = (services: Services): readonly Route[] => [
  [
    'POST',
    'tenant',
    (context) =>
      withInput(context, tenantInput, async ({ without_tenant }) => {
        const api_key = newKey(services.io, 'sandbox');
        const at = services.clock.nowIso();
        const ledger = await services.ledger();
        if (without_tenant) {
          await putKeyWithoutTenant(ledger, api_key, at);
          return ok('key_created', 'A key that belongs to no tenant.', { tenant: null, api_key });
        }
        return ok('tenant_created', 'A tenant and its key.', { tenant: await addTenant(ledger, api_key, at), api_key });
      }),
  ],
];
