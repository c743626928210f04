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

/** The profile that a command is about where no argument names one: what a call would use. Throws `bad_settings`. */
export const profileInUse = async (cli: CommandContext): Promise<string> => {
  const selection = await cli.selection();
  if ('profile' in selection) return selection.profile.value;
  throw new Failure('bad_settings', 'no profile is in use', {
    hint: 'Give --profile NAME, or choose one by bursar profile use NAME.',
    next: nextStep('profile.list'),
  });
};

/** Says where something else than the profile in use decides. */
export const sayWhatOutranks = async ({ io, say }: CommandContext, name: string): Promise<void> => {
  const { BURSAR_PROFILE: profile, BURSAR_BASE_URL: baseUrl } = io.env;
  if (profile && profile !== name) await say(`note: BURSAR_PROFILE names ${profile}, and the environment wins`);
  else if (!profile && baseUrl) await say('note: BURSAR_BASE_URL names a service, and the environment wins');
};
