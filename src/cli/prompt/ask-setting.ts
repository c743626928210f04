import type { Policy } from '../../chain/review/policy.ts';
import { valueOn } from '../../core/failure.ts';
import { escapeText } from '../../core/text.ts';
import { readKeyPolicy } from '../../flows/policy/key-policy.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import { type Ask, type PromptContext, stringArg } from '../command/options.ts';
import { problemOf } from '../context/failures.ts';
import { editProfile, withChanges } from '../profiles/edit.ts';
import { type Profile, SANDBOX, settingsOf } from '../profiles/profile.ts';
import { listSettings, shownSettings } from '../profiles/show.ts';
import { readProfiles } from '../profiles/store.ts';
import { NEEDED } from './ask.ts';

type Setting = readonly [path: string, description: string];

/** Settings of a policy that fit one line. A part in capitals is replaced with a name. */
const POLICY_SETTINGS: readonly Setting[] = [
  ['chains', 'chains that may be paid on, with commas'],
  ['tokens', 'tokens that may leave, with commas'],
  ['recipients', 'addresses that may receive, with commas'],
  ['most_per_transaction.TOKEN', 'most that may leave at once'],
  ['most_per_day.TOKEN', 'most that may leave in a day'],
  ['most_fee.CHAIN', 'most that a fee may cost, in the coin of the chain'],
  ['ask_above.TOKEN', 'amount above which only a yes at a terminal signs'],
  ['challenge_hosts', 'hosts that a challenge may name, with commas'],
  ['blind_signing', 'never: refuse every transaction that is not fully decoded'],
  ['journal', 'journal that counts most_per_day: folder, or an id'],
];

/** The same for a profile. */
const PROFILE_SETTINGS: readonly Setting[] = [
  ['base_url', 'address of the service'],
  ['keys.evm', 'key that signs on EVM chains where none is named'],
  ['keys.solana', 'key that signs on Solana where none is named'],
  ['public_client_id', 'of payments'],
  ['webhook_url', 'of payments'],
  ['rpc_urls.CHAIN', 'node to ask'],
  ['providers.NAME', "the deployment's name of a provider"],
  ['challenge_hosts', 'hosts that a challenge of KYC may name beside those of the service, with commas'],
  ...POLICY_SETTINGS.map(([path, description]): Setting => [`policy.${path}`, description]),
  ['type_amount_above.TOKEN', 'amount above which it is typed out; * is any other token'],
];

/** The settings of a profile or key. */
type Settable = {
  readonly settings: readonly Setting[];
  /** The user must set the first setting, without a choice. */
  readonly isFirstDue: boolean;
  /** The current values, ready to print. */
  readonly now: readonly { readonly setting: string; readonly value: string }[];
  /** Throws for an invalid KEY=VALUE. */
  readonly check: (text: string) => unknown;
};

const ofProfile = async (cli: PromptContext, name: string): Promise<Settable> => {
  const before: Profile = (await readProfiles(cli.io)).profiles[name] ?? {};
  const { base_url, ...profile } = before;
  const isBuiltIn = name === SANDBOX;
  return {
    settings: PROFILE_SETTINGS.filter(([path]) => !isBuiltIn || path !== 'base_url'),
    // A profile needs the address of its service first.
    isFirstDue: !isBuiltIn && base_url === undefined,
    now: listSettings({ base_url, ...shownSettings(settingsOf(profile)) }),
    check: (text) => editProfile(before, undefined, [text]),
  };
};

/** The policy of a key. A policy that fails verification counts as empty, because the command replaces it. */
const policyOf = async ({ io }: PromptContext, name: string): Promise<Policy> => {
  const { chain, address } = await openKeystore(io).find(name);
  if (address === undefined) return {};
  return (await readKeyPolicy(io, { chain, address }).catch(valueOn('refused_by_review', undefined)))?.policy ?? {};
};

const ofKey = async (cli: PromptContext, name: string): Promise<Settable> => {
  const [before, { policy: schema }] = [await policyOf(cli, name), await import('../../flows/policy/schema.ts')];
  return {
    settings: POLICY_SETTINGS,
    isFirstDue: false,
    now: listSettings(before),
    check: (text) => withChanges(schema, before, [text]),
  };
};

const PLACE = /[A-Z]+$/;

/** Asks for the name in a setting such as `rpc_urls.CHAIN`. */
const named = async ({ io }: PromptContext, path: string): Promise<string> => {
  const [place] = PLACE.exec(path) ?? [];
  if (place === undefined) return path;
  const problemIn = async (text: string) => (text.trim() === '' ? NEEDED : undefined);
  const name = await io.prompt.text(`${place}:`, { problemIn });
  return path.replace(PLACE, () => name.trim());
};

const pathFor = async (cli: PromptContext, { settings, isFirstDue }: Settable): Promise<string> => {
  const [first] = settings;
  if (isFirstDue && first) return first[0];
  const choices = settings.map(([path, description]) => ({ name: `${path} (${description})`, value: path }));
  return named(cli, await cli.io.prompt.select('Setting:', choices));
};

/** Asks for a setting and its value. Returns KEY=VALUE. */
const askSetting =
  (settableOf: (cli: PromptContext, name: string) => Promise<Settable>): Ask =>
  async (cli, _, given) => {
    const settable = await settableOf(cli, stringArg(given, 'name') ?? '');
    const path = await pathFor(cli, settable);
    const now = settable.now.find(({ setting }) => setting === path)?.value;
    const problemIn = async (text: string) =>
      text.trim() === '' && now === undefined ? NEEDED : problemOf(() => settable.check(`${path}=${text.trim()}`));
    const example = path === 'base_url' ? ', such as https://api.example.com' : '';
    const question =
      now === undefined ? `${path}${example}:` : `${path}, now ${escapeText(now)} (press Enter to remove it):`;
    return `${path}=${(await cli.io.prompt.text(question, { problemIn })).trim()}`;
  };

/** Asks for a setting of a profile. */
export const askProfileSetting = askSetting(ofProfile);

/** Asks for a setting of a key's policy. */
export const askKeySetting = askSetting(ofKey);
