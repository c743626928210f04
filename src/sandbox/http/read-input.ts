import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { type AnyEndpoint, fieldsOf, type Shape, validate } from '../../contract/define.ts';
import { isFailure } from '../../core/failure.ts';
import { isExactNumber, parseJson } from '../../core/json.ts';
import { MAX_BODY_BYTES } from '../assumptions.ts';
import type { Bindings } from './envelope.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads path, query and body as an endpoint's flat input, or returns all wrong fields. `params` are the decoded parts
 * of the path.
 */
export const readInput = async (endpoint: AnyEndpoint, env: Bindings, params: Fields) => {
  const body = endpoint.body ? await readJson(env) : ({ ok: true, fields: {} } as const);
  if (!body.ok) return unusable(endpoint, 'body', body.message);
  // An endpoint may store unknown fields. So the query of an endpoint without query fields is not read.
  const query = endpoint.query ? readQuery(endpoint.query, env.incoming.url ?? '') : {};
  const input = {
    ...ownFields(endpoint, endpoint.query, query),
    ...ownFields(endpoint, endpoint.body, body.fields),
    ...params,
  };
  const field = unusableText(input, '');
  if (field === undefined) return validate(endpoint, input);
  return unusable(endpoint, field, 'must not hold a NUL character or an unpaired surrogate');
};

/** The result for a field that no schema can check. */
const unusable = ({ invalid }: AnyEndpoint, field: string, message: string): ReturnType<typeof validate> => ({
  ok: false,
  problems: [{ field, message, status: invalid }],
});

/** The fields of a form that a page sent; empty for a body that is no form or too large. */
export const readForm = async (incoming: IncomingMessage): Promise<URLSearchParams> => {
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(incoming.headers['content-type'] ?? '');
  const bytes = isForm ? await readBytes(incoming) : undefined;
  return new URLSearchParams(new TextDecoder().decode(bytes ?? new Uint8Array()));
};

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A value of a query. It becomes a number or a boolean where the field's schema refuses the text. */
const fromQuery = (schema: z.ZodType | undefined, text: string): unknown => {
  const isBoolean = text === 'true' || text === 'false';
  if (!isBoolean && !NUMBER.test(text)) return text;
  if (!schema || schema.safeParse(text).success) return text;
  return isBoolean ? text === 'true' : Number(text);
};

/** Reads the query of an address, each field by its schema. A repeated name becomes a list. */
export const readQuery = (shape: Shape, url: string): Fields => {
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

/** Keeps unknown fields and the fields of this part of the request. A field in the wrong part is dropped. */
const ownFields = (endpoint: AnyEndpoint, shape: Shape | undefined, fields: Fields): Fields => {
  const all = fieldsOf(endpoint);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in all) || name in (shape ?? {})));
};

/** The path of the first text that cannot be stored unchanged: it has a NUL or half of a surrogate pair. */
const unusableText = (value: unknown, path: string): string | undefined => {
  if (typeof value === 'string') return /\0|\p{Surrogate}/u.test(value) ? path : undefined;
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = unusableText(key, path || 'body') ?? unusableText(part, path ? `${path}.${key}` : key);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** A request's body as an object, or the reason why it is unusable. */
type Body = { readonly ok: true; readonly fields: Fields } | { readonly ok: false; readonly message: string };

const badBody = (message: string): Body => ({ ok: false, message });

/**
 * The bytes of a body; `undefined` when there are too many. The server drains the unread rest. The bytes come from
 * Node's stream, because the stream of a `Request` takes longer than the rest of a call. Rejects when the connection
 * breaks.
 */
export const readBytes = (incoming: IncomingMessage): Promise<Uint8Array | undefined> =>
  new Promise((resolve, reject) => {
    if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return resolve(undefined);
    const chunks: Uint8Array[] = [];
    let size = 0;
    incoming.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) resolve(undefined);
      else chunks.push(chunk);
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks)));
    incoming.once('error', reject);
    const rejectIfCutOff = () => {
      if (!incoming.readableEnded) reject(new Error('the request was cut off'));
    };
    incoming.once('close', rejectIfCutOff);
    if (incoming.destroyed) rejectIfCutOff();
  });

/** The bytes of a body, which are read once. */
const bodyOf = (env: Bindings): Promise<Uint8Array | undefined> => {
  env.body ??= readBytes(env.incoming);
  return env.body;
};

/** Waits for the body of a request, if its endpoint has one. Never rejects: `readInput` rejects for a broken connection. */
export const whenReceived = async ({ body }: AnyEndpoint, env: Bindings): Promise<void> => {
  if (body) await bodyOf(env).catch(() => undefined);
};

const isJson = (type: string | undefined): boolean => /^application\/json\s*(?:;|$)/i.test(type ?? '');

const parse = (bytes: Uint8Array): Body => {
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, fields: { ...value } };
    return badBody('the body must be a JSON object');
  } catch (error) {
    return badBody(isFailure(error) ? `the body is not usable JSON: ${error.message}` : 'the body is not UTF-8');
  }
};

/** Reads a JSON body with exact numbers. A missing body is an empty object. */
const readJson = async (env: Bindings): Promise<Body> => {
  const { incoming } = env;
  const bytes = await bodyOf(env);
  if (!bytes) return badBody(`the body is larger than ${MAX_BODY_BYTES} bytes`);
  env.requestBody = bytes;
  if (bytes.length === 0) return { ok: true, fields: {} };
  if (!isJson(incoming.headers['content-type'])) return badBody('the content type must be application/json');
  return parse(bytes);
};
