import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Argument } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';

export const NAME: Argument = {
  name: 'NAME',
  description: 'Name of the profile',
  completes: 'profiles',
  question: 'Which profile?',
};

/** The name of the profile that a call would use. Throws `bad_settings` if there is none. */
export const profileInUse = async (cli: CommandContext): Promise<string> => {
  const selection = await cli.selection();
  if ('profile' in selection) return selection.profile.value;
  throw new Failure('bad_settings', 'no profile is in use', {
    hint: 'Give --profile NAME, or choose one with bursar profile use NAME.',
    next: nextStep('profile.list'),
  });
};

/** Prints a note if an environment variable overrides the profile in use. */
export const noteOverrides = async ({ io, say }: CommandContext, name: string): Promise<void> => {
  const { BURSAR_PROFILE: profile, BURSAR_BASE_URL: baseUrl } = io.env;
  if (profile && profile !== name) await say(`note: BURSAR_PROFILE is ${profile} and overrides this profile`);
  else if (!profile && baseUrl) await say('note: BURSAR_BASE_URL is set and overrides this profile');
};
