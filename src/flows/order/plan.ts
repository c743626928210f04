import { create } from '../../contract/order/create.ts';
import { validate } from '../../contract/validate.ts';
import type { FieldError } from '../../core/failure.ts';
import { differingFields } from './alike.ts';
import type { Declared } from './declared.ts';
import { type Change, differenceOf, differenceOfNew } from './difference.ts';
import { MERGED_BY_INDEX, mergedOrder, type OrderFields } from './merged.ts';
import type { OrderRow } from './rows.ts';

/** What is done about one order, in this order. */
export type Action = 'create' | 'update' | 'enable' | 'disable';

export type Planned = {
  /** Its place in the file, from 0; none for an order that the file does not name. */
  readonly at: number | undefined;
  /** Its id; none while it does not exist. */
  readonly id: string | undefined;
  readonly actions: readonly Action[];
  /** What is sent to create or update it. */
  readonly send: OrderFields;
  readonly changes: readonly Change[];
};

export type Plan = { readonly orders: readonly Planned[]; readonly problems: readonly FieldError[] };

const switching = (wanted: boolean | undefined, active: boolean): readonly Action[] => {
  if (wanted === undefined || wanted === active) return [];
  return [wanted ? 'enable' : 'disable'];
};

/** The service merges lists by their places: what is stored beyond a shorter list would stay. */
const tooShort = (row: OrderRow, name: string, value: unknown): readonly FieldError[] => {
  const stored = row[name];
  if (!MERGED_BY_INDEX.includes(name) || !Array.isArray(value) || !Array.isArray(stored)) return [];
  if (value.length >= stored.length) return [];
  const message = `has ${value.length} entries and ${stored.length} are stored; the service merges lists by their places, so none can be taken away. To replace the order take its id out of the file, which creates another, and disable this one`;
  return [{ field: name, message }];
};

const planUpdate = (at: number, declared: Declared, row: OrderRow): Planned & { problems: readonly FieldError[] } => {
  const differing = differingFields(declared.fields, row);
  const send = Object.fromEntries(differing.map((name) => [name, declared.fields[name]]));
  const merged = mergedOrder(row, send);
  const changes = differenceOf(row, merged);
  const judged = validate(create, { ...merged, ...declared.fields });
  const problems = [
    ...differing.flatMap((name) => tooShort(row, name, declared.fields[name])),
    ...(judged.ok || differing.length === 0 ? [] : judged.problems),
  ];
  const actions: readonly Action[] = [
    ...(differing.length > 0 ? (['update'] as const) : []),
    ...switching(declared.active, row.active),
  ];
  return { at, id: row.id, actions, send, changes, problems };
};

const planCreation = (at: number, { fields, active }: Declared): Planned & { problems: readonly FieldError[] } => {
  const judged = validate(create, fields);
  const actions: readonly Action[] = ['create', ...switching(active, true)];
  const problems = judged.ok ? [] : judged.problems;
  return { at, id: undefined, actions, send: fields, changes: differenceOfNew(fields), problems };
};

/**
 * The stored order that an entry without an id is, if any: one that is stored just so, and that no other entry is. An
 * entry that could not be created is like none: few fields are like any order.
 */
const findLike = (declared: Declared, free: readonly OrderRow[]): OrderRow | undefined => {
  if (!validate(create, declared.fields).ok) return undefined;
  const like = free.filter((row) => differingFields(declared.fields, row).length === 0);
  return like.find(({ active }) => active === declared.active) ?? like[0];
};

const unknownId = (at: number, id: string): Planned & { problems: readonly FieldError[] } => ({
  at,
  id,
  actions: [],
  send: {},
  changes: [],
  problems: [{ field: 'id', message: `${id} is no order of this account; without the id it is created` }],
});

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
  const ids = declared.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const taken = new Set(ids);
  const planned = declared.map((one, at) => {
    const row =
      one.id === undefined
        ? findLike(
            one,
            stored.filter(({ id }) => !taken.has(id)),
          )
        : stored.find(({ id }) => id === one.id);
    if (row) taken.add(row.id);
    if (row) return planUpdate(at, one, row);
    return one.id === undefined ? planCreation(at, one) : unknownId(at, one.id);
  });
  const others = stored.filter(({ id, active }) => disablesOthers && active && !taken.has(id));
  const doubled = ids.filter((id, at) => ids.indexOf(id) !== at);
  return {
    orders: [
      ...planned,
      ...others.map(({ id }) => ({ at: undefined, id, actions: ['disable'] as const, send: {}, changes: [] })),
    ],
    problems: [
      ...doubled.map((id) => ({ field: 'orders', message: `${id} is in the file more than once` })),
      ...planned.flatMap(({ at, problems }) =>
        problems.map(({ field, message }) => ({ field: `orders.${at}.${field}`, message })),
      ),
    ],
  };
};
