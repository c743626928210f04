import { escapeText } from '../../../core/escape.ts';
import { Failure, messageOf } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import { profileDocument } from '../../profiles/show.ts';
import { changeProfiles, readProfiles, withoutProfile } from '../../profiles/store.ts';
import { removeStoredKey } from '../../profiles/stored-key.ts';
import { NAME } from './shared.ts';

/** `profile remove`. */
export const remove: Command = {
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
    const { base_url, api_key } = profileDocument(await readProfiles(cli.io), name);
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
      await cli.say('no profile is in use now; to choose one: bursar profile use NAME');
    await cli.printCommitted({ ...profileDocument(before, name), removed: true });
  },
};
