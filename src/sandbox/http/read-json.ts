import type { IncomingMessage } from 'node:http';
import { isFailure } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import { MAX_BODY_BYTES } from '../assumptions.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A request's body as an object, or what is wrong with it. */
export type Body = { readonly ok: true; readonly fields: Fields } | { readonly ok: false; readonly message: string };

const wrong = (message: string): Body => ({ ok: false, message });

/**
 * The bytes of a body; `undefined` when there are too many. What is left unread the server drains. Read from Node's
 * own stream: a `Request` wraps it into another, which takes longer than the rest of a call.
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
    const ifCutOff = () => {
      if (!incoming.readableEnded) reject(new Error('the request was cut off'));
    };
    incoming.once('close', ifCutOff);
    if (incoming.destroyed) ifCutOff();
  });

const isJson = (type: string | undefined): boolean => /^application\/json\s*(?:;|$)/i.test(type ?? '');

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
export const readJson = async (incoming: IncomingMessage): Promise<Body> => {
  const bytes = await readBytes(incoming);
  if (!bytes) return wrong(`the body is larger than ${MAX_BODY_BYTES} bytes`);
  if (bytes.length === 0) return { ok: true, fields: {} };
  if (!isJson(incoming.headers['content-type'])) return wrong('the content type must be application/json');
  return parse(bytes);
};
