import type { Pin } from '../../chain/evm/pins.ts';
import type { Policy } from '../../chain/policy/policy.ts';
import type { ChainEntry } from '../../chain/registry.ts';

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
  readonly pins?: readonly Pin[] | undefined;
  readonly policy?: Policy | undefined;
  /** By symbol: above this amount a person types it. `*` is for any other token. Without a policy, on a live service. */
  readonly type_amount_above?: Readonly<Record<string, string>> | undefined;
};
