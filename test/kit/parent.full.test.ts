import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/kit/sandbox.ts';
import { temporaryFolder } from '../support/io.ts';
import { descendantsOf, stillRuns } from './processes.ts';

const KIT = pathToFileURL(fileURLToPath(new URL('../../dist/kit/sandbox.js', import.meta.url))).href;

/** The limit of the promise for a parent that was killed. */
const LIMIT_MS = 2_000;

/** A program that starts a sandbox with a node, prints its process, and then does not stop it. */
const startParent = async (rest: string) => {
  const file = join(await temporaryFolder(), 'parent.mjs');
  const code = `import { startSandbox } from '${KIT}';
const sandbox = await startSandbox({ chains: ['polygon', 'solana'] });
const { pid, home, url } = sandbox;
process.stdout.write(JSON.stringify({ pid, home, url }) + '\\n');
${rest}`;
  await writeFile(file, code);
  const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(parent, 'exit');
  const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
  return { parent, ended, ...(JSON.parse(line) as Pick<Sandbox, 'pid' | 'home' | 'url'>) };
};

const whenGone = async (pids: readonly number[]): Promise<number> => {
  const start = performance.now();
  while (pids.some(stillRuns) && performance.now() - start < 4 * LIMIT_MS) await setTimeout(20);
  return performance.now() - start;
};

describe.runIf(process.platform === 'linux')('a sandbox of the kit', () => {
  it('ends with its nodes within two seconds after SIGKILL of its parent', async () => {
    const { parent, ended, pid, home } = await startParent('setInterval(() => undefined, 1000);');
    const nodes = descendantsOf(pid);
    expect(nodes.length).toBeGreaterThan(0);
    parent.kill('SIGKILL');
    await ended;
    expect(await whenGone([pid, ...nodes])).toBeLessThan(LIMIT_MS);
    expect(existsSync(home)).toBe(false);
  });

  it('ends within two seconds also while another program is connected or calls', async () => {
    const { parent, ended, pid, url } = await startParent('setInterval(() => undefined, 1000);');
    const { host, port } = new URL(url);
    const others = [1, 2].map(() => connect(Number(port), '127.0.0.1').on('error', () => undefined));
    others[0]?.write(`POST /payment/execute/on-chain HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 2\r\n\r\n{`);
    await setTimeout(300);
    parent.kill('SIGKILL');
    await ended;
    expect(await whenGone([pid])).toBeLessThan(LIMIT_MS);
    for (const other of others) other.destroy();
  });

  it('does not keep a program running that forgets to stop it, and ends with that program', async () => {
    const { ended, pid } = await startParent('');
    const [code] = await ended;
    expect(code).toBe(0);
    expect(await whenGone([pid])).toBeLessThan(LIMIT_MS);
  });

  it('keeps its program running until stop has killed a sandbox that does not answer', async () => {
    const rest = "process.kill(sandbox.pid, 'SIGSTOP');\nawait sandbox.stop();";
    const { ended, pid, home } = await startParent(rest);
    const [code] = await ended;
    expect([code, stillRuns(pid), existsSync(home)]).toEqual([0, false, false]);
  });

  it('starts four times at once, each with its own port, folder and money', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => startSandbox({ chains: ['polygon'] })));
    expect(new Set(all.map(({ url }) => url)).size).toBe(4);
    expect(new Set(all.map(({ home }) => home)).size).toBe(4);
    const address = '0x1111111111111111111111111111111111111111';
    await Promise.all(
      all.map((each, at) => each.fund({ address, chain: 'polygon', token: 'USDT', amount: `${at + 1}` })),
    );
    const read = await Promise.all(all.map((each) => each.balances({ address, chain: 'polygon' })));
    const amounts = read.map((each) => JSON.stringify(each).match(/"symbol":"USDT","amount":"([^"]*)"/)?.[1]);
    expect(amounts).toEqual(['1', '2', '3', '4']);
    await Promise.all(all.map(({ stop }) => stop()));
    expect(all.map(({ home }) => existsSync(home))).toEqual([false, false, false, false]);
    expect(all.filter(({ pid }) => stillRuns(pid))).toEqual([]);
  });
});
