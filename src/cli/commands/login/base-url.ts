import { checkBaseUrl } from '../../../client/envelope.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { isLoopback } from '../../../core/web-address.ts';
import { problemOf } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Profile } from '../../profiles/profile.ts';

const originOf = (address: string): string => new URL(checkBaseUrl(address)).origin;

const problemIn = (answer: string): Promise<string | undefined> => problemOf(() => checkBaseUrl(answer.trim()));

const askBaseUrl = async ({ prompt }: CommandContext['io']): Promise<string> =>
  (await prompt.text('Address of the service, such as https://api.example.com:', { problemIn })).trim();

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
 * The address of the service that the API key belongs to, from the option, the profile, the environment or a prompt.
 * A project file never supplies it. Throws `bad_settings` if the environment contradicts the profile.
 */
export const baseUrlFrom = async ({ globals, io, say }: CommandContext, name: string, { base_url: own }: Profile) => {
  const { baseUrl: wanted } = globals;
  const { BURSAR_BASE_URL: environment } = io.env;
  if (wanted) {
    if (own && originOf(own) !== originOf(wanted)) await say(`note: the profile ${name} pointed to ${own} before`);
    return wanted;
  }
  if (own && environment && originOf(own) !== originOf(environment)) {
    throw new Failure('bad_settings', `the profile "${name}" is for ${own}, but BURSAR_BASE_URL is ${environment}`, {
      hint: 'Choose the service with --base-url.',
      next: nextStep('profile.list'),
    });
  }
  if (own || environment) return own || environment;
  return io.prompt.isPossible ? askBaseUrl(io) : undefined;
};
