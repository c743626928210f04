import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { Summary } from '../../../output/summary.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';
import { keyVariable } from '../../context/service.ts';
import { SANDBOX } from '../../profiles/profile.ts';
import {
  changeProfiles,
  findProfile,
  readProfiles,
  removeStoredKey,
  withoutProfile,
  withProfile,
} from '../../profiles/store.ts';

/** Reads the profile name without checking its settings: logout must work for a broken profile too. */
const profileFrom = async ({ globals, io }: CommandContext): Promise<string> => {
  const name = globals.profile || io.env['BURSAR_PROFILE'] || (await readProfiles(io)).active;
  if (name === undefined) {
    throw new Failure('bad_settings', 'no profile is in use', { next: nextStep('profile.list') });
  }
  if (name !== SANDBOX) return name;
  throw new Failure('bad_settings', 'the sandbox is built in: it has no stored key to remove', {
    next: nextStep('profile.list'),
  });
};

type LogoutResult = { readonly profile: string; readonly key_removed: boolean; readonly profile_removed: boolean };

const summaryOf = ({ profile, key_removed, profile_removed }: LogoutResult): Summary => {
  const key = key_removed ? 'its API key was removed' : 'it had no API key';
  const rest = profile_removed ? 'the profile was removed too' : 'its settings were kept';
  const next = profile_removed ? undefined : nextStep('login.profile', profile);
  return { tone: 'good', headline: `Logged out of ${profile}: ${key}, ${rest}`, facts: [], next };
};

const removeKey = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const name = await profileFrom(cli);
  const removesProfile = boolArg(given, 'forget');
  const { before } = await changeProfiles(cli.io, async (all) => {
    const { api_key, ...profile } = findProfile(all, name);
    if (api_key) await removeStoredKey(cli.io, api_key);
    return removesProfile ? withoutProfile(all, name) : withProfile(all, name, profile);
  });
  const hadKey = before.profiles[name]?.api_key !== undefined;
  if (!hadKey && !cli.io.stdout.isTerminal) await cli.printNote(`The profile ${name} had no key.`);
  const variable = keyVariable(cli.io.env);
  if (variable) await cli.printNote(`note: ${variable} is still set`);
  const removed = { profile: name, key_removed: hadKey, profile_removed: removesProfile };
  await cli.printCommitted(removed, removed, { summary: () => summaryOf(removed) });
};

/** `logout`. */
export const logout: Command = {
  words: ['logout'],
  summary: 'Remove the API key of a profile',
  about: [
    'Keeps the settings of the profile, unless --forget is given.',
    '--profile names the profile (default: the profile in use).',
  ],
  options: [{ flag: '--forget', description: 'Also remove the profile and its settings' }],
  examples: ['logout', 'logout --profile staging --forget'],
  run: removeKey,
};
