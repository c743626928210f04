import { Failure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import type { SandboxCommand } from './control.ts';

const portFrom = (given: ParsedArgs): number | undefined => {
  const text = stringArg(given, 'port');
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new Failure('invalid_input', `--port: "${text}" is not a port number from 0 to 65535`);
};

/** A home has one sandbox. A note shows where the running one differs from the requested one. */
const noteDifferences = async (
  cli: CommandContext,
  requested: { port?: number; ephemeral: boolean },
  url: string,
): Promise<void> => {
  const { sandboxStatus } = await import('../../../sandbox/launcher.ts');
  const status = requested.ephemeral ? await sandboxStatus(cli.io) : undefined;
  const differs = [
    ...(requested.port && Number(new URL(url).port) !== requested.port ? [`not on port ${requested.port}`] : []),
    ...(status?.running && !status.ephemeral ? ['keeps its state'] : []),
  ];
  if (differs.length === 0) return;
  await cli.say(`It runs already, ${differs.join(', and ')}. To start another: bursar sandbox stop`);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const port = portFrom(given);
  const options = { ephemeral: boolArg(given, 'ephemeral'), ...(port !== undefined && { port }) };
  const launcher = await import('../../../sandbox/launcher.ts');
  const { dashboardLink } = await import('../../../sandbox/address.ts');
  const print = async (address: Parameters<typeof dashboardLink>[0]): Promise<void> => {
    // A script that starts a process reads one line of it; the same document, only compact.
    const { json, fields, jq } = cli.globals;
    if (json && !fields && jq === undefined) return cli.io.stdout.write(`${printJson(address)}\n`);
    await cli.printResult(address);
    if (cli.io.stdout.isTerminal && !cli.globals.json) await cli.say(`Dashboard: ${dashboardLink(address)}`);
  };
  if (!boolArg(given, 'foreground')) {
    const address = await cli.io.spin('Starting the sandbox', launcher.startSandbox(cli.io, options));
    await print(address);
    return noteDifferences(cli, options, address.url);
  }
  return launcher.runSandbox(cli.io, { ...options, version: cli.version, onReady: print });
};

/** `sandbox start`. */
export const start: SandboxCommand = {
  words: ['sandbox', 'start'],
  controls: [],
  summary: 'Start the sandbox in the background, or print its address',
  about: ['It answers on this machine only. It stops after 30 idle minutes; its state stays.'],
  options: [
    { flag: '--port', value: 'N', usual: 'the last one, or a free one', description: 'Port of the sandbox' },
    { flag: '--foreground', description: 'Stay in this process until Ctrl-C' },
    { flag: '--ephemeral', description: 'Store nothing: the state is deleted when it stops' },
  ],
  fails: ['sandbox_unavailable'],
  examples: ['sandbox start', 'sandbox start --ephemeral --json'],
  interruptGraceMs: 8000,
  run,
};
