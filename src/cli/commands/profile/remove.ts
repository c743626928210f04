import { messageOf } from '../../../core/failure.ts';
import type { Leaf } from '../../command.ts';
import { textOf } from '../../options.ts';
import { forgetKey } from '../../profiles/kept-key.ts';
import { profileDocument } from '../../profiles/show.ts';
import { changeProfiles, withoutProfile } from '../../profiles/store.ts';
import { required } from '../../required.ts';
import { NAME } from './shared.ts';

/** `profile remove`. */
export const remove: Leaf = {
  words: ['profile', 'remove'],
  summary: 'Remove a profile and its API key',
  about: [
    'Prints what it removed. Of the sandbox, which is built in, only the settings go. Keys that sign are left alone.',
  ],
  arguments: [NAME],
  examples: ['profile remove staging', 'profile remove staging --json > staging.json'],
  run: async (cli, given) => {
    const { NAME: name } = required({ NAME: textOf(given, 'name') });
    const { before, after } = await changeProfiles(cli.io, (all) => {
      profileDocument(all, name);
      return withoutProfile(all, name);
    });
    const kept = before.profiles[name]?.api_key;
    const warn = (error: unknown) =>
      cli.io.stderr.write(`warning: the API key was left where it is kept: ${messageOf(error)}\n`);
    if (kept) await forgetKey(cli.io, kept).catch(warn);
    if (before.active !== after.active) await cli.say('no profile is in use now: bursar profile use NAME');
    await cli.report(profileDocument(before, name));
  },
};
