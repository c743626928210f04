import type * as z from 'zod';

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
