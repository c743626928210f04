import type * as z from 'zod';

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
