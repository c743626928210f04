import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTROL_ENDPOINTS } from '../../src/contract/control/index.ts';
import { createClient } from '../../src/kit/client.ts';
import { CONTROLS } from '../../src/kit/control.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/kit/sandbox.ts';
import { runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';
import { stillRuns } from './processes.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ chains: ['polygon'] });
});

afterAll(() => sandbox.stop());

/** The endpoints of the control without a function: `stop` and `pid` are part of the kit, and a link is for a browser. */
const WITHOUT_FUNCTION = ['process.health', 'process.stop', 'process.link'];

describe('startSandbox', () => {
  it('has a function for every endpoint of the control', () => {
    const ids = Object.values(CONTROLS).map(({ id }) => id);
    expect([...ids, ...WITHOUT_FUNCTION].toSorted()).toEqual(CONTROL_ENDPOINTS.map(({ id }) => id).toSorted());
  });

  it('gives a private folder, a loopback address and a key that the service accepts', async () => {
    expect(statSync(sandbox.home).mode & 0o777).toBe(0o700);
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const client = createClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
    expect(await client['products']?.['list']?.()).toMatchObject({ ok: true });
  });

  it('starts the chosen chains, and switches off the others', async () => {
    const { chains } = (await sandbox.chains()) as { chains: { name: string; enabled: boolean; running: boolean }[] };
    const on = chains.filter(({ enabled }) => enabled);
    expect(on.map(({ name, running }) => ({ name, running }))).toEqual([{ name: 'polygon', running: true }]);
  });

  it('throws an error with code and status for a refused call, and for a wrong field', async () => {
    const refused = sandbox.pix({ payment_id: 'pay_none', outcome: 'pay' });
    await expect(refused).rejects.toMatchObject({
      name: 'SandboxError',
      code: 'not_found',
      status: 'payment_not_found',
    });
    await expect(sandbox.trigger({ state: 'lost' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it.each([
    { options: { chains: ['moon'] }, reason: 'no chain moon' },
    { options: { chains: 'polygon' }, reason: 'chains must be a list' },
    { options: { chain: ['polygon'] }, reason: 'there is no option chain, only home, port, chains' },
    { options: null, reason: 'the options must be an object' },
    { options: { home: '' }, reason: 'home must be' },
    { options: { home: null }, reason: 'home must be' },
    { options: { port: 70_000 }, reason: 'port must be' },
    { options: { port: '8080 --ephemeral' }, reason: 'port must be' },
  ])('refuses $options before anything starts', async ({ options, reason }) => {
    const startedAt = performance.now();
    await expect(startSandbox(options as SandboxOptions)).rejects.toMatchObject({
      name: 'SandboxError',
      code: 'invalid_input',
      message: expect.stringContaining(reason),
    });
    expect(performance.now() - startedAt).toBeLessThan(200);
  });

  it('throws the reason of a sandbox that cannot run', async () => {
    const port = Number(new URL(sandbox.url).port);
    await expect(startSandbox({ port })).rejects.toMatchObject({
      name: 'SandboxError',
      code: 'sandbox_unavailable',
      message: expect.stringContaining(`port ${port} is taken`),
    });
  });

  it('throws the path of a home that cannot be made', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    await expect(startSandbox({ home: join(file, 'home') })).rejects.toMatchObject({
      code: 'unwritable_file',
      message: expect.stringContaining(join(file, 'home')),
    });
  });

  it('removes its folder at stop, also if its process was killed', async () => {
    const other = await startSandbox();
    process.kill(other.pid, 'SIGKILL');
    await other.stop();
    expect(existsSync(other.home)).toBe(false);
  });

  it('sends the control key and no API key to the control, and the data has plain values', async () => {
    const paid = await sandbox.trigger({ state: 'success', amount: '2.50' });
    expect(paid).toMatchObject({ status: 'success', tid_hash: expect.stringMatching(/^0x/) });
    expect(await sandbox.clock()).toMatchObject({ offset_ms: 0 });
  });

  it('removes its folder and ends its process at stop, also by await using, and twice does no harm', async () => {
    const other = await startSandbox();
    await other[Symbol.asyncDispose]();
    await other.stop();
    expect(existsSync(other.home)).toBe(false);
    expect(stillRuns(other.pid)).toBe(false);
  });

  it('keeps a folder that the caller gave, and the payments in it', async () => {
    const home = join(await temporaryFolder(), 'home');
    const first = await startSandbox({ home });
    const { payment_id } = (await first.trigger({ state: 'registered' })) as { payment_id: string };
    await first.stop();
    const second = await startSandbox({ home });
    const client = createClient({ baseUrl: second.url, apiKey: second.apiKey });
    expect(await client['pay']?.['status']?.({ id: payment_id })).toMatchObject({ ok: true });
    expect(second.apiKey).toBe(first.apiKey);
    await second.stop();
    expect(existsSync(home)).toBe(true);
  });
});

describe('sandbox start --temporary', () => {
  it('is exit 2 without --foreground', async () => {
    const { code, stderr } = await runBursar(sandbox.home, ['sandbox', 'start', '--temporary']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--temporary: it needs --foreground')]);
  });
});
