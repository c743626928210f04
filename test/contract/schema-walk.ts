import type * as z from 'zod';

/** A schema inside another schema, with its path and description. */
export type NestedSchema = {
  readonly path: string;
  readonly schema: z.core.$ZodType;
  readonly description: string | undefined;
};

type Def = {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly valueType?: z.core.$ZodType;
};

const WRAPPERS = ['optional', 'nullable', 'default', 'nonoptional', 'readonly'];

const descriptionOf = (schema: z.core.$ZodType): string | undefined => {
  const def = schema._zod.def as unknown as Def;
  const own = (schema as z.ZodType).description;
  return own ?? (WRAPPERS.includes(def.type) && def.innerType ? descriptionOf(def.innerType) : undefined);
};

const innerSchemas = (schema: z.core.$ZodType): readonly (readonly [string, z.core.$ZodType])[] => {
  const def = schema._zod.def as unknown as Def;
  if (WRAPPERS.includes(def.type) && def.innerType) return innerSchemas(def.innerType);
  return [
    ...Object.entries(def.shape ?? {}),
    ...(def.element ? [['[]', def.element] as const] : []),
    ...(def.options ?? []).map((option, index) => [`|${index}`, option] as const),
    // The values of an undocumented object need no description.
    ...(def.valueType && (def.valueType._zod.def as unknown as Def).type !== 'unknown'
      ? [['*', def.valueType] as const]
      : []),
  ];
};

/** Lists a schema and all schemas inside it. */
export const walk = (path: string, schema: z.core.$ZodType): readonly NestedSchema[] => [
  { path, schema, description: descriptionOf(schema) },
  ...innerSchemas(schema).flatMap(([name, inner]) => walk(`${path}.${name}`, inner)),
];
