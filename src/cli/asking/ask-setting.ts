import { escapeText } from '../../core/escape.ts';
import type { Cli } from '../cli.ts';
import { type Given, textOf } from '../options.ts';
import { problemOf } from '../problem-of.ts';
import { edited } from '../profiles/edit.ts';
import { type Profile, SANDBOX, settingsOf } from '../profiles/profile.ts';
import { listSettings, shownSettings } from '../profiles/show.ts';
import { readProfiles } from '../profiles/store.ts';
import { NEEDED } from './ask.ts';

/** Settings that a line can hold, and what stands in the place of a name in capitals. */
const SETTINGS: readonly (readonly [path: string, says: string])[] = [
  ['base_url', 'address of the service'],
  ['keys.evm', 'key that signs on EVM chains where none is named'],
  ['keys.solana', 'key that signs on Solana where none is named'],
  ['public_client_id', 'of payments'],
  ['webhook_url', 'of payments'],
  ['rpc_urls.CHAIN', 'node to ask'],
  ['providers.NAME', "the deployment's name of a provider"],
  ['challenge_hosts', 'hosts that a challenge of KYC may name beside those of the service, with commas'],
  ['policy.chains', 'chains that may be paid on, with commas'],
  ['policy.tokens', 'tokens that may leave, with commas'],
  ['policy.recipients', 'addresses that may receive, with commas'],
  ['policy.most_per_transaction.TOKEN', 'most that may leave at once'],
  ['policy.most_per_day.TOKEN', 'most that may leave in a day'],
  ['policy.most_fee.CHAIN', 'most that a fee may cost, in the coin of the chain'],
  ['policy.ask_above.TOKEN', 'amount above which only a yes at a terminal signs'],
  ['policy.challenge_hosts', 'hosts that a challenge may name, with commas'],
  ['policy.blind_signing', 'never: sign nothing that is not understood'],
  ['type_amount_above.TOKEN', 'amount above which it is typed out; * is any other token'],
];

const PLACE = /[A-Z]+$/;

/** The path of a setting whose last part has a name of the user's. */
const named = async ({ io }: Cli, path: string): Promise<string> => {
  const [place] = PLACE.exec(path) ?? [];
  if (place === undefined) return path;
  const problemIn = async (text: string) => (text.trim() === '' ? NEEDED : undefined);
  const name = await io.prompt.text(`Which ${place.toLowerCase()}?`, { problemIn });
  return path.replace(PLACE, () => name.trim());
};

/** Nothing can be set of a profile that has no service yet. */
const pathFor = async (cli: Cli, profile: string, { base_url }: Profile): Promise<string> => {
  if (profile !== SANDBOX && base_url === undefined) return 'base_url';
  const fitting = SETTINGS.filter(([path]) => profile !== SANDBOX || path !== 'base_url');
  const choices = fitting.map(([path, says]) => ({ name: `${path} (${says})`, value: path }));
  return named(cli, await cli.io.prompt.select('Which setting?', choices));
};

/** A setting as it is now, and as it may be shown. */
const nowAt = ({ base_url, ...profile }: Profile, path: string): string | undefined =>
  listSettings({ base_url, ...shownSettings(settingsOf(profile)) }).find(({ setting }) => setting === path)?.value;

/** Has a setting of a profile chosen and its value typed, as KEY=VALUE. */
export const askSetting = async (cli: Cli, given: Given): Promise<string> => {
  const profile = textOf(given, 'name') ?? '';
  const before = (await readProfiles(cli.io)).profiles[profile] ?? {};
  const path = await pathFor(cli, profile, before);
  const now = nowAt(before, path);
  const problemIn = async (text: string) =>
    text.trim() === '' && now === undefined
      ? NEEDED
      : problemOf(() => edited(before, undefined, [`${path}=${text.trim()}`]));
  const example = path === 'base_url' ? ', such as https://api.example.com' : '';
  const says = now === undefined ? `${path}${example}:` : `${path}, now ${escapeText(now)} (Enter alone removes it):`;
  return `${path}=${(await cli.io.prompt.text(says, { problemIn })).trim()}`;
};
