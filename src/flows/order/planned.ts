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

/** What is done about one order. */
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

/** What is done about an entry of a file, and what is wrong with it. */
export type Judged = Planned & { readonly problems: readonly FieldError[] };

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

/** Makes a stored order as an entry says. */
export const planUpdate = (at: number, declared: Declared, row: OrderRow): Judged => {
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

/** Makes a new order of an entry. */
export const planCreation = (at: number, { fields, active }: Declared): Judged => {
  const judged = validate(create, fields);
  const actions: readonly Action[] = ['create', ...switching(active, true)];
  const problems = judged.ok ? [] : judged.problems;
  return { at, id: undefined, actions, send: fields, changes: differenceOfNew(fields), problems };
};

/** An entry whose id the account does not have. */
export const unknownId = (at: number, id: string): Judged => ({
  at,
  id,
  actions: [],
  send: {},
  changes: [],
  problems: [{ field: 'id', message: `${id} is no order of this account; without the id it is created` }],
});
