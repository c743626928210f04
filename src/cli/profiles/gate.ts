import { type OpenPin, openPins } from '../../chain/evm/pins.ts';
import { limitsSomething } from '../../chain/policy/policy.ts';
import type { PolicyGate } from '../../flows/policy/gate.ts';
import type { Cli } from '../cli.ts';

/** The policy of the profile in use and the journal that it counts in; none for a profile without a policy. */
export const gateOf = async (cli: Cli): Promise<PolicyGate | undefined> => {
  const { policy } = await cli.profile();
  if (!limitsSomething(policy)) return undefined;
  const { openGate } = await import('../../flows/policy/gate.ts');
  return openGate(cli.io, await cli.service(), policy);
};

/** The calls that the profile in use pins. Throws `bad_settings` for a pin that cannot be used, before anything begins. */
export const pinsOf = async (cli: Cli): Promise<readonly OpenPin[]> => openPins((await cli.profile()).pins ?? []);
