import { readBytes } from './read-json.ts';

/** The fields of a form that a page sent; none when the body is no form or too large. */
export const readForm = async (request: Request): Promise<URLSearchParams> => {
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '');
  const bytes = isForm ? await readBytes(request) : undefined;
  return new URLSearchParams(new TextDecoder().decode(bytes ?? new Uint8Array()));
};
