import type { Command } from '../../command/command.ts';
import { stringArg } from '../../command/options.ts';
import { listSettings, profileDocument } from '../../profiles/show.ts';
import { readProfiles } from '../../profiles/store.ts';
import { NAME, profileInUse } from './shared.ts';

/** `profile show`. */
export const show: Command = {
  words: ['profile', 'show'],
  summary: 'Show a profile and its settings, never its API key',
  about: ['Shows only the origin of node addresses, because their paths may contain a key.'],
  arguments: [{ ...NAME, usual: 'the profile in use', description: 'Name of the profile', isOptional: true }],
  examples: ['profile show', 'profile show production --json', 'profile show sandbox --json --fields settings'],
  run: async (cli, given) => {
    const all = await readProfiles(cli.io);
    const { settings, ...facts } = profileDocument(all, stringArg(given, 'name') ?? (await profileInUse(cli)));
    const rows = Object.fromEntries(listSettings(settings).map(({ setting, value }) => [setting, value]));
    await cli.printResult({ ...facts, settings }, { ...facts, ...rows });
  },
};
