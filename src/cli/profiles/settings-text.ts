import type * as z from 'zod';
import { Failure, messageOf } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import { problemsOf } from './problems.ts';

/** Reads a file of settings. Throws `bad_settings` with its path and everything that is wrong, on one line each. */
export const settingsFrom = <T>(path: string, bytes: Uint8Array, schema: z.ZodType<T>): T => {
  const bad = (message: string, rest = {}) => new Failure('bad_settings', `${path}: ${message}`, rest);
  let value: unknown;
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw bad(`it is damaged: ${messageOf(error)}`, { next: 'Mend it, or move it away.', cause: error });
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const problems = problemsOf(schema, read.error);
  const [only, ...others] = problems;
  if (only && others.length === 0) throw bad([only.field, only.message].filter(Boolean).join(' '));
  throw bad('its settings are wrong', { errors: problems });
};
