import { extendNetwork, type Network, networkFor } from '../../chain/evm/network.ts';
import { type UsablePin, usablePins } from '../../chain/evm/pin.ts';
import { limitsSomething } from '../../chain/review/policy.ts';
import type { SolanaNode } from '../../client/solana-rpc.ts';
import { type Kind, SOLANA } from '../../contract/chains.ts';
import { isFailure } from '../../core/failure.ts';
import type { GateSettings, PolicyGate, ProfilePolicy } from '../../flows/policy/gate.ts';
import type { Io } from '../../io/io.ts';
import type { CommandContext } from '../command/command.ts';
import { SANDBOX, UNNAMED } from './profile.ts';
import { kindOf, limitsBeside, nameOf, type Selection } from './selection.ts';

/** The time limit for calls to the sandbox of this machine. */
const SANDBOX_CALL_MS = 5_000;

const solanaNodeOf = async (io: Io): Promise<SolanaNode | undefined> => {
  const { readAddress } = await import('../../sandbox/address.ts');
  const { control } = await import('../../sandbox/control-client.ts');
  const { listChains, startSolana } = await import('../../contract/control/chains.ts');
  const { openNode } = await import('../../client/solana-rpc.ts');
  const address = await readAddress(io);
  if (address === undefined) return undefined;
  const call = control(io, address, { timeoutMs: SANDBOX_CALL_MS });
  await call(startSolana);
  const url = (await call(listChains)).chains.find(({ name }) => name === SOLANA)?.rpc_url;
  return url ? openNode(io, url, { deadline: io.clock.monotonic() + SANDBOX_CALL_MS }) : undefined;
};

/** Whether a blockhash is from the Solana chain of this home's sandbox; false if the sandbox does not run. */
const sandboxKnows =
  ({ io }: CommandContext) =>
  async (blockhash: string): Promise<boolean> => {
    const { isAlive } = await import('../../flows/yield/landing.ts');
    const { isNoAnswer } = await import('../../client/node.ts');
    try {
      const node = await solanaNodeOf(io);
      return node !== undefined && (await isAlive(node, blockhash));
    } catch (error) {
      if (isNoAnswer(error) || isFailure(error, 'sandbox_unavailable')) return false;
      throw error;
    }
  };

/** The service of a signature without a service. No profile counts its amount. */
const NO_SERVICE = { profile: UNNAMED, kind: 'live', baseUrl: '' } as const;

type ServiceFacts = GateSettings['service'];

/** The facts of the selected service, read without opening it: signing given bytes needs no service. */
const serviceFactsOf = async ({ io }: CommandContext, selection: Selection): Promise<ServiceFacts> => {
  if (selection.as === 'nothing') return NO_SERVICE;
  const [profile, kind] = [nameOf(selection), kindOf(selection)];
  if (selection.as !== 'sandbox') return { profile, kind, baseUrl: selection.baseUrl.value };
  const { readAddress } = await import('../../sandbox/address.ts');
  return { profile, kind, baseUrl: (await readAddress(io))?.url ?? '' };
};

/** The policy of the current profile, and those of the further profiles that apply. */
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

/** Whether the user named the sandbox. The sandbox by default says nothing about the target of a signature. */
const isNamedSandbox = (selection: Selection): boolean =>
  selection.as === 'sandbox' && selection.profile.value === SANDBOX && selection.profile.from !== 'default';

/**
 * How to open a gate. `isOfNoService`: without a service. `isShown`: for display only, so that nothing is started.
 * `isOffline`: for bytes that are signed without a service.
 */
type GateOptions = { readonly isOfNoService?: boolean; readonly isShown?: boolean; readonly isOffline?: boolean };

/**
 * Opens the gate that checks every signature: the policies of profiles, the policy of the key, and the journal with the
 * amounts of the day.
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
  // A profile's policy counts by the address of its service, so the service must be open.
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

/** The contract calls that the current profile pins. Throws `bad_settings` for an invalid pin, before anything starts. */
export const pinsOf = async (cli: CommandContext): Promise<readonly UsablePin[]> =>
  usablePins((await cli.profile()).pins ?? []);

/** The chains of one kind of service, with the profile's own chains if the profile is of that kind. */
export const networkOf = async (
  { selection: select }: Pick<CommandContext, 'selection'>,
  kind: Kind,
): Promise<Network> => {
  const selection = await select();
  const own = kindOf(selection) === kind ? (selection.settings.chains ?? []) : [];
  return extendNetwork(networkFor(kind), own);
};
