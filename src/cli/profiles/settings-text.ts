import type * as z from 'zod';
import { Failure, messageOf } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { problemsOf } from './problems.ts';

/** A name that is not known could be a limit, or the service that is meant: to skip it would be less safe than was asked. */
const UNKNOWN = {
  hint: 'Nothing of it is skipped: an unknown name could be a limit. Correct it, or remove it; if a newer bursar wrote it, use that version.',
  next: nextStep('doctor'),
};

/** Reads a file of settings. Throws `bad_settings` with its path and everything that is wrong, on one line each. */
export const settingsFrom = <T>(path: string, bytes: Uint8Array, schema: z.ZodType<T>): T => {
  const bad = (message: string, rest = {}) => new Failure('bad_settings', `${path}: ${message}`, rest);
  let value: unknown;
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw bad(`it is damaged: ${messageOf(error)}`, {
      hint: 'Correct the file, or move it away.',
      next: nextStep('file.aside', path),
      cause: error,
    });
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const problems = problemsOf(schema, read.error);
  const more = read.error.issues.some(({ code }) => code === 'unrecognized_keys') ? UNKNOWN : {};
  const [only, ...others] = problems;
  if (only && others.length === 0) throw bad([only.field, only.message].filter(Boolean).join(' '), more);
  throw bad('its settings are wrong', { ...more, errors: problems });
};
