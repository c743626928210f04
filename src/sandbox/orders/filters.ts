import * as z from 'zod';
import { flag, oneOf } from '../../contract/fields.ts';
import { GATEWAY_METHODS } from '../../contract/pay/shared.ts';
import type { FieldError } from '../../core/failure.ts';

/** Which orders are wanted; a filter that is left out lets all through. */
export type Filters = { readonly gateway_method?: string | undefined; readonly on_ramp?: boolean | undefined };

type Read =
  | { readonly ok: true; readonly value: Filters }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** In a query a truth value is text. */
const inQuery = (value: unknown): unknown => {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
};

/** The contract does not name these two: the document does not show what they are called. */
const filters = z.object({
  gateway_method: oneOf(GATEWAY_METHODS, 'Only orders of this kind').optional(),
  on_ramp: z.preprocess(inQuery, flag('Only on-ramp orders, or only others').optional()),
});

/** Reads the two filters out of a query, or says what is wrong with them. */
export const readFilters = (query: Readonly<Record<string, unknown>>): Read => {
  const read = filters.safeParse(query);
  if (read.success) return { ok: true, value: read.data };
  return {
    ok: false,
    errors: read.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
  };
};
