import { isFailure } from '../../src/core/failure.ts';
import { systemIo } from '../../src/io/system.ts';
import { runSandbox } from '../../src/sandbox/launcher.ts';

// Reads the same arguments as the command that runs the sandbox in the foreground.
const io = systemIo(process.argv[1] ?? '');
const args = process.argv.slice(2);
const at = args.indexOf('--port');
try {
  await runSandbox(io, {
    ephemeral: args.includes('--ephemeral'),
    ...(at >= 0 && { port: Number(args[at + 1]) }),
    onReady: ({ url }) => io.stdout.write(`${url}\n`),
  });
} catch (error) {
  await io.stderr.write(isFailure(error) ? `${error.code}: ${error.message}\n` : `${String(error)}\n`);
  process.exitCode = 1;
}
