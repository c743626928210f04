import { Failure, messageOf } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { escapeText } from '../../../core/text.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { required, stringArg } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { namesOf, type Profiles, SANDBOX } from '../../profiles/profile.ts';
import { listSettings, profileDocument, summaryOf } from '../../profiles/show.ts';
import { changeProfiles, findProfile, readProfiles, removeStoredKey, withoutProfile } from '../../profiles/store.ts';
import { noteOverrides } from '../login/service.ts';
import { NAME, set } from './set.ts';

/** `profile remove`. */
const remove: Command = {
  words: ['profile', 'remove'],
  summary: 'Remove a profile and its API key',
  about: [
    'Prints the removed settings. Signing keys stay in the keystore.',
    'The built-in sandbox profile stays; only its settings are removed.',
  ],
  arguments: [NAME],
  examples: ['profile remove staging', 'profile remove staging --json > staging.json'],
  run: async (cli, given) => {
    const { NAME: name } = required({ NAME: stringArg(given, 'name') });
    const stored = await readProfiles(cli.io);
    if (name === SANDBOX && stored.profiles[SANDBOX] === undefined) {
      throw new Failure('invalid_input', 'nothing was removed: the profile sandbox is built in and has no settings', {
        hint: 'bursar sandbox reset clears its data.',
      });
    }
    const { base_url, api_key } = profileDocument(stored, name);
    const what = ['its settings', api_key && 'its API key'].filter(Boolean).join(' and ');
    const question = `Remove the profile ${name}${base_url ? `, ${escapeText(base_url)}` : ''}, with ${what}?`;
    // Only a terminal is asked: a script names the profile on purpose.
    if (cli.io.prompt.isPossible && !(await cli.confirm(question))) {
      throw new Failure('declined', 'not confirmed; nothing was removed');
    }
    const { before, after } = await changeProfiles(cli.io, (all) => {
      profileDocument(all, name);
      return withoutProfile(all, name);
    });
    const kept = before.profiles[name]?.api_key;
    const warn = (error: unknown) => cli.io.stderr.write(`warning: the API key is still stored: ${messageOf(error)}\n`);
    if (kept) await removeStoredKey(cli.io, kept).catch(warn);
    if (before.active !== after.active)
      await cli.printNote('no profile is in use now; to choose one: bursar profile use NAME');
    await cli.printCommitted({ ...profileDocument(before, name), removed: true });
  },
};

/** `profile use`. */
const use: Command = {
  words: ['profile', 'use'],
  summary: 'Set the default profile',
  about: ['--profile, BURSAR_PROFILE, BURSAR_BASE_URL and a project file (bursar.json) override the default.'],
  arguments: [NAME],
  examples: ['profile use sandbox', 'profile use production'],
  run: async (cli, given) => {
    const { NAME: name } = required({ NAME: stringArg(given, 'name') });
    const { after } = await changeProfiles(cli.io, (all) => {
      findProfile(all, name);
      return { ...all, active: name };
    });
    await noteOverrides(cli, name);
    await cli.printCommitted(summaryOf(after, name));
  },
};

/** The profiles. Where none was chosen, the active one is the one that a command would use now. */
const profilesNow = async (cli: CommandContext): Promise<Profiles> => {
  const all = await readProfiles(cli.io);
  if (all.active !== undefined) return all;
  const selection = await undefinedOnFailure(cli.selection());
  return { ...all, active: selection?.as === 'sandbox' ? selection.profile.value : undefined };
};

/** `profile show`. */
const show: Command = {
  words: ['profile', 'show'],
  summary: 'Show a profile and its settings, never its API key',
  about: ['Shows only the origin of node addresses, because their paths may contain a key.'],
  arguments: [{ ...NAME, usual: 'the profile in use', description: 'Name of the profile', isOptional: true }],
  examples: ['profile show', 'profile show production --json', 'profile show sandbox --json --fields settings'],
  run: async (cli, given) => {
    const all = await profilesNow(cli);
    const { settings, ...facts } = profileDocument(all, stringArg(given, 'name') ?? (await profileInUse(cli)));
    const rows = Object.fromEntries(listSettings(settings).map(({ setting, value }) => [setting, value]));
    await cli.printResult({ ...facts, settings }, { ...facts, ...rows });
  },
};

/** `profile list`. */
const list: Command = {
  words: ['profile', 'list'],
  summary: 'List the profiles',
  examples: ['profile list', 'profile list --json --fields name,base_url'],
  run: async (cli) => {
    const all = await profilesNow(cli);
    await cli.printResult(namesOf(all).map((name) => summaryOf(all, name)));
  },
};

/** The commands of `profile`, in the order of the help. */
export const profile: readonly Command[] = [list, use, show, set, remove];

/** The name of the profile that a call would use. Throws `bad_settings` if there is none. */
export const profileInUse = async (cli: CommandContext): Promise<string> => {
  const selection = await cli.selection();
  if ('profile' in selection) return selection.profile.value;
  throw new Failure('bad_settings', 'no profile is in use', {
    hint: 'Give --profile NAME, or choose one with bursar profile use NAME.',
    next: nextStep('profile.list'),
  });
};
