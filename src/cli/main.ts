/** Replaced by the build with the version in package.json. */
declare const BURSAR_VERSION: string;

/** Without a listener Node ends with a stack. A reader that went away is no fault. */
const printUnwritten = (host: NodeJS.Process, error: Error & { readonly code?: string }): void => {
  if (error.code === 'EPIPE') return;
  host.stderr.write(`error: standard output cannot be written: ${error.message}\n`);
  host.exitCode = 1;
};

/**
 * The program: one command line of a process. `program` is the file that started it. Nothing is loaded for
 * `--version`, which scripts ask for often, and little for what shells ask at every key.
 */
export const main = async (host: NodeJS.Process, program: string): Promise<void> => {
  const argv = host.argv.slice(2);
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
    host.stdout.on('error', (error) => printUnwritten(host, error));
    host.stdout.write(`${BURSAR_VERSION}\n`);
    return;
  }
  const line = (await import('./argv/command-line.ts')).readCommandLine(argv);
  const [first, name = '', ...before] = line.words([]);
  const facts = { isQuiet: line.has('--quiet'), mayAsk: !line.has('--no-input') };
  if (first === 'completion' && line.has('--values')) {
    const { systemIo } = await import('../io/system.ts');
    const { printLocal } = await import('./completion/values.ts');
    return printLocal(systemIo(program, host, facts), name, before);
  }
  // Should all work run out before there is an answer, that was no success.
  host.exitCode = 1;
  const [{ endProcess, systemIo }, { run }] = await Promise.all([import('../io/system.ts'), import('./run.ts')]);
  endProcess(host, await run(systemIo(program, host, facts), line, BURSAR_VERSION));
};
