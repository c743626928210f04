import { readFileSync } from 'node:fs';
import { readCommandLine } from '../../src/cli/argv/command-line.ts';
import { run } from '../../src/cli/run.ts';
import { parseJson, printJson } from '../../src/core/json.ts';
import { type Decider, type Decision, replayDecider } from './decisions.ts';
import { closeGlobals } from './globals.ts';
import { API_KEY, HOME, keyFile, NODE_URL } from './home.ts';
import { newKernel } from './kernel.ts';
import { type Delivery, type Network, newMachine } from './machine.ts';
import { newOutside } from './outside.ts';

/*
 * The entry for lives that are compared with a sandbox: command lines one after another, without random numbers. The real
 * program runs the same lines, so that the service of these lives is a sandbox with its health and its node.
 */

/** `HOME` and `SERVICE` in files and command lines stand for the home and the address of the sandbox. */
export type Script = {
  readonly files: Readonly<Record<string, string>>;
  readonly commands: readonly (readonly string[])[];
  readonly decisions: readonly Decision[];
};

/** The end of a command line. `code` is null for a killed process. */
export type CommandEnd = {
  readonly code: number | null;
  readonly stdout: string;
  /** The content of each file of the journal. */
  readonly journal: readonly string[];
  /** The path of each file in the home. */
  readonly files: readonly string[];
};

/** A life: the ends of its command lines, its events, and the decisions whose event did not occur. */
export type LifeResult = {
  readonly ended: readonly CommandEnd[];
  readonly events: readonly string[];
  readonly unused: readonly Decision[];
};

/** The scripts, and the process id and the health of the sandbox. */
type Scripts = { readonly lives: readonly Script[]; readonly pid: number; readonly health: string };

const SERVICE = 'http://127.0.0.1:7357';

const filled = (text: string): string => text.replaceAll('HOME', HOME).replaceAll('SERVICE', SERVICE);

const unfilled = (text: string): string => text.replaceAll(HOME, 'HOME').replaceAll(SERVICE, 'SERVICE');

/** Sends the calls of a batch to the node one by one. Only the node of a sandbox accepts batches. */
const deliverToNode = (network: Network, delivered: Delivery): void => {
  const request = { ...delivered.request, url: NODE_URL };
  const batch = parseJson(request.body ?? '') as unknown;
  const calls = [batch].flat();
  const replies: unknown[] = [];
  const respond: Delivery['respond'] = (answer) => {
    replies.push(parseJson(new TextDecoder().decode(answer.body)));
    const body = Buffer.from(printJson(Array.isArray(batch) ? replies : replies[0]));
    if (replies.length === calls.length) delivered.respond({ ...answer, body });
  };
  for (const call of calls) network.deliver({ ...delivered, request: { ...request, body: printJson(call) }, respond });
};

/** The network with a sandbox in place of the service. */
const withSandbox = (network: Network, health: string): Network => ({
  faultsOf: network.faultsOf,
  deliver: (delivered) => {
    const { url } = delivered.request;
    if (url.endsWith('/_chain/polygon')) return deliverToNode(network, delivered);
    if (!url.endsWith('/_sandbox/health')) return network.deliver(delivered);
    const headers = { 'content-type': 'application/json' };
    return delivered.respond({ kind: 'answer', http: 200, headers, body: Buffer.from(health) });
  },
});

/** Virtual time between two command lines. */
const PAUSE_MS = 1_000;

const ENV = { BURSAR_HOME: HOME, BURSAR_PROFILE: 'sandbox', LANG: 'C.UTF-8' };

/** A machine with the files of a script, and the kernel that runs it. */
const newWorld = ({ files }: Script, { pid, health }: Scripts, decider: Decider) => {
  const nothing = () => undefined;
  const kernel = newKernel(decider, nothing);
  const { networkWith } = newOutside({ blockhashAge: 32, kernel, mode: 'honest', lag: 0, ask: nothing, log: nothing });
  const network = withSandbox(networkWith(nothing), health);
  const machine = newMachine({ name: 'alpha', kernel, network, log: nothing, seed: 1 });
  const address = { url: SERVICE, api_key: API_KEY, control_key: 'control', pid };
  machine.disk.put(`${HOME}/sandbox/server.json`, JSON.stringify(address), 0);
  for (const [path, text] of Object.entries(files)) machine.disk.put(`${HOME}/${path}`, text, 0);
  return { kernel, machine };
};

type World = ReturnType<typeof newWorld>;

/** Runs a command line to its end, or until its process is killed. */
const runCommand = async ({ kernel, machine }: World, name: string, args: readonly string[]): Promise<CommandEnd> => {
  let code: number | undefined;
  let isKilled = false;
  const process = machine.start(name, 'script', () => {
    isKilled = true;
  });
  const { io, output } = machine.ioFor(process, HOME, ENV);
  // The sandbox process is on no simulated machine.
  const processes = { ...io.processes, isRunning: () => true };
  const end = (exitCode: number): void => {
    code = exitCode;
    machine.ended(process);
  };
  kernel.at(kernel.now() + PAUSE_MS, () => void run({ ...io, processes }, readCommandLine(args), '0.0.0').then(end));
  const nothing = () => undefined;
  await kernel.runUntil(() => isKilled || code !== undefined, nothing);
  const all = machine.disk.all();
  return {
    code: isKilled ? null : (code ?? null),
    stdout: unfilled(output.stdout),
    journal: all.filter(([path]) => path.endsWith('.ndjson')).map(([, bytes]) => bytes.toString()),
    files: all.map(([path]) => unfilled(path)),
  };
};

const live = async (script: Script, scripts: Scripts): Promise<LifeResult> => {
  const decider = replayDecider(script.decisions.map((decision) => ({ ...decision, on: filled(decision.on) })));
  const events: string[] = [];
  const ask: Decider['ask'] = (event, ...more) => {
    events.push(unfilled(event));
    return decider.ask(event, ...more);
  };
  const world = newWorld(script, scripts, { made: decider.made, ask });
  const ended: CommandEnd[] = [];
  for (const [at, args] of script.commands.entries()) {
    ended.push(await runCommand(world, `P${at + 1}`, args.map(filled)));
  }
  return { ended, events, unused: decider.unused() };
};

const scripts = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Scripts;
const print = (text: string): void => void process.stdout.write(text);
keyFile();
closeGlobals();
const main = async (): Promise<void> => {
  const lived: LifeResult[] = [];
  for (const script of scripts.lives) lived.push(await live(script, scripts));
  print(JSON.stringify(lived));
};
void main();
