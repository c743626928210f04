import type { Command } from '../../command/command.ts';
import { stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import { summaryOf } from '../../profiles/show.ts';
import { changeProfiles, findProfile } from '../../profiles/store.ts';
import { NAME, noteOverrides } from './shared.ts';

/** `profile use`. */
export const use: Command = {
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
