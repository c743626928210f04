import { CHAIN_NAMES, SOLANA } from '../contract/chains.ts';
import { readBalances, startSolana, switchChain } from '../contract/control/chains.ts';
import { Failure } from '../core/failure.ts';
import { parseJson, textAt, valueAt } from '../core/json.ts';
import { type Child, startChild } from '../io/child.ts';
import { programFile } from '../io/package.ts';
import { asKitError, CONTROLS, callControl } from './control.ts';

/** The options of `startSandbox`. */
export type SandboxOptions = {
  /** A folder that keeps the sandbox's state. Without it the sandbox has a new private folder, which `stop` removes. */
  readonly home?: string | undefined;
  /** The port of the server; a free one without it. */
  readonly port?: number | undefined;
  /** The chains that accept payments. Their nodes start at once; all other chains are switched off. */
  readonly chains?: readonly string[] | undefined;
};

/** A function of the control. It rejects with an error of the kit. */
export type ControlFunction = (input?: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** A running sandbox, with the functions of its control. */
export type Sandbox = Readonly<Record<keyof typeof CONTROLS, ControlFunction>> & {
  readonly url: string;
  readonly apiKey: string;
  readonly home: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** A sandbox that is still working is killed after this time. */
const END_MS = 10_000;
const READY_MS = 30_000;

const argumentsOf = ({ home, port = 0 }: SandboxOptions): readonly string[] => [
  ...['sandbox', 'start', '--foreground', '--json', '--no-input', '--until-stdin-ends', '--port', String(port)],
  ...(home === undefined ? ['--temporary'] : []),
];

const cannotStart = (child: Child, reason: string): Failure => {
  const output = child.errors().trim();
  return new Failure('sandbox_unavailable', `the sandbox could not be started: ${reason}`, {
    ...(output !== '' && { hint: output }),
  });
};

type Address = Readonly<Record<'url' | 'api_key' | 'control_key' | 'home', string>> & { readonly pid: number };

const addressIn = (line: string): Address => {
  const json = parseJson(line);
  const text = (name: string) => textAt(json, name) ?? '';
  const keys = { api_key: text('api_key'), control_key: text('control_key') };
  return { url: text('url'), ...keys, home: text('home'), pid: Number(valueAt(json, 'pid')) };
};

/** Waits for the address of a sandbox. This wait keeps the process running; the sandbox afterwards does not. */
const whenReady = async (child: Child): Promise<Address> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), READY_MS);
  });
  const line = await Promise.race([child.firstLine, late]);
  clearTimeout(timer);
  if (line === 'late') throw cannotStart(child, `it did not answer within ${READY_MS / 1000} s`);
  if (line === undefined) throw cannotStart(child, 'its process ended');
  return addressIn(line);
};

/** An address that holds no money. Reading its balance starts the node of a chain. */
const NOBODY = '0x0000000000000000000000000000000000000001';

const startChain = (address: Address, chain: string): Promise<unknown> =>
  chain === SOLANA
    ? callControl(address, startSolana, {})
    : callControl(address, readBalances, { address: NOBODY, chain });

const chooseChains = async (address: Address, chains: readonly string[]): Promise<void> => {
  const unknown = chains.find((name) => !CHAIN_NAMES.some((known) => known === name));
  if (unknown !== undefined) {
    const message = `the sandbox has no chain ${unknown}, only ${CHAIN_NAMES.join(', ')}`;
    throw new Failure('invalid_input', message, { isUnsent: true });
  }
  for (const name of CHAIN_NAMES) await callControl(address, switchChain, { name, enabled: chains.includes(name) });
  await Promise.all(chains.map((chain) => startChain(address, chain)));
};

const stopOnce = (child: Child): (() => Promise<void>) => {
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= child.end(END_MS);
    return stopped;
  };
};

/**
 * Starts a sandbox of the whole service: offline, on this machine, with test money. It ends within two seconds of the
 * process that started it. Throws an error with the code `sandbox_unavailable` if it cannot run.
 *
 * @example
 * await using sandbox = await startSandbox();
 * const client = createClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
 */
export const startSandbox = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  const env = options.home === undefined ? {} : { BURSAR_HOME: options.home };
  const child = startChild(programFile(), argumentsOf(options), env);
  const stop = stopOnce(child);
  try {
    const address = await whenReady(child);
    if (options.chains) await chooseChains(address, options.chains);
    const functions = Object.fromEntries(
      Object.entries(CONTROLS).map(([name, endpoint]): [string, ControlFunction] => [
        name,
        (input = {}) => callControl(address, endpoint, input),
      ]),
    ) as Record<keyof typeof CONTROLS, ControlFunction>;
    const { url, api_key: apiKey, pid } = address;
    const home = options.home ?? address.home;
    return { ...functions, url, apiKey, home, pid, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw asKitError(error);
  }
};
