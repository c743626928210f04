import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { hasStrace } from '../support/strace.ts';

/*
 * The system calls of a command. Times differ between machines and are in the bench. These counts do not differ, so
 * they fail when a command loads more. They apply to one version of Node.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VERSION = '20.20.2';
const NODE_20 = join(ROOT, 'test/nodes/node_modules/node20/bin/node');

const findNode = (): string | undefined => {
  if (process.versions.node === VERSION) return process.execPath;
  if (existsSync(NODE_20)) return NODE_20;
  const how = `Node ${VERSION} is missing (npm ci --ignore-scripts --prefix test/nodes)`;
  if (process.env['CI']) throw new Error(`CI needs it for the counts of a start: ${how}`);
  process.stderr.write(`Left out: what a command loads and syncs; ${how}.\n`);
  return undefined;
};

const node = findNode();

let sandbox: SharedSandbox;
let one: Case;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
  one = await sandbox.newCase();
  for (const name of ['second', 'third']) await one.bursar(['key', 'new', name, '--chain', 'evm']);
});

afterAll(() => sandbox.end());

const CALLS = 'trace=open,openat,stat,lstat,newfstatat,statx,access,readlink,connect,fsync,fdatasync';

/** The system calls of a command, each with its path as strace prints it. */
const callsOf = async (args: readonly string[]) => {
  const log = join(one.home, 'counts');
  const under = ['strace', '-f', '-qq', '-y', '-s', '300', '-e', CALLS, '-o', log];
  const { code, stderr } = await one.start(args, { under, ...(node && { node }) }).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const lines = (await readFile(log, 'utf8')).split('\n');
  return lines.flatMap((line) => {
    const [, name = '', rest = ''] = /^\d+\s+(\w+)\((.*)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, path: /"([^"]*)"/.exec(rest)?.[1] ?? /<([^>]*)>/.exec(rest)?.[1] ?? '', rest }];
  });
};

/** The number of each call. `files` and `bytes` are the loaded files of the program and their total size. */
const countsOf = async (args: readonly string[]) => {
  const calls = await callsOf(args);
  const isOpen = ({ name }: { name: string }) => name.startsWith('open');
  const isSync = ({ name }: { name: string }) => /^f(?:data)?sync$/.test(name);
  const isConnect = ({ name, rest }: { name: string; rest: string }) => name === 'connect' && rest.includes('sin_port');
  const own = calls.filter((call) => isOpen(call) && call.path.startsWith(ROOT) && call.path.endsWith('.js'));
  const loaded = [...new Set(own.map(({ path }) => path))];
  const sizes = await Promise.all(loaded.map(async (path) => (await stat(path)).size));
  return {
    files: loaded.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    // Node also reads folders above the program and the home. Their number depends on the machine.
    program: calls.filter(({ name, path }) => path.startsWith(ROOT) && !/sync|connect/.test(name)).length,
    home: calls.filter(({ name, path }) => path.startsWith(one.home) && !/sync|connect/.test(name)).length,
    connects: calls.filter(isConnect).length,
    syncs: calls.filter(isSync).length,
  };
};

const PAY = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--json'];

describe.runIf(hasStrace('what a command loads and syncs') && node !== undefined)(
  'the system calls of a command',
  () => {
    it.each([
      { args: ['--version'], files: 2, bytes: 3_700, program: 11, home: 0, connects: 0, syncs: 0 },
      { args: ['--help'], files: 4, bytes: 85_500, program: 23, home: 0, connects: 0, syncs: 0 },
      { args: ['pay', 'run', '--help'], files: 4, bytes: 89_500, program: 23, home: 0, connects: 0, syncs: 0 },
      {
        args: ['completion', '--values', 'keys'],
        files: 3,
        bytes: 80_500,
        program: 17,
        home: 1,
        connects: 0,
        syncs: 0,
      },
      { args: ['key', 'list'], files: 8, bytes: 328_500, program: 39, home: 12, connects: 0, syncs: 0 },
      // bursar checks whether the sandbox runs, and then asks for the price.
      { args: ['quote', 'BTC', 'USDT'], files: 7, bytes: 469_000, program: 35, home: 6, connects: 2, syncs: 0 },
      { args: PAY, files: 20, bytes: 1_326_000, program: 88, home: 150, connects: 10, syncs: 23 },
      { args: ['pay', 'list'], files: 9, bytes: 477_000, program: 43, home: 14, connects: 0, syncs: 4 },
    ])('of $args stay within their limits', async ({ args, ...most }) => {
      const counts = await countsOf(args);
      const isWithin = ([name, count]: [string, number]) => counts[name as keyof typeof counts] <= count;
      expect(
        Object.fromEntries(Object.entries(most).filter((each) => !isWithin(each))),
        JSON.stringify(counts),
      ).toEqual({});
      expect(counts.files).toBeGreaterThan(1);
    });

    it('include network calls and syncs for a payment', async () => {
      const { connects, syncs } = await countsOf(PAY);
      expect(connects).toBeGreaterThan(4);
      expect(syncs).toBeGreaterThan(10);
    });
  },
);
