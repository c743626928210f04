import type { ChainEntry } from '../../chain/evm/network.ts';
import type { Pin } from '../../chain/evm/pin.ts';
import type { Policy } from '../../chain/review/policy.ts';
import type { Kind } from '../../contract/chains.ts';
import { isSameText } from '../../core/text.ts';

/** The settings of a profile, without the address and the key of its service. */
export type ProfileSettings = {
  /** The default signing keys, by family. */
  readonly keys?: { readonly evm?: string | undefined; readonly solana?: string | undefined } | undefined;
  readonly public_client_id?: string | undefined;
  readonly webhook_url?: string | undefined;
  /** The deployment's provider names, by the names that the user types. */
  readonly providers?: Readonly<Record<string, string>> | undefined;
  readonly chains?: readonly ChainEntry[] | undefined;
  /** The node of each chain, by the name of the chain. */
  readonly rpc_urls?: Readonly<Record<string, string>> | undefined;
  /** Hosts that a wallet's challenge may name beside the service's own hosts. */
  readonly challenge_hosts?: readonly string[] | undefined;
  readonly pins?: readonly Pin[] | undefined;
  readonly policy?: Policy | undefined;
  /** The address of a journal in PostgreSQL, without a password. */
  readonly journal?: string | undefined;
  /** By symbol: the user types amounts above this one. `*`: any other token. Only on a live service without a policy. */
  readonly type_amount_above?: Readonly<Record<string, string>> | undefined;
};

/** The place and the id of a profile's stored API key. A profile never contains the key itself. */
export type StoredKey = { readonly in: 'keyring' | 'file'; readonly id: string };

/** A profile as stored. Every profile except the sandbox has a base URL. */
export type Profile = ProfileSettings & {
  readonly base_url?: string | undefined;
  readonly api_key?: StoredKey | undefined;
};

/** All profiles. `active` is the default profile. */
export type Profiles = {
  readonly active?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
};

/** The built-in profile of the service on this machine. It may have settings, but no address and no key. */
export const SANDBOX = 'sandbox';

/** The profile name of a service that only a base URL selects. */
export const UNNAMED = '(environment)';

export const NO_PROFILES: Profiles = { profiles: {} };

/** The settings of a profile, without its base URL and stored key. */
export const settingsOf = (profile: Profile): ProfileSettings => {
  const { base_url: _, api_key: __, ...settings } = profile;
  return settings;
};

/** The node that a profile names for a chain; upper and lower case are equal. */
export const rpcUrlOf = ({ rpc_urls }: ProfileSettings, chain: string): string | undefined =>
  Object.entries(rpc_urls ?? {}).find(([name]) => isSameText(name, chain))?.[1];

/** Whether a profile is for real money (`live`) or the sandbox. */
export const kindOfProfile = (name: string): Kind => (name === SANDBOX ? 'sandbox' : 'live');

/** The names of all profiles, the built-in profile first. */
export const namesOf = ({ profiles }: Profiles): readonly string[] => [
  SANDBOX,
  ...Object.keys(profiles).filter((name) => name !== SANDBOX),
];

/** Whether a profile of that name exists. The sandbox always does. */
export const hasProfile = ({ profiles }: Profiles, name: string): boolean =>
  name === SANDBOX || Object.hasOwn(profiles, name);
