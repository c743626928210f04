import { globalsFrom, readCommandLine } from '../../../src/cli/argv/command-line.ts';
import type { Command } from '../../../src/cli/command/command.ts';
import { sign as paySign } from '../../../src/cli/commands/pay/sign.ts';
import { openCli } from '../../../src/cli/context/context.ts';
import { reportFailure } from '../../../src/cli/print/exit.ts';
import { systemIo } from '../../../src/io/system.ts';

/** Runs `pay sign` with a live profile named acme, whose settings are in TEST_SETTINGS as JSON. */
const io = systemIo(process.argv[1] ?? '');
const line = readCommandLine(process.argv.slice(2));
const COMMAND: Command = paySign;
const args = Object.fromEntries(
  line.argv.map((arg) => {
    const [name = '', value] = arg.replace(/^--/, '').split('=');
    return [name, value ?? true];
  }),
);
const service = { profile: 'acme', kind: 'live', baseUrl: 'https://acme.example', apiKey: undefined } as const;
const cli = openCli(io, globalsFrom(args, io.env), 'test');
try {
  const profile = async () => JSON.parse(io.env['TEST_SETTINGS'] ?? '{}');
  await COMMAND.run({ ...cli, profile, service: async () => service }, args);
  process.exit(0);
} catch (error) {
  process.exit(await reportFailure(io, line, error));
}
