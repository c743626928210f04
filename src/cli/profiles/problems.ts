import type * as z from 'zod';
import { closest } from '../../core/closest.ts';
import type { FieldError } from '../../core/failure.ts';

type Parts = {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly valueType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
};

/** What a schema is made of, whether it is optional or not. */
export const partsOf = (schema: z.core.$ZodType): Parts => {
  const parts = schema._zod.def as unknown as Parts;
  return parts.innerType ? partsOf(parts.innerType) : parts;
};

/** The schema of one part of a value by its name; `undefined` where there is none of that name. */
export const partAt = (schema: z.core.$ZodType, name: string): z.core.$ZodType | undefined => {
  const { shape, valueType, element } = partsOf(schema);
  return shape ? (Object.hasOwn(shape, name) ? shape[name] : undefined) : (valueType ?? element);
};

/** The names that an object may have at a path of a value. */
const namesAt = (schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] => {
  const at = path.reduce<z.core.$ZodType | undefined>((part, name) => part && partAt(part, String(name)), schema);
  return Object.keys((at && partsOf(at).shape) ?? {});
};

/** What is said of a name that is not known: the one that was likely meant, or all there are. */
export const unknownName = (name: string, known: readonly string[]): string => {
  const meant = closest(name, known);
  return meant === undefined ? `is not known; there are ${known.join(', ')}` : `is not known; did you mean ${meant}?`;
};

/** What is wrong with a value, each by its dotted path; an unknown name is named itself. */
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
