import { checkBaseUrl } from '../../../client/service.ts';
import { Failure } from '../../../core/failure.ts';
import type { Cli } from '../../cli.ts';
import type { Profile } from '../../profiles/profile.ts';

const originOf = (address: string): string => new URL(checkBaseUrl(address)).origin;

/**
 * Where the key that is given goes: to the option's service, or the profile's, or that of the environment, or what a
 * person types. A project file is not asked. Throws `bad_settings` where the environment contradicts the profile.
 */
export const baseUrlFrom = async (
  { globals, io, say }: Cli,
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
      hint: 'The key was not asked for: it must be clear where it goes.',
      next: 'Give --base-url.',
    });
  }
  if (own || environment) return own || environment;
  return io.prompt.isPossible ? (await io.prompt.text('Address of the service:')).trim() : undefined;
};
