import { extendNetwork, type Network, networkFor } from '../../chain/evm/network.ts';
import { type UsablePin, usablePins } from '../../chain/evm/pins.ts';
import { limitsSomething } from '../../chain/review/policy.ts';
import type { SolanaNode } from '../../client/solana-rpc/node.ts';
import type { Kind } from '../../contract/chains.ts';
import { SOLANA } from '../../contract/solana.ts';
import { isFailure } from '../../core/failure.ts';
import type { GateSettings, PolicyGate, ProfilePolicy } from '../../flows/policy/gate.ts';
import type { Io } from '../../io/io.ts';
import type { CommandContext } from '../context/context.ts';
import { SANDBOX, UNNAMED } from './profile.ts';
import { kindOf, limitsBeside, nameOf, type Selection } from './selection.ts';

/** How long a look at the sandbox of this machine may take. */
const LOOK_MS = 5_000;

const solanaNodeOf = async (io: Io): Promise<SolanaNode | undefined> => {
  const [{ readAddress }, { control }, { listChains, startSolana }, { openNode }] = await Promise.all([
    import('../../sandbox/address.ts'),
    import('../../sandbox/control-client.ts'),
    import('../../contract/control/chains.ts'),
    import('../../client/solana-rpc/node.ts'),
  ]);
  const address = await readAddress(io);
  if (address === undefined) return undefined;
  const call = control(io, address, LOOK_MS);
  await call(startSolana);
  const url = (await call(listChains)).chains.find(({ name }) => name === SOLANA)?.rpc_url;
  return url ? openNode(io, url, io.clock.monotonic() + LOOK_MS) : undefined;
};

/** Whether the Solana chain of this home's sandbox knows a blockhash. A sandbox that does not run knows none. */
const sandboxKnows =
  ({ io }: CommandContext) =>
  async (blockhash: string): Promise<boolean> => {
    const { isAlive, isNoAnswer } = await import('../../flows/yield/landing.ts');
    try {
      const node = await solanaNodeOf(io);
      return node !== undefined && (await isAlive(node, blockhash));
    } catch (error) {
      if (isNoAnswer(error) || isFailure(error, 'sandbox_unavailable')) return false;
      throw error;
    }
  };

/** The service of what is signed without one: nothing of it is counted under a profile. */
const NO_SERVICE = { profile: UNNAMED, kind: 'live', baseUrl: '' } as const;

type ServiceFacts = GateSettings['service'];

/** What is known of the selected service without opening it: a signature of bytes alone needs no service. */
const serviceFactsOf = async ({ io }: CommandContext, selection: Selection): Promise<ServiceFacts> => {
  if (selection.as === 'nothing') return NO_SERVICE;
  const [profile, kind] = [nameOf(selection), kindOf(selection)];
  if (selection.as !== 'sandbox') return { profile, kind, baseUrl: selection.baseUrl.value };
  const { readAddress } = await import('../../sandbox/address.ts');
  return { profile, kind, baseUrl: (await readAddress(io))?.url ?? '' };
};

/** The policy of the profile in use, and those that hold beside it. */
const policiesOf = (
  selection: Selection,
  { profile, baseUrl }: ServiceFacts,
  isOffline?: boolean,
): readonly ProfilePolicy[] => {
  const own = { name: profile, baseUrl, policy: selection.settings.policy };
  return [own, ...limitsBeside(selection, isOffline)].flatMap(({ name, baseUrl: url, policy }) =>
    policy ? [{ profile: name, baseUrl: url, policy }] : [],
  );
};

/** The sandbox that a person at a terminal is given, and nobody named, says nothing of where a signature is for. */
const isNamedSandbox = (selection: Selection): boolean =>
  selection.as === 'sandbox' && selection.profile.value === SANDBOX && selection.profile.from !== 'default';

/**
 * How a gate is opened: for no service at all, only to be looked at, so that nothing is started for it, or for bytes that
 * are signed without a service.
 */
type GateOptions = { readonly isOfNoService?: boolean; readonly isShown?: boolean; readonly isOffline?: boolean };

/**
 * The gate that everything that is signed passes: the policies of profiles, that of the key, and the journal that they
 * count in.
 */
export const gateOf = async (
  cli: CommandContext,
  { isOfNoService, isShown, isOffline }: GateOptions = {},
): Promise<PolicyGate> => {
  const { openGate } = await import('../../flows/policy/gate.ts');
  const { io } = cli;
  const world = { io, sandboxKnows: sandboxKnows(cli) };
  if (isOfNoService) return openGate({ ...world, service: NO_SERVICE, policies: [] });
  const selection = await cli.selection();
  // What a policy of a profile counts is known by the address of its service.
  const isNeeded = !isShown && selection.as !== 'nothing' && limitsSomething(selection.settings.policy);
  const service = isNeeded ? await cli.service() : await serviceFactsOf(cli, selection);
  const { profile, kind, baseUrl } = service;
  return openGate({
    ...world,
    service: { profile, kind, baseUrl },
    policies: policiesOf(selection, service, isOffline),
    signsOnlySandbox: isNamedSandbox(selection),
  });
};

/** The calls that the profile in use pins. Throws `bad_settings` for a pin that cannot be used, before anything begins. */
export const pinsOf = async (cli: CommandContext): Promise<readonly UsablePin[]> =>
  usablePins((await cli.profile()).pins ?? []);

/** The chains of one kind of service, and the profile's own chains where the profile is of that kind. */
export const networkOf = async (
  { selection: select }: Pick<CommandContext, 'selection'>,
  kind: Kind,
): Promise<Network> => {
  const selection = await select();
  const own = kindOf(selection) === kind ? (selection.settings.chains ?? []) : [];
  return extendNetwork(networkFor(kind), own);
};
