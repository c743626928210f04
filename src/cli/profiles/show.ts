import type { Input } from '../../client/call.ts';
import { isJsonObject, printJson } from '../../core/json.ts';
import { hasProfile, kindOfProfile, type Profile, type ProfileSettings, type Profiles, settingsOf } from './profile.ts';
import { noSuchProfile } from './store.ts';

/** The origin of a node. Node providers put keys into the path and the query. */
const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : '********');

/** Settings for display: a node shows only its origin. */
export const shownSettings = ({ rpc_urls, ...settings }: ProfileSettings): ProfileSettings => ({
  ...settings,
  ...(rpc_urls && {
    rpc_urls: Object.fromEntries(Object.entries(rpc_urls).map(([chain, url]) => [chain, originOf(url)])),
  }),
});

/** One setting by its dotted path, as `profile set` takes it. */
export type Setting = { readonly setting: string; readonly value: string };

const listed = (value: unknown, path: string): readonly Setting[] => {
  if (value === undefined) return [];
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, inner]) => listed(inner, path ? `${path}.${name}` : name));
  }
  if (!Array.isArray(value)) return [{ setting: path, value: String(value) }];
  return [{ setting: path, value: value.some(isJsonObject) ? printJson(value) : value.join(',') }];
};

/** The settings of a profile as a list. */
export const listSettings = (settings: Input): readonly Setting[] => listed(settings, '');

/** The settings that a change altered, for display. */
export const changesBetween = (before: Profile, after: Profile) => {
  const list = ({ base_url, ...profile }: Profile, isShown: boolean): ReadonlyMap<string, string> => {
    const settings = settingsOf(profile);
    const all = { base_url, ...(isShown ? shownSettings(settings) : settings) };
    return new Map(listSettings(all).map(({ setting, value }) => [setting, value]));
  };
  const [was, is] = [list(before, false), list(after, false)];
  const [wasShown, isShown] = [list(before, true), list(after, true)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((setting) => was.get(setting) !== is.get(setting))
    .map((setting) => {
      const [old, next] = [wasShown.get(setting) ?? null, isShown.get(setting) ?? null];
      return { setting, before: old, after: old !== null && old === next ? `${next} (another path)` : next };
    });
};

/** A profile as a row: its service, and the place of its key. */
export const summaryOf = ({ active, profiles }: Profiles, name: string) => {
  const { base_url, api_key } = profiles[name] ?? {};
  return {
    name,
    kind: kindOfProfile(name),
    base_url: base_url ?? null,
    api_key: api_key?.in ?? null,
    active: active === name,
  };
};

/** A profile as a document, without secrets. Throws `bad_settings` if there is no profile of that name. */
export const profileDocument = (all: Profiles, name: string) => {
  if (!hasProfile(all, name)) throw noSuchProfile(all, name);
  return { ...summaryOf(all, name), settings: shownSettings(settingsOf(all.profiles[name] ?? {})) };
};
