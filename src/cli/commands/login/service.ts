import { call } from '../../../client/call.ts';
import { checkBaseUrl } from '../../../client/envelope.ts';
import type { Service } from '../../../client/service.ts';
import { list } from '../../../contract/products/list.ts';
import { amended, Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { isLoopback } from '../../../core/web-address.ts';
import type { CommandContext } from '../../command/command.ts';
import { keyVariable } from '../../context/service.ts';
import type { Profile } from '../../profiles/profile.ts';
import type { Selection } from '../../profiles/selection.ts';

const originOf = (address: string): string => new URL(checkBaseUrl(address)).origin;

/** localhost, 127.0.0.1 and ::1 name the same machine. */
const isSameServer = (one: URL, other: URL): boolean =>
  one.origin === other.origin || (one.port === other.port && isLoopback(one.hostname) && isLoopback(other.hostname));

/**
 * Refuses the address of the local sandbox in a profile. Such a profile would be shown as live, and the sandbox's chain
 * ids would be unknown to it. Throws `bad_settings`.
 */
export const assertNotSandbox = async ({ io }: CommandContext, baseUrl: string): Promise<void> => {
  const { readAddress } = await import('../../../sandbox/address.ts');
  const sandbox = await readAddress(io);
  if (!sandbox || !isSameServer(new URL(sandbox.url), new URL(checkBaseUrl(baseUrl)))) return;
  throw new Failure('bad_settings', `${baseUrl} is the sandbox of this machine, which needs no login`, {
    hint: 'The sandbox has a built-in profile: --profile sandbox. Any other profile counts as live.',
    next: nextStep('profile.use', 'sandbox'),
  });
};

/**
 * The address of the service that the API key belongs to, from the option, the profile or the environment; `undefined`
 * without one. A project file never supplies it. Throws `bad_settings` if the environment contradicts the profile.
 */
export const givenBaseUrl = async (
  { globals, io, printNote }: CommandContext,
  name: string,
  { base_url: own }: Profile,
) => {
  const { baseUrl: wanted } = globals;
  const { BURSAR_BASE_URL: environment } = io.env;
  if (wanted) {
    if (own && originOf(own) !== originOf(wanted))
      await printNote(`note: the profile ${name} pointed to ${own} before`);
    return wanted;
  }
  if (own && environment && originOf(own) !== originOf(environment)) {
    throw new Failure('bad_settings', `the profile "${name}" is for ${own}, but BURSAR_BASE_URL is ${environment}`, {
      hint: 'Choose the service with --base-url.',
      next: nextStep('profile.list'),
    });
  }
  return own || environment || undefined;
};

/** Prints a note if an environment variable overrides the profile in use. */
export const noteOverrides = async ({ io, printNote }: CommandContext, name: string): Promise<void> => {
  const { BURSAR_PROFILE: profile, BURSAR_BASE_URL: baseUrl } = io.env;
  if (profile && profile !== name) await printNote(`note: BURSAR_PROFILE is ${profile} and overrides this profile`);
  else if (!profile && baseUrl) await printNote('note: BURSAR_BASE_URL is set and overrides this profile');
};

const STORED = { keyring: 'keyring', file: 'file (--insecure-storage)' } as const;

/** Describes where the API key of a selection comes from; `null` if there is none. */
export const keySource = ({ io }: CommandContext, selection: Selection): string | null => {
  if (selection.as === 'nothing' || selection.key === 'none') return null;
  if (selection.key === 'environment') return keyVariable(io.env) ?? null;
  const { api_key } = selection.stored;
  return api_key && selection.key === 'stored' ? STORED[api_key.in] : "the sandbox's own";
};

/** Tests an API key by reading the products, which changes nothing. Adds `details` to the failure of a rejected key. */
export const checkKey = async (
  { io, deadline, trace }: CommandContext,
  service: Service,
  details: { readonly data?: unknown; readonly hint?: string },
): Promise<void> => {
  const request = call({ io, service, deadline, trace }, list, {});
  const withDetailsOf = ({ code, sentence, details: own }: Failure) =>
    new Failure(code, sentence, { ...own, ...details });
  await io.spin('Checking the key', request).catch(amended(withDetailsOf));
};
