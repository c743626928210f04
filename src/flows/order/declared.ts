import { create } from '../../contract/order/create.ts';
import { isExactNumber, isJsonObject } from '../../core/json.ts';
import type { OrderFields } from './merged.ts';
import type { OrderRow } from './rows.ts';

/** An order as a file declares it: fields of its creation, its id where it has one, and whether it can be used. */
export type Declared = {
  readonly id: string | undefined;
  readonly active: boolean | undefined;
  readonly fields: OrderFields;
};

const KNOWN: readonly string[] = Object.keys(create.body ?? {});

/** What only the service sets, and what can be switched but not written. */
const NOT_FIELDS: readonly string[] = ['id', 'active', 'order_id', 'created_at', 'updated_at'];

const withoutNothing = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (!isJsonObject(value) || isExactNumber(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNothing(inner)]));
};

/**
 * A stored order as a file declares it: the fields that the document names, in its order. Whatever else a row has may be
 * the service's own and change by itself, so it is left out, and told in `leftOut`.
 */
export const declaredOf = (
  row: OrderRow,
  isPortable: boolean,
): { declared: OrderFields; leftOut: readonly string[] } => {
  const named = KNOWN.filter((name) => row[name] !== undefined && row[name] !== null);
  const fields = Object.fromEntries(named.map((name) => [name, withoutNothing(row[name])]));
  const leftOut = Object.keys(row).filter((name) => !KNOWN.includes(name) && !NOT_FIELDS.includes(name));
  return { declared: { ...(isPortable ? {} : { id: row.id }), active: row.active, ...fields }, leftOut };
};

/** Reads an entry of a file; a list of what is wrong with it otherwise. */
export const readDeclared = (entry: unknown): Declared | readonly { field: string; message: string }[] => {
  if (!isJsonObject(entry)) return [{ field: '', message: 'must be an object with the fields of an order' }];
  const { id, active, ...fields } = entry;
  const own = Object.keys(fields).filter((name) => NOT_FIELDS.includes(name));
  const problems = [
    ...(id === undefined || (typeof id === 'string' && id !== '') ? [] : [{ field: 'id', message: 'must be text' }]),
    ...(active === undefined || typeof active === 'boolean'
      ? []
      : [{ field: 'active', message: 'must be true or false' }]),
    ...own.map((field) => ({ field, message: 'is set by the service alone; take it out' })),
  ];
  if (problems.length > 0) return problems;
  return { id: id as string | undefined, active: active as boolean | undefined, fields };
};
