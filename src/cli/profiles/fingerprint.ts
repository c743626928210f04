import { createHash } from 'node:crypto';
import type { Secret } from '../../core/secret.ts';

/** Tells one API key from another without showing any of it. */
export const fingerprintOf = (key: Secret): string =>
  `sha256:${createHash('sha256').update(key.reveal()).digest('hex').slice(0, 8)}`;
