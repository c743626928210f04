import { promisify } from 'node:util';
import { hasCode } from '../core/failure.ts';
import type { HttpAnswer, HttpFault } from './exchange.ts';

type Inflate = (body: Uint8Array, limits: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const loadInflate = async (encoding: string): Promise<Inflate | undefined> => {
  const { brotliDecompress, gunzip, inflate } = await import('node:zlib');
  if (encoding === 'gzip' || encoding === 'x-gzip') return promisify<Uint8Array, object, Uint8Array>(gunzip);
  if (encoding === 'deflate') return promisify<Uint8Array, object, Uint8Array>(inflate);
  return encoding === 'br' ? promisify<Uint8Array, object, Uint8Array>(brotliDecompress) : undefined;
};

const fault = (reason: HttpFault['reason'], message: string): HttpFault => ({
  kind: 'fault',
  reason,
  sent: true,
  message,
});

/**
 * An answer whose body is as it was before something on the way compressed it, though that was not asked for. It never
 * grows beyond `mostBytes`: a small body can hold a large one.
 */
export const inflated = async (answer: HttpAnswer, mostBytes: number): Promise<HttpAnswer | HttpFault> => {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '' || answer.body.length === 0) return answer;
  const inflate = await loadInflate(encoding);
  if (!inflate) return fault('bad_encoding', 'its content-encoding is none that was asked for');
  try {
    return { ...answer, body: await inflate(answer.body, { maxOutputLength: mostBytes }) };
  } catch (error) {
    const isLarge = hasCode(error, 'ERR_BUFFER_TOO_LARGE');
    if (isLarge) return fault('too_large', `it is compressed, and larger than ${mostBytes} bytes without`);
    return fault('bad_encoding', `it is not whole ${encoding}`);
  }
};
