import type { ChainEntry } from '../../chain/evm/network.ts';
import type { Pin } from '../../chain/evm/pins.ts';
import type { Policy } from '../../chain/review/policy.ts';
import type { Kind } from '../../contract/chains.ts';
import { isSameText } from '../../core/same-text.ts';

/** What a profile says of how to work with its service, beside which service that is. */
export type ProfileSettings = {
  /** Names of the keys that sign where none is named, by family. */
  readonly keys?: { readonly evm?: string | undefined; readonly solana?: string | undefined } | undefined;
  readonly public_client_id?: string | undefined;
  readonly webhook_url?: string | undefined;
  /** The deployment's name of a provider, by the name that the user types. */
  readonly providers?: Readonly<Record<string, string>> | undefined;
  readonly chains?: readonly ChainEntry[] | undefined;
  /** The node to ask, by the name of the chain. */
  readonly rpc_urls?: Readonly<Record<string, string>> | undefined;
  /** Hosts that a wallet's challenge may name beside those of the service itself. */
  readonly challenge_hosts?: readonly string[] | undefined;
  readonly pins?: readonly Pin[] | undefined;
  readonly policy?: Policy | undefined;
  /** By symbol: above this amount a person types it. `*` is for any other token. Without a policy, on a live service. */
  readonly type_amount_above?: Readonly<Record<string, string>> | undefined;
};

/** Where the API key of a profile is kept, and under which id. The key itself is never in a profile. */
export type StoredKey = { readonly in: 'keyring' | 'file'; readonly id: string };

/** A profile as it is kept. Every one but the sandbox's has a base URL. */
export type Profile = ProfileSettings & {
  readonly base_url?: string | undefined;
  readonly api_key?: StoredKey | undefined;
};

/** All profiles. `active` is the one that is used where none is named. */
export type Profiles = {
  readonly active?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
};

/** The built-in profile: the service on this machine. It may have settings, and never an address or a key. */
export const SANDBOX = 'sandbox';

/** The profile's name where only a base URL says which service is meant. */
export const UNNAMED = '(environment)';

export const NO_PROFILES: Profiles = { profiles: {} };

/** The settings of a profile, without which service it is for. */
export const settingsOf = (profile: Profile): ProfileSettings => {
  const { base_url: _, api_key: __, ...settings } = profile;
  return settings;
};

/** The node that a profile names for a chain, in any case. */
export const rpcUrlOf = ({ rpc_urls }: ProfileSettings, chain: string): string | undefined =>
  Object.entries(rpc_urls ?? {}).find(([name]) => isSameText(name, chain))?.[1];

/** Whether real money is behind a profile. */
export const kindOfProfile = (name: string): Kind => (name === SANDBOX ? 'sandbox' : 'live');

/** The names of all profiles, the built-in one first. */
export const namesOf = ({ profiles }: Profiles): readonly string[] => [
  SANDBOX,
  ...Object.keys(profiles).filter((name) => name !== SANDBOX),
];

/** Whether there is a profile of that name; the sandbox's always is. */
export const hasProfile = ({ profiles }: Profiles, name: string): boolean =>
  name === SANDBOX || Object.hasOwn(profiles, name);
