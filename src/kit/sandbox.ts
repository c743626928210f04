import { CHAIN_NAMES, SOLANA } from '../contract/chains.ts';
import { readBalances, startSolana, switchChain } from '../contract/control/chains.ts';
import { Failure, type FailureCode, undefinedOn } from '../core/failure.ts';
import { isJsonObject, parseJson, textAt, valueAt } from '../core/json.ts';
import { type Child, startChild } from '../io/child.ts';
import { systemFiles } from '../io/files/files.ts';
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

const problemOfChains = (chains: unknown): string | undefined => {
  if (!Array.isArray(chains)) return 'chains must be a list of names';
  const unknown = chains.find((name) => !CHAIN_NAMES.some((known) => known === name));
  return unknown === undefined ? undefined : `the sandbox has no chain ${unknown}, only ${CHAIN_NAMES.join(', ')}`;
};

const OPTIONS: readonly string[] = ['home', 'port', 'chains'] satisfies readonly (keyof SandboxOptions)[];

/** Why the options cannot be used; `undefined` if they can. An empty `home` would name the user's own sandbox. */
const problemOf = (options: unknown): string | undefined => {
  if (!isJsonObject(options)) return 'the options must be an object';
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) return `there is no option ${unknown}, only ${OPTIONS.join(', ')}`;
  const { home, port, chains } = options;
  if (home !== undefined && (typeof home !== 'string' || home === '' || home.includes('\0')))
    return 'home must be the path of a folder';
  if (port !== undefined && !(typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535))
    return 'port must be a number from 0 to 65535';
  return chains === undefined ? undefined : problemOfChains(chains);
};

const argumentsOf = ({ home, port = 0 }: SandboxOptions): readonly string[] => [
  ...['sandbox', 'start', '--foreground', '--json', '--no-input', '--until-stdin-ends', '--port', String(port)],
  ...(home === undefined ? ['--temporary'] : []),
];

const cannotStart = (reason: string, hint?: string, code: FailureCode = 'sandbox_unavailable'): Failure =>
  new Failure(code, `the sandbox could not be started: ${reason}`, { ...(hint && { hint }) });

type Address = Readonly<Record<'url' | 'api_key' | 'control_key' | 'home', string>> & { readonly pid: number };

const read = (text: string): unknown => undefinedOn(() => parseJson(text));

const addressIn = (line: string): Address | undefined => {
  const json = read(line);
  const url = textAt(json, 'url');
  if (url === undefined) return undefined;
  const text = (name: string) => textAt(json, name) ?? '';
  const keys = { api_key: text('api_key'), control_key: text('control_key') };
  return { url, ...keys, home: text('home'), pid: Number(valueAt(json, 'pid')) };
};

/** The failure of a sandbox that has ended before it answered. Its output has the reason as JSON. */
const failureIn = (output: string, child: Child): Failure => {
  const error = valueAt(read(output), 'error');
  const message = textAt(error, 'message');
  if (message === undefined) return cannotStart('its process ended', child.errors().trim());
  const hint = textAt(error, 'hint');
  return cannotStart(message.replace(/\.?$/, '.'), hint, textAt(error, 'code') as FailureCode | undefined);
};

const addressOrOutput = async ({ firstLine, output }: Child): Promise<Address | string> =>
  addressIn((await firstLine) ?? '') ?? output;

/** Waits for the address of a sandbox. This wait keeps the process running; the sandbox afterwards does not. */
const whenReady = async (child: Child): Promise<Address> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), READY_MS);
  });
  const found = await Promise.race([addressOrOutput(child), late]);
  clearTimeout(timer);
  if (found === 'late') throw cannotStart(`it did not answer within ${READY_MS / 1000} s`, child.errors().trim());
  if (typeof found === 'string') throw failureIn(found, child);
  return found;
};

/** An address that holds no money. Reading its balance starts the node of a chain. */
const NOBODY = '0x0000000000000000000000000000000000000001';

const startChain = (address: Address, chain: string): Promise<unknown> =>
  chain === SOLANA
    ? callControl(address, startSolana, {})
    : callControl(address, readBalances, { address: NOBODY, chain });

const chooseChains = async (address: Address, chains: readonly string[]): Promise<void> => {
  for (const name of CHAIN_NAMES) await callControl(address, switchChain, { name, enabled: chains.includes(name) });
  await Promise.all(chains.map((chain) => startChain(address, chain)));
};

/** Ends a sandbox once. A sandbox that was killed leaves its private folder, so the folder is removed here too. */
const stopOnce = (child: Child): ((privateHome?: string) => Promise<void>) => {
  let stopped: Promise<void> | undefined;
  return (privateHome) => {
    stopped ??= child.end(END_MS).then(() => (privateHome ? systemFiles.removeFolder(privateHome) : undefined));
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
  const child = startChecked(options);
  const end = stopOnce(child);
  let address: Address | undefined;
  const stop = () => end(options.home === undefined ? address?.home : undefined);
  try {
    address = await whenReady(child);
    if (options.chains) await chooseChains(address, options.chains);
    const { url, api_key: apiKey, pid } = address;
    const home = options.home ?? address.home;
    return { ...controlsOf(address), url, apiKey, home, pid, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw asKitError(error);
  }
};

/** Starts the process of a sandbox, after a check of the options. */
const startChecked = (options: SandboxOptions): Child => {
  const problem = problemOf(options);
  if (problem !== undefined) throw asKitError(new Failure('invalid_input', problem));
  const env = options.home === undefined ? {} : { BURSAR_HOME: options.home };
  return startChild(programFile(), argumentsOf(options), env);
};

const controlsOf = (address: Address) =>
  Object.fromEntries(
    Object.entries(CONTROLS).map(([name, endpoint]): [string, ControlFunction] => [
      name,
      (input = {}) => callControl(address, endpoint, input),
    ]),
  ) as Record<keyof typeof CONTROLS, ControlFunction>;
