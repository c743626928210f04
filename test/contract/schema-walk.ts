import type * as z from 'zod';

/** A schema inside another, and the path that leads to it. */
export type Found = { readonly path: string; readonly schema: z.core.$ZodType; readonly says: string | undefined };

type Def = {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly valueType?: z.core.$ZodType;
};

const WRAPPERS = ['optional', 'nullable', 'default', 'nonoptional', 'readonly'];

const describedAs = (schema: z.core.$ZodType): string | undefined => {
  const def = schema._zod.def as unknown as Def;
  const own = (schema as z.ZodType).description;
  return own ?? (WRAPPERS.includes(def.type) && def.innerType ? describedAs(def.innerType) : undefined);
};

const insides = (schema: z.core.$ZodType): readonly (readonly [string, z.core.$ZodType])[] => {
  const def = schema._zod.def as unknown as Def;
  if (WRAPPERS.includes(def.type) && def.innerType) return insides(def.innerType);
  return [
    ...Object.entries(def.shape ?? {}),
    ...(def.element ? [['[]', def.element] as const] : []),
    ...(def.options ?? []).map((option, index) => [`|${index}`, option] as const),
    // The value of an undocumented object is anything: there is nothing to describe.
    ...(def.valueType && (def.valueType._zod.def as unknown as Def).type !== 'unknown'
      ? [['*', def.valueType] as const]
      : []),
  ];
};

/** A schema and all inside it. */
export const walk = (path: string, schema: z.core.$ZodType): readonly Found[] => [
  { path, schema, says: describedAs(schema) },
  ...insides(schema).flatMap(([name, inner]) => walk(`${path}.${name}`, inner)),
];
