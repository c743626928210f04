import { checkBaseUrl } from '../../../client/service.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { isLoopback } from '../../../core/web-address.ts';
import { problemOf } from '../../command/problem-of.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Profile } from '../../profiles/profile.ts';

const originOf = (address: string): string => new URL(checkBaseUrl(address)).origin;

const problemIn = (answer: string): Promise<string | undefined> => problemOf(() => checkBaseUrl(answer.trim()));

const askBaseUrl = async ({ prompt }: CommandContext['io']): Promise<string> =>
  (await prompt.text('Address of the service, such as https://api.example.com:', { problemIn })).trim();

/** This machine has several names for itself. */
const isSamePlace = (one: URL, other: URL): boolean =>
  one.origin === other.origin || (one.port === other.port && isLoopback(one.hostname) && isLoopback(other.hostname));

/**
 * The sandbox of this machine is no live service: to a live profile its chains are unknown, and whoever sees "live" before
 * it cannot tell test from money. Throws `bad_settings`.
 */
export const assertNotSandbox = async ({ io }: CommandContext, baseUrl: string): Promise<void> => {
  const { readAddress } = await import('../../../sandbox/address.ts');
  const sandbox = await readAddress(io);
  if (!sandbox || !isSamePlace(new URL(sandbox.url), new URL(checkBaseUrl(baseUrl)))) return;
  throw new Failure('bad_settings', `${baseUrl} is the sandbox of this machine, which needs no login`, {
    hint: 'A profile of it would be live, and its chains unknown. Its own profile is built in: --profile sandbox.',
    next: nextStep('profile.use', 'sandbox'),
  });
};

/**
 * Where the key that is given goes: to the option's service, or the profile's, or that of the environment, or what a
 * person types. A project file is not asked. Throws `bad_settings` where the environment contradicts the profile.
 */
export const baseUrlFrom = async (
  { globals, io, say }: CommandContext,
  name: string,
  { base_url: own }: Profile,
): Promise<string | undefined> => {
  const { baseUrl: wanted } = globals;
  const { BURSAR_BASE_URL: environment } = io.env;
  if (wanted) {
    if (own && originOf(own) !== originOf(wanted)) await say(`note: the profile ${name} was for ${own}`);
    return wanted;
  }
  if (own && environment && originOf(own) !== originOf(environment)) {
    throw new Failure('bad_settings', `the profile "${name}" is for ${own}, and BURSAR_BASE_URL names ${environment}`, {
      hint: 'Give --base-url: the key was not asked for, because two services are named.',
      next: nextStep('profile.list'),
    });
  }
  if (own || environment) return own || environment;
  return io.prompt.isPossible ? askBaseUrl(io) : undefined;
};
