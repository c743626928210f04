import * as z from 'zod';

/** Whether the key is to belong to no tenant. */
export const tenantInput = z.object({ without_tenant: z.boolean('must be true or false').default(false) });

/** A key, shown this once, and whose it is. */
export const tenantShape = z.object({ tenant: z.string().nullable(), api_key: z.string() });

export type NewKey = z.infer<typeof tenantShape>;
