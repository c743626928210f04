import type { Generated } from 'kysely';

/** An order template. Its creation fields, unknown ones too, are JSON text; two of them are columns to filter by. */
export type OrderTable = {
  /** Newer orders have higher ones. */
  seq: Generated<number>;
  id: string;
  tenant_id: string;
  active: number;
  gateway_method: string;
  on_ramp: number;
  fields: string;
  created_at: string;
  updated_at: string;
};
