import { isLoopback } from '../../core/web-address.ts';

/** Where webhooks may go: to this machine alone, or anywhere. */
export type Targets = 'loopback' | 'any';

/** Whether a webhook may be sent to an address. What is no address at all never may. */
export const isAllowed = (address: string, targets: Targets): boolean => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return targets === 'any' || isLoopback(url.hostname);
};
