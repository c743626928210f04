import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Builds a program of TypeScript that imports from `src`, and starts it. Its output is piped. */
export const startProgram = async (
  folder: string,
  code: string,
  args: readonly string[],
): Promise<ChildProcess & { readonly stdout: NodeJS.ReadableStream }> => {
  const outfile = join(folder, 'program.mjs');
  await build({
    stdin: { contents: code, resolveDir: '.', loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
  });
  return spawn(process.execPath, [outfile, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
};
