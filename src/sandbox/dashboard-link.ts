import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Address } from './address.ts';

/** As many characters are 132 bits, and leave the link on one line of a terminal. */
const KEY_LENGTH = 22;

/** The key of the whole dashboard. It derives from the control key, does not reveal it, and allows only reading. */
const keyFrom = (controlKey: string): string =>
  createHmac('sha256', controlKey).update('dashboard').digest('base64url').slice(0, KEY_LENGTH);

/** The dashboard's address for the one who started the sandbox. */
export const dashboardLink = ({ url, control_key }: Pick<Address, 'url' | 'control_key'>): string =>
  `${url}/?key=${keyFrom(control_key)}`;

/** Compares in constant time. */
export const isDashboardKey = (given: string, controlKey: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(keyFrom(controlKey))];
  return a.length === b.length && timingSafeEqual(a, b);
};
