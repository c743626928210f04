import * as z from 'zod';
import type { Endpoint } from '../../contract/define.ts';
import type { DeclaredFields } from '../../output/render.ts';

const unwrapped = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap()) : schema;

const namesIn = (schema: unknown): readonly string[] | undefined => {
  const bare = unwrapped(schema);
  return bare instanceof z.ZodObject ? Object.keys(bare.shape) : undefined;
};

const entryOf = (schema: unknown, rows: string | undefined): unknown => {
  if (rows === undefined) return schema;
  const list = schema instanceof z.ZodObject ? unwrapped(schema.shape[rows]) : undefined;
  return list instanceof z.ZodArray ? list.element : undefined;
};

/** The fields of an endpoint's result, or of one entry of its list `rows`. Undefined if the document shows none. */
export const declaredFields = (endpoint: Endpoint, rows?: string): DeclaredFields | undefined => {
  const ways = Object.values(endpoint.success).map(({ data }) =>
    data === undefined ? ['status'] : namesIn(entryOf(data, rows)),
  );
  const names = [...new Set(ways.flatMap((way) => way ?? []))];
  const isKnown = names.length > 0 && ways.every((way) => way !== undefined);
  return isKnown ? { names, isOpen: endpoint.unshownFields === true } : undefined;
};
