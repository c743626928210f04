import type * as z from 'zod';
import { closest } from '../../core/closest.ts';
import { Failure, type FieldError, messageOf } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';

type Parts = {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly valueType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
};

/** The parts of a schema; an optional schema has those of its inner one. */
export const partsOf = (schema: z.core.$ZodType): Parts => {
  const parts = schema._zod.def as unknown as Parts;
  return parts.innerType ? partsOf(parts.innerType) : parts;
};

/** The schema of a part by its name; `undefined` if there is no such part. */
export const partAt = (schema: z.core.$ZodType, name: string): z.core.$ZodType | undefined => {
  const { shape, valueType, element } = partsOf(schema);
  return shape ? (Object.hasOwn(shape, name) ? shape[name] : undefined) : (valueType ?? element);
};

/** The valid names of the object at a path. */
const namesAt = (schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] => {
  const at = path.reduce<z.core.$ZodType | undefined>((part, name) => part && partAt(part, String(name)), schema);
  return Object.keys((at && partsOf(at).shape) ?? {});
};

/** The message for an unknown name: the closest valid name, or all valid names. */
export const unknownName = (name: string, known: readonly string[]): string => {
  const meant = closest(name, known);
  return meant === undefined ? `is unknown; valid are ${known.join(', ')}` : `is unknown; did you mean ${meant}?`;
};

/** The mistakes in a value, by dotted path. The path of an unknown name includes that name. */
export const problemsOf = (schema: z.core.$ZodType, error: z.ZodError): readonly FieldError[] =>
  error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      const known = namesAt(schema, issue.path);
      return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: unknownName(key, known) }));
    }
    const [first] = issue.code === 'invalid_key' ? issue.issues : [issue];
    return [{ field: path.join('.'), message: first?.message ?? issue.message }];
  });

/** An unknown setting could be a limit or an address, so bursar never ignores one. */
const UNKNOWN = {
  hint: 'An unknown setting is never ignored: it could be a limit. Correct or remove it. If a newer bursar wrote it, use that version.',
  next: nextStep('doctor'),
};

/** Reads a file of settings. Throws `bad_settings` with its path and all mistakes. */
export const settingsFrom = <T>(path: string, bytes: Uint8Array, schema: z.ZodType<T>): T => {
  const bad = (message: string, rest = {}) => new Failure('bad_settings', `${path}: ${message}`, rest);
  let value: unknown;
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw bad(`the file is damaged: ${messageOf(error)}`, {
      hint: 'Correct the file or move it away.',
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
