import type { IncomingMessage } from 'node:http';
import { readBytes } from './read-json.ts';

/** The fields of a form that a page sent; none when the body is no form or too large. */
export const readForm = async (incoming: IncomingMessage): Promise<URLSearchParams> => {
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(incoming.headers['content-type'] ?? '');
  const bytes = isForm ? await readBytes(incoming) : undefined;
  return new URLSearchParams(new TextDecoder().decode(bytes ?? new Uint8Array()));
};
