import { Failure } from '../../core/failure.ts';
import type { NextStep } from '../../core/next.ts';

/** Why a value is missing, and the command that provides it. */
export type Lacking = { readonly message: string; readonly first?: NextStep };

const lacking = (why: string | Lacking = 'required'): Lacking => (typeof why === 'string' ? { message: why } : why);

/**
 * Options and arguments that a command cannot do without, by the names that the user knows. Throws
 * `invalid_input` with everything that is missing, all at once. `says` tells more than "required" of some.
 */
export const required = <K extends string>(
  wanted: Readonly<Record<K, string | undefined>>,
  says: Readonly<Record<string, string | Lacking | undefined>> = {},
): Record<K, string> => {
  const entries = Object.entries<string | undefined>(wanted);
  const missing = entries.filter(([, value]) => value === undefined || value === '').map(([name]) => name);
  if (missing.length === 0) return wanted as Record<K, string>;
  throw new Failure('invalid_input', `missing: ${missing.join(', ')}`, {
    errors: missing.map((name) => ({ field: name, ...lacking(says[name]), option: name, isMissing: true })),
  });
};
