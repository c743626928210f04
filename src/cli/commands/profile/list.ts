import type { Command } from '../../command/command.ts';
import { undefinedOnFailure } from '../../context/undefined-on-failure.ts';
import { namesOf } from '../../profiles/profile.ts';
import { summaryOf } from '../../profiles/show.ts';
import { readProfiles } from '../../profiles/store.ts';

/** `profile list`. */
export const list: Command = {
  words: ['profile', 'list'],
  summary: 'List the profiles',
  examples: ['profile list', 'profile list --json --fields name,base_url'],
  run: async (cli) => {
    const all = await readProfiles(cli.io);
    // Without a chosen profile, mark the one that a command would use now.
    const selection = all.active === undefined ? await undefinedOnFailure(cli.selection()) : undefined;
    const active = all.active ?? (selection?.as === 'sandbox' ? selection.profile.value : undefined);
    await cli.printResult(namesOf(all).map((name) => summaryOf({ ...all, active }, name)));
  },
};
