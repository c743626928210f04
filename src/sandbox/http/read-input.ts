import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { type Endpoint, fieldsOf, type Shape } from '../../contract/define.ts';
import { isExactNumber } from '../../core/json.ts';
import { readJson } from './read-json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A request as an endpoint's flat input, or the field that cannot be used and why. */
export type Read =
  | { readonly ok: true; readonly input: Fields }
  | { readonly ok: false; readonly field: string; readonly message: string };

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A query is text; where the field takes no text, what it says as a number or a boolean counts. */
const fromQuery = (schema: z.ZodType | undefined, text: string): unknown => {
  const isBoolean = text === 'true' || text === 'false';
  if (!isBoolean && !NUMBER.test(text)) return text;
  if (!schema || schema.safeParse(text).success) return text;
  return isBoolean ? text === 'true' : Number(text);
};

const readQuery = (shape: Shape, url: string): Fields => {
  const query = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      // A name such as constructor or __proto__ is not one of the endpoint's fields.
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const values = query.getAll(name).map((text) => fromQuery(schema, text));
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
};

/** A field counts only in the part of the request where the endpoint has it; unknown fields pass. */
const ownFields = (endpoint: Endpoint, shape: Shape | undefined, fields: Fields): Fields => {
  const all = fieldsOf(endpoint);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in all) || name in (shape ?? {})));
};

/** The first text that cannot be stored as it is: one with a NUL or with half of a surrogate pair. */
const unusableText = (value: unknown, path: string): string | undefined => {
  if (typeof value === 'string') return /\0|\p{Surrogate}/u.test(value) ? path : undefined;
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = unusableText(key, path || 'body') ?? unusableText(part, path ? `${path}.${key}` : key);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Reads path, query and body of a request as one flat input. `params` are the decoded parts of the path. */
export const readInput = async (endpoint: Endpoint, incoming: IncomingMessage, params: Fields): Promise<Read> => {
  const body = endpoint.body ? await readJson(incoming) : ({ ok: true, fields: {} } as const);
  if (!body.ok) return { ok: false, field: 'body', message: body.message };
  // Unknown fields may be stored: where an endpoint has no query at all, none is read.
  const query = endpoint.query ? readQuery(endpoint.query, incoming.url ?? '') : {};
  const input = {
    ...ownFields(endpoint, endpoint.query, query),
    ...ownFields(endpoint, endpoint.body, body.fields),
    ...params,
  };
  const field = unusableText(input, '');
  if (field === undefined) return { ok: true, input };
  return { ok: false, field, message: 'must not hold a NUL character or an unpaired surrogate' };
};
