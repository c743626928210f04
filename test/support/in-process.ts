import { hostname } from 'node:os';
import { run } from '../../src/cli/run.ts';
import { systemHttp } from '../../src/io/http.ts';
import { keyringOn } from '../../src/io/keyring.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import { type Ended, PROGRAM } from './bursar.ts';
import { ioAt } from './io.ts';

/**
 * Runs a command line in this process, over the real network, files and processes: a tenth of what a process of its
 * own costs. For what has to be true of hundreds of lines; how the built program starts and ends is tested elsewhere.
 */
export const runInProcess = async (
  home: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, BURSAR_HOME: home, LANG: 'C.UTF-8', ...more };
  const interrupted = new AbortController().signal;
  const { io, said } = ioAt(home, { env, stdin: '' });
  const self = { pid: process.pid, host: hostname(), node: process.execPath, program: PROGRAM, env };
  const code = await run(
    {
      ...io,
      args,
      cwd: home,
      interrupted,
      random: { ...io.random, fraction: Math.random },
      http: systemHttp(interrupted, env),
      processes: systemProcesses(self, process.kill.bind(process)),
      keyring: keyringOn(process.platform, { env, interrupted }),
    },
    '0.0.0',
  );
  return { code, ...said };
};
