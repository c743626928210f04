import { validate } from '../../contract/define.ts';
import { create } from '../../contract/order/create.ts';
import type { FieldError } from '../../core/failure.ts';
import {
  type Change,
  type DeclaredOrder,
  differenceOf,
  differenceOfNew,
  differingFields,
  MERGED_BY_INDEX,
  mergedOrder,
  type OrderFields,
} from './difference.ts';
import type { OrderRow } from './rows.ts';

/** A change of one order. */
export type Action = 'create' | 'update' | 'enable' | 'disable';

/** The actions for one order, in the order in which they are done. */
export type PlannedOrder = {
  /** Place in the file, from 0; `undefined` for an order that is not in the file. */
  readonly at: number | undefined;
  /** `undefined` for an order that does not exist yet. */
  readonly id: string | undefined;
  readonly actions: readonly Action[];
  /** The fields to send with create or update. */
  readonly send: OrderFields;
  readonly changes: readonly Change[];
};

/** The plan for all orders, and all errors of the file. */
export type Plan = { readonly orders: readonly PlannedOrder[]; readonly problems: readonly FieldError[] };

/**
 * Plans the actions that make the stored orders match the file. An entry with an id is that order; an entry without an
 * id is the stored order with the same fields, or a new one. So applying a file twice creates nothing twice. Nothing is
 * deleted. Orders that are not in the file stay as they are, or are deactivated with `disablesOthers`.
 */
export const planOrders = (
  declared: readonly DeclaredOrder[],
  stored: readonly OrderRow[],
  disablesOthers: boolean,
): Plan => {
  const ids = declared.flatMap(({ id }) => id ?? []);
  const matched = new Set(ids);
  const planned = declared.map((one, at) => {
    const row = findRow(one, stored, matched);
    if (row) matched.add(row.id);
    return planEntry(at, one, row);
  });
  const others = stored.filter(({ id, active }) => disablesOthers && active && !matched.has(id));
  const disable = { at: undefined, actions: ['disable'] as const, send: {}, changes: [] };
  const disabled = others.map(({ id }) => ({ ...disable, id }));
  return { orders: [...planned, ...disabled], problems: problemsIn(ids, planned) };
};

/** The stored order of an entry. `matched` are the ids of orders that belong to other entries. */
const findRow = (declared: DeclaredOrder, stored: readonly OrderRow[], matched: ReadonlySet<string>) => {
  const { id } = declared;
  if (id !== undefined) return stored.find((row) => row.id === id);
  // An entry with too few fields for a new order would match almost any order.
  if (!validate(create, declared.fields).ok) return undefined;
  const free = stored.filter((row) => !matched.has(row.id));
  const same = free.filter((row) => differingFields(declared.fields, row).length === 0);
  return same.find(({ active }) => active === declared.active) ?? same[0];
};

/** The plan of an entry, and its errors. */
type PlannedEntry = PlannedOrder & { readonly problems: readonly FieldError[] };

const planEntry = (at: number, declared: DeclaredOrder, row: OrderRow | undefined): PlannedEntry => {
  if (row) return planUpdate(at, declared, row);
  return declared.id === undefined ? planCreation(at, declared) : unknownId(at, declared.id);
};

const problemsIn = (ids: readonly string[], planned: readonly PlannedEntry[]): readonly FieldError[] => [
  ...ids
    .filter((id, at) => ids.indexOf(id) !== at)
    .map((id) => ({ field: 'orders', message: `${id} is in the file more than once` })),
  ...planned.flatMap(({ at, problems }) =>
    problems.map(({ field, message }) => ({ field: `orders.${at}.${field}`, message })),
  ),
];

const activeStateActions = (wanted: boolean | undefined, active: boolean): readonly Action[] => {
  if (wanted === undefined || wanted === active) return [];
  return [wanted ? 'enable' : 'disable'];
};

/** Refuses a shorter list: the service merges lists by index, so its stored entries would remain. */
const tooShort = (row: OrderRow, name: string, value: unknown): readonly FieldError[] => {
  const stored = row[name];
  if (!MERGED_BY_INDEX.includes(name) || !Array.isArray(value) || !Array.isArray(stored)) return [];
  if (value.length >= stored.length) return [];
  const message = `has ${value.length} entries, but ${stored.length} are stored; the service merges lists by index and cannot remove entries. To replace the order, remove its id from the file, which creates a new order, and disable this one`;
  return [{ field: name, message }];
};

const planUpdate = (at: number, declared: DeclaredOrder, row: OrderRow): PlannedEntry => {
  const differing = differingFields(declared.fields, row);
  const send = Object.fromEntries(differing.map((name) => [name, declared.fields[name]]));
  const merged = mergedOrder(row, send);
  const validation = validate(create, { ...merged, ...declared.fields });
  const problems = [
    ...differing.flatMap((name) => tooShort(row, name, declared.fields[name])),
    ...(validation.ok || differing.length === 0 ? [] : validation.problems),
  ];
  const actions: readonly Action[] = [
    ...(differing.length > 0 ? (['update'] as const) : []),
    ...activeStateActions(declared.active, row.active),
  ];
  return { at, id: row.id, actions, send, changes: differenceOf(row, merged), problems };
};

const planCreation = (at: number, { fields, active }: DeclaredOrder): PlannedEntry => {
  const validation = validate(create, fields);
  const actions: readonly Action[] = ['create', ...activeStateActions(active, true)];
  const problems = validation.ok ? [] : validation.problems;
  return { at, id: undefined, actions, send: fields, changes: differenceOfNew(fields), problems };
};

const unknownId = (at: number, id: string): PlannedEntry => ({
  at,
  id,
  actions: [],
  send: {},
  changes: [],
  problems: [{ field: 'id', message: `this account has no order ${id}; without the id, a new order is created` }],
});
