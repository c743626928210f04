import { create } from '../../contract/order/create.ts';
import { validate } from '../../contract/validate.ts';
import type { FieldError } from '../../core/failure.ts';
import { differingFields } from './alike.ts';
import type { Declared } from './declared.ts';
import { type Judged, type Planned, planCreation, planUpdate, unknownId } from './planned.ts';
import type { OrderRow } from './rows.ts';

/** What is done about each order, and everything that is wrong with the file. */
export type Plan = { readonly orders: readonly Planned[]; readonly problems: readonly FieldError[] };

/**
 * The stored order that an entry without an id is, if any: one that is stored just so, and that no other entry is. An
 * entry that could not be created is like none: few fields are like any order.
 */
const findLike = (declared: Declared, free: readonly OrderRow[]): OrderRow | undefined => {
  if (!validate(create, declared.fields).ok) return undefined;
  const like = free.filter((row) => differingFields(declared.fields, row).length === 0);
  return like.find(({ active }) => active === declared.active) ?? like[0];
};

/** The stored order that an entry is; `taken` are those that other entries are. */
const findRow = (declared: Declared, stored: readonly OrderRow[], taken: ReadonlySet<string>): OrderRow | undefined => {
  const { id } = declared;
  if (id !== undefined) return stored.find((row) => row.id === id);
  return findLike(
    declared,
    stored.filter((row) => !taken.has(row.id)),
  );
};

const planOne = (at: number, declared: Declared, row: OrderRow | undefined): Judged => {
  if (row) return planUpdate(at, declared, row);
  return declared.id === undefined ? planCreation(at, declared) : unknownId(at, declared.id);
};

const problemsIn = (ids: readonly string[], planned: readonly Judged[]): readonly FieldError[] => [
  ...ids
    .filter((id, at) => ids.indexOf(id) !== at)
    .map((id) => ({ field: 'orders', message: `${id} is in the file more than once` })),
  ...planned.flatMap(({ at, problems }) =>
    problems.map(({ field, message }) => ({ field: `orders.${at}.${field}`, message })),
  ),
];

/**
 * What makes the stored orders as a file declares them. An order is known by its id. Without one it is the stored order
 * that has all its fields, or a new one: so a file that is applied twice creates nothing twice. Nothing is ever deleted;
 * orders that the file does not name stay as they are, or with `disablesOthers` are switched off.
 */
export const planOrders = (
  declared: readonly Declared[],
  stored: readonly OrderRow[],
  disablesOthers: boolean,
): Plan => {
  const ids = declared.flatMap(({ id }) => id ?? []);
  const taken = new Set(ids);
  const planned = declared.map((one, at) => {
    const row = findRow(one, stored, taken);
    if (row) taken.add(row.id);
    return planOne(at, one, row);
  });
  const others = stored.filter(({ id, active }) => disablesOthers && active && !taken.has(id));
  const disabled = others.map(({ id }) => ({
    at: undefined,
    id,
    actions: ['disable'] as const,
    send: {},
    changes: [],
  }));
  return { orders: [...planned, ...disabled], problems: problemsIn(ids, planned) };
};
