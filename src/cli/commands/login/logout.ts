import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Summary } from '../../../output/summary.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';
import { keyVariable } from '../../context/api-key.ts';
import type { CommandContext } from '../../context/context.ts';
import { SANDBOX } from '../../profiles/profile.ts';
import { changeProfiles, findProfile, readProfiles, withoutProfile, withProfile } from '../../profiles/store.ts';
import { removeStoredKey } from '../../profiles/stored-key.ts';

/** What is in use may be refused for what it says; logging out of it must be possible all the same. */
const nameFrom = async ({ globals, io }: CommandContext): Promise<string> => {
  const name = globals.profile || io.env['BURSAR_PROFILE'] || (await readProfiles(io)).active;
  if (name === undefined) {
    throw new Failure('bad_settings', 'no profile is in use', { next: nextStep('profile.list') });
  }
  if (name !== SANDBOX) return name;
  throw new Failure('bad_settings', 'the sandbox is built in: it has no key that was logged in with', {
    next: nextStep('profile.list'),
  });
};

type Removed = { readonly profile: string; readonly key_removed: boolean; readonly profile_removed: boolean };

const summaryOf = ({ profile, key_removed, profile_removed }: Removed): Summary => {
  const key = key_removed ? 'its API key is removed' : 'there was no API key to remove';
  const rest = profile_removed ? 'the profile is removed too' : 'the profile and its settings stay';
  const next = profile_removed ? undefined : nextStep('login.profile', profile);
  return { tone: 'good', headline: `Logged out of ${profile}: ${key}, ${rest}`, facts: [], next };
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const name = await nameFrom(cli);
  const isForgotten = boolArg(given, 'forget');
  const { before } = await changeProfiles(cli.io, async (all) => {
    const { api_key, ...profile } = findProfile(all, name);
    if (api_key) await removeStoredKey(cli.io, api_key);
    return isForgotten ? withoutProfile(all, name) : withProfile(all, name, profile);
  });
  const wasThere = before.profiles[name]?.api_key !== undefined;
  if (!wasThere && !cli.io.stdout.isTerminal) await cli.say(`The profile ${name} had no key.`);
  const variable = keyVariable(cli.io.env);
  if (variable) await cli.say(`note: ${variable} is still set`);
  const removed = { profile: name, key_removed: wasThere, profile_removed: isForgotten };
  await cli.printCommitted(removed, removed, { summary: () => summaryOf(removed) });
};

/** `logout`. */
export const logout: Command = {
  words: ['logout'],
  summary: 'Remove the API key of a profile',
  about: [
    'The profile keeps its settings, unless --forget removes it too. --profile names it (default: the one in use).',
  ],
  options: [{ flag: '--forget', description: 'Remove the profile with all its settings' }],
  examples: ['logout', 'logout --profile staging --forget'],
  run,
};
