import { interrupted } from '../core/failure.ts';
import type { Clock } from './io.ts';

const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(interrupted());
    const onAbort = () => {
      clearTimeout(timer);
      reject(interrupted());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** A clock from two readings of time: since 1970, and since any fixed point. Both in milliseconds. */
export const clockFrom = (now: () => number, monotonic: () => number): Clock => ({ now, monotonic, sleep });
