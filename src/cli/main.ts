/** Replaced by the build with the version in package.json. */
declare const BURSAR_VERSION: string;

/**
 * The program: one command line of a process. `program` is the file that started it. Nothing is loaded for
 * `--version`: scripts ask for it often.
 */
export const main = async (host: NodeJS.Process, program: string): Promise<void> => {
  if (host.argv.length === 3 && host.argv[2] === '--version') {
    host.stdout.write(`${BURSAR_VERSION}\n`);
    return;
  }
  // CommonJS packages in the bundle ask for `require`. One for all is cheaper than one for each file of it.
  const { createRequire } = await import('node:module');
  Object.assign(globalThis, { require: createRequire(import.meta.url) });
  const [{ endProcess, systemIo }, { run }] = await Promise.all([import('../io/system.ts'), import('./run.ts')]);
  endProcess(await run(systemIo(program), BURSAR_VERSION));
};
