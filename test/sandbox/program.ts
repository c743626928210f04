import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import { BUNDLE } from '../support/entry.ts';
import { sandboxIo } from './sandbox.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Inside node_modules, so that the bundle can import packages that are not part of it. */
const FOLDER = at('../../node_modules/.cache/bursar-sandbox-test');

const buildProgram = async (outdir: string): Promise<string> => {
  await build({
    entryPoints: { program: at('./program-entry.ts') },
    outdir,
    ...BUNDLE,
    minifySyntax: true,
    minifyWhitespace: true,
  });
  return `${outdir}/program.mjs`;
};

/** Builds a program that only runs the sandbox, for all tests of a file; returns a function for its path. */
export const useSandboxProgram = (): (() => string) => {
  const outdir = `${FOLDER}/${process.pid}`;
  let program = '';
  beforeAll(async () => {
    program = await buildProgram(outdir);
  });
  afterAll(() => rm(outdir, { recursive: true, force: true }));
  return () => program;
};

/** An Io that starts the program as its background process, in the same home. */
export const launchingIo = async (program: string): Promise<Io> => {
  const io = await sandboxIo();
  const env = { PATH: process.env['PATH'], BURSAR_HOME: io.cwd, HOME: io.cwd };
  const self = { pid: process.pid, host: 'test', node: process.execPath, program, env };
  return { ...io, processes: systemProcesses(self, process.kill.bind(process)) };
};
