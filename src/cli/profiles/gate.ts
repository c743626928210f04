import { type OpenPin, openPins } from '../../chain/evm/pins.ts';
import type { Service } from '../../client/service.ts';
import type { SolanaNode } from '../../client/solana-rpc/node.ts';
import { SOLANA } from '../../contract/solana.ts';
import { isFailure } from '../../core/failure.ts';
import type { GateSettings, PolicyGate, ProfilePolicy } from '../../flows/policy/gate.ts';
import type { Io } from '../../io/io.ts';
import type { Cli } from '../cli.ts';
import { SANDBOX, UNNAMED } from './profile.ts';
import type { Selection } from './selection.ts';

/** How long a look at the sandbox of this machine may take. */
const LOOK_MS = 5_000;

const solanaNodeOf = async (io: Io): Promise<SolanaNode | undefined> => {
  const [{ readAddress }, { control }, { openNode }] = await Promise.all([
    import('../../sandbox/address.ts'),
    import('../../sandbox/control-client.ts'),
    import('../../client/solana-rpc/node.ts'),
  ]);
  const address = await readAddress(io);
  if (address === undefined) return undefined;
  const sandbox = control(io, address, LOOK_MS);
  await sandbox.startSolana();
  const url = (await sandbox.chains()).find(({ name }) => name === SOLANA)?.rpc_url;
  return url ? openNode(io, url, io.clock.monotonic() + LOOK_MS) : undefined;
};

/** Whether the Solana chain of this home's sandbox knows a blockhash. A sandbox that does not run knows none. */
const sandboxKnows =
  ({ io }: Cli) =>
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

const serviceFor = async (cli: Cli, selection: Selection): Promise<Omit<Service, 'apiKey'>> =>
  selection.as === 'nothing' ? NO_SERVICE : cli.service();

/** The policy of the profile in use, and those that hold beside it. */
const policiesOf = (selection: Selection, { profile, baseUrl }: Omit<Service, 'apiKey'>): readonly ProfilePolicy[] => {
  const { policy } = selection.settings;
  return [...(policy ? [{ profile, baseUrl, policy }] : []), ...(selection.beside ?? [])];
};

/** The sandbox that a person at a terminal is given, and nobody named, says nothing of where a signature is for. */
const isNamedSandbox = (selection: Selection): boolean =>
  selection.as === 'sandbox' && selection.profile.value === SANDBOX && selection.profile.from !== 'default';

/**
 * The gate that everything that is signed passes: the policies of profiles, that of the key, and the journal that they
 * count in. With `isOfNoService` no profile counts.
 */
export const gateOf = async (
  cli: Cli,
  { isOfNoService = false }: { readonly isOfNoService?: boolean } = {},
): Promise<PolicyGate> => {
  const { openGate } = await import('../../flows/policy/gate.ts');
  const { io } = cli;
  const world = { io, sandboxKnows: sandboxKnows(cli) };
  if (isOfNoService) return openGate({ ...world, service: NO_SERVICE, policies: [] });
  const selection = await cli.selection();
  const service = await serviceFor(cli, selection);
  const settings: GateSettings = {
    ...world,
    service,
    policies: policiesOf(selection, service),
    signsOnlySandbox: isNamedSandbox(selection),
  };
  return openGate(settings);
};

/** The calls that the profile in use pins. Throws `bad_settings` for a pin that cannot be used, before anything begins. */
export const pinsOf = async (cli: Cli): Promise<readonly OpenPin[]> => openPins((await cli.profile()).pins ?? []);
