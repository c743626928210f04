import type { Kind } from '../contract/chains.ts';
import { Failure } from '../core/failure.ts';
import type { Secret } from '../core/secret.ts';
import { isLoopback } from '../core/web-address.ts';

/** The one service that a command talks to. */
export type Service = {
  /** Name of the profile, or `(environment)` where only the environment names the service. */
  readonly profile: string;
  /** Every result of a movement of money says which. */
  readonly kind: Kind;
  /** Origin, and path prefix if any, without a slash at the end. */
  readonly baseUrl: string;
  /** Sent to this service alone. */
  readonly apiKey: Secret | undefined;
};

/**
 * Checks the address of a service and writes it without a slash at the end. Throws `bad_settings` unless it
 * is https, or http on this machine: the key travels in a header.
 */
export const checkBaseUrl = (address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    const whole = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:\/|$)/i.test(address)
      ? `; did you mean https://${address}?`
      : '';
    throw new Failure('bad_settings', `the base URL "${address}" is not an http(s) address${whole}`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Failure('bad_settings', 'the base URL must have no user, password, query or fragment');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Failure(
      'bad_settings',
      `the base URL ${url.origin} is not https: the API key would travel in the clear`,
      {
        hint: 'Plain http is allowed to this machine only.',
      },
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
};
