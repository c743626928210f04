import { isFailure } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import { MOST_BODY_BYTES } from '../assumptions.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A request's body as an object, or what is wrong with it. */
export type Body = { readonly ok: true; readonly fields: Fields } | { readonly ok: false; readonly message: string };

const wrong = (message: string): Body => ({ ok: false, message });

/** The bytes of a body; `undefined` when there are too many. What is left unread the server drains. */
export const readBytes = async (request: Request): Promise<Uint8Array | undefined> => {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BODY_BYTES) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MOST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const isJson = (type: string | null): boolean => /^application\/json\s*(?:;|$)/i.test(type ?? '');

const parse = (bytes: Uint8Array): Body => {
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, fields: { ...value } };
    return wrong('the body must be a JSON object');
  } catch (error) {
    return wrong(isFailure(error) ? `the body is not usable JSON: ${error.message}` : 'the body is not UTF-8');
  }
};

/** Reads a JSON body, numbers digit for digit. No body at all is an empty object. */
export const readJson = async (request: Request): Promise<Body> => {
  const bytes = await readBytes(request);
  if (!bytes) return wrong(`the body is larger than ${MOST_BODY_BYTES} bytes`);
  if (bytes.length === 0) return { ok: true, fields: {} };
  if (!isJson(request.headers.get('content-type'))) return wrong('the content type must be application/json');
  return parse(bytes);
};
