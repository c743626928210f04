import { globalsFrom, readCommandLine } from '../../../src/cli/argv/command-line.ts';
import type { Command } from '../../../src/cli/command/command.ts';
import { sign as paySign } from '../../../src/cli/commands/pay/sign.ts';
import { openCli } from '../../../src/cli/context/context.ts';
import { reportFailure } from '../../../src/cli/print/exit.ts';
import { systemIo } from '../../../src/io/system.ts';

/** A command as bursar runs it, with the settings of a live profile named acme that TEST_SETTINGS holds as JSON. */
const io = systemIo(process.argv[1] ?? '');
const line = readCommandLine(process.argv.slice(2));
const LEAF: Command = paySign;
const given = Object.fromEntries(
  line.argv.map((arg) => {
    const [name = '', value] = arg.replace(/^--/, '').split('=');
    return [name, value ?? true];
  }),
);
const service = { profile: 'acme', kind: 'live', baseUrl: 'https://acme.example', apiKey: undefined } as const;
const cli = openCli(io, globalsFrom(given, io.env), 'test');
try {
  const profile = async () => JSON.parse(io.env['TEST_SETTINGS'] ?? '{}');
  await LEAF.run({ ...cli, profile, service: async () => service }, given);
  process.exit(0);
} catch (error) {
  process.exit(await reportFailure(io, line, error));
}
