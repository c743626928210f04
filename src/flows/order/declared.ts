import { create } from '../../contract/order/create.ts';
import { isExactNumber, isJsonObject } from '../../core/json.ts';
import type { OrderFields } from './merged.ts';
import type { OrderRow } from './rows.ts';

/** An entry of an order file: the fields of `order create`, the id if it has one, and the active state. */
export type DeclaredOrder = {
  readonly id: string | undefined;
  readonly active: boolean | undefined;
  readonly fields: OrderFields;
};

const DOCUMENTED_FIELDS: readonly string[] = Object.keys(create.body ?? {});

/** Fields that cannot be written: the service sets them, or toggle changes them. */
const READ_ONLY_FIELDS: readonly string[] = ['id', 'active', 'order_id', 'created_at', 'updated_at'];

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value) || isExactNumber(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]));
};

/**
 * A stored order as an entry of a file, with the documented fields in the order of the document. Other fields may change
 * without the user, so they are omitted and listed in `omitted`.
 */
export const declaredOf = (
  row: OrderRow,
  isPortable: boolean,
): { declared: OrderFields; omitted: readonly string[] } => {
  const present = DOCUMENTED_FIELDS.filter((name) => row[name] !== undefined && row[name] !== null);
  const fields = Object.fromEntries(present.map((name) => [name, withoutNulls(row[name])]));
  const isOmitted = (name: string) => !DOCUMENTED_FIELDS.includes(name) && !READ_ONLY_FIELDS.includes(name);
  const declared = { ...(isPortable ? {} : { id: row.id }), active: row.active, ...fields };
  return { declared, omitted: Object.keys(row).filter(isOmitted) };
};

/** Reads an entry of a file; returns a list of errors for an invalid one. */
export const readDeclared = (entry: unknown): DeclaredOrder | readonly { field: string; message: string }[] => {
  if (!isJsonObject(entry)) return [{ field: '', message: 'must be an object with the fields of an order' }];
  const { id, active, ...fields } = entry;
  const readOnly = Object.keys(fields).filter((name) => READ_ONLY_FIELDS.includes(name));
  const problems = [
    ...(id === undefined || (typeof id === 'string' && id !== '') ? [] : [{ field: 'id', message: 'must be text' }]),
    ...(active === undefined || typeof active === 'boolean'
      ? []
      : [{ field: 'active', message: 'must be true or false' }]),
    ...readOnly.map((field) => ({ field, message: 'is set by the service; remove it' })),
  ];
  if (problems.length > 0) return problems;
  return { id: id as string | undefined, active: active as boolean | undefined, fields };
};
