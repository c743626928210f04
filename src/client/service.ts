import { createHash } from 'node:crypto';
import type { Kind } from '../contract/chains.ts';
import { Failure } from '../core/failure.ts';
import type { Secret } from '../core/secret.ts';
import { isLoopback } from '../core/web-address.ts';

/** The service of a command. */
export type Service = {
  /** The name of the profile, or `(environment)` if only the environment names the service. */
  readonly profile: string;
  /** Real money or the sandbox. Every result of an operation shows it. */
  readonly kind: Kind;
  /** The origin, with a path prefix if there is one, without a slash at the end. */
  readonly baseUrl: string;
  /** Sent only to this service. */
  readonly apiKey: Secret | undefined;
};

/**
 * Checks the address of a service and returns it without a slash at the end. Throws `bad_settings` unless the address is
 * https, or http on this machine: the API key travels in a header.
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
      `the base URL ${url.origin} is not https: the API key would be sent unencrypted`,
      {
        hint: 'Plain http is allowed only for this machine.',
      },
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
};

/**
 * Identifies the API key and its service without revealing the key: another key may belong to another tenant. The
 * sandbox's address is left out, because its port changes at each start.
 */
export const apiKeyFingerprint = ({ kind, baseUrl, apiKey }: Service): string | undefined => {
  if (apiKey === undefined) return undefined;
  const where = kind === 'sandbox' ? '' : baseUrl;
  return createHash('sha256')
    .update(JSON.stringify(['who asks', where, apiKey.reveal()]))
    .digest('hex')
    .slice(0, 16);
};

/** A short hash of an API key, for display. */
export const shortFingerprint = (key: Secret): string =>
  `sha256:${createHash('sha256').update(key.reveal()).digest('hex').slice(0, 8)}`;
