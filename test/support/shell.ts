import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type Ended, startBursar } from './bursar.ts';
import { runInProcess } from './in-process.ts';

/** A shell function that passes a command line to the test, then prints its output and returns its exit code. */
const BURSAR = `bursar() {
  local at code; at=$(mktemp -d "$folder/XXXXXX")
  : > "$at/args"; [ $# -eq 0 ] || printf '%s\\0' "$@" > "$at/args"
  env -0 > "$at/env"; cat > "$at/in"
  exec 3<>"/dev/tcp/127.0.0.1/$port"; printf '%s\\n' "$at" >&3; read -r code <&3; exec 3>&-
  cat "$at/out"; cat "$at/err" >&2; return "$code"
}`;

/** Runs the command line that the shell function wrote to a folder. */
const runIn = async (home: string, folder: string): Promise<number | null> => {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const list = async (name: string) => (await read(name)).split('\0').slice(0, -1);
  const env = Object.fromEntries((await list('env')).map((entry) => entry.split(/=(.*)/s, 2)));
  const failed = (error: unknown): Ended => ({ code: 1, stdout: '', stderr: `in the test: ${error}` });
  const settings = { env, stdin: await read('in') };
  const { code, stdout, stderr } = await runInProcess(home, await list('args'), settings).catch(failed);
  await Promise.all([writeFile(join(folder, 'out'), stdout), writeFile(join(folder, 'err'), stderr)]);
  return code;
};

/**
 * Types lines in a real bash without a terminal. The first failure ends the shell. `bursar` runs the built program in the
 * process of the test, so a line needs no process of bursar.
 */
export const typeInShell = async (
  home: string,
  lines: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => {
  await mkdir(join(home, 'typed'), { recursive: true });
  const folder = await mkdtemp(join(home, 'typed', '-'));
  const server = createServer((socket) => {
    const answer = async (at: Buffer) => socket.end(`${await runIn(home, String(at).trimEnd())}\n`);
    socket.once('data', (at) => void answer(at));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const script = ['set -e', `port=${port} folder="$1"`, BURSAR, ...lines].join('\n');
  const ended = await startBursar(home, [], { env, under: ['bash', '-c', script, 'bash', folder] }).ended;
  server.close();
  await rm(folder, { recursive: true });
  return ended;
};
