import type { Service } from '../../client/service.ts';
import { isSwitchedOn } from '../../core/environment.ts';
import { type Secret, secret } from '../../core/secret.ts';
import type { Io } from '../../io/io.ts';
import type { Globals } from '../argv/globals.ts';
import { SANDBOX, UNNAMED } from '../profiles/profile.ts';
import { readProject } from '../profiles/project.ts';
import { noService, select, unconfirmedAddress } from '../profiles/select.ts';
import type { Selection } from '../profiles/selection.ts';
import { readProfiles } from '../profiles/store.ts';
import { environmentKey } from './api-key.ts';

type Say = (line: string) => Promise<void>;

/** Reads the sources of the selection and selects the service. Starts nothing and reads no key. */
export const selectService = async (
  io: Io,
  { profile, baseUrl }: Pick<Globals, 'profile' | 'baseUrl'>,
  say: Say,
): Promise<Selection> => {
  const [project, profiles] = await Promise.all([readProject(io, say), readProfiles(io)]);
  const isAttended = io.stdin.isTerminal && io.stderr.isTerminal && !isSwitchedOn(io.env['CI']);
  return select({ flags: { profile, baseUrl }, env: io.env, project, profiles, isAttended });
};

/** Starts the sandbox. It has its own key; a key from the environment selects another tenant. */
const sandboxService = async (io: Io, key: Secret | undefined): Promise<Service> => {
  const { startSandbox } = await import('../../sandbox/launcher.ts');
  const address = await startSandbox(io, {});
  return { profile: SANDBOX, kind: SANDBOX, baseUrl: address.url, apiKey: key ?? secret(address.api_key) };
};

const storedKey = async (io: Io, profile: string, { stored }: Selection): Promise<Secret | undefined> => {
  const { readStoredKey } = await import('../profiles/stored-key.ts');
  return stored.api_key && readStoredKey(io, profile, stored.api_key, stored.base_url ?? '');
};

/** Printed if the sandbox is the service only by default. */
export const SANDBOX_BY_DEFAULT = 'No service is configured: using the sandbox on this machine, without real money.';

/** Opens the selected service with its key. Starts the sandbox. Throws `no_api_key` if no service is selected. */
export const openService = async (io: Io, selection: Selection, say: Say): Promise<Service> => {
  if ('baseUrl' in selection && selection.isUnconfirmed) throw unconfirmedAddress(selection.baseUrl);
  switch (selection.as) {
    case 'nothing':
      throw noService(selection);
    case 'sandbox': {
      if (selection.profile.from === 'default') {
        await say(SANDBOX_BY_DEFAULT);
      }
      return sandboxService(io, selection.key === 'environment' ? await environmentKey(io) : undefined);
    }
    case 'unnamed': {
      const { baseUrl, key } = selection;
      const apiKey = key === 'environment' ? await environmentKey(io) : undefined;
      return { profile: UNNAMED, kind: 'live', baseUrl: baseUrl.value, apiKey };
    }
    case 'named': {
      const { profile, baseUrl, key } = selection;
      const apiKey = key === 'environment' ? await environmentKey(io) : await storedKey(io, profile.value, selection);
      return { profile: profile.value, kind: 'live', baseUrl: baseUrl.value, apiKey };
    }
    default: {
      const never: never = selection;
      return never;
    }
  }
};
