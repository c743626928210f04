import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../support/judge.ts';
import { judged, runJudge, startTool } from './tools.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

judged('dockerfilelint reports nothing about the Containerfile', async () => {
  const { code, output } = await runJudge('dockerfilelint', [join(ROOT, 'Containerfile')]);
  expect([code, output]).toEqual([0, expect.stringContaining('Issues: None found')]);
});

const canBuild = ['buildah', 'debootstrap'].every((program) => hasProgram(program));

describe.runIf(canBuild)('the image that buildah builds from the Containerfile', () => {
  let store: string;

  /** Runs buildah with images and containers of this test alone. Throws with its output if it fails. */
  const buildah = async (command: string, ...args: readonly string[]) => {
    const storage = ['--storage-driver', 'vfs', '--root', join(store, 'root'), '--runroot', join(store, 'run')];
    return startTool('buildah', [...storage, command, ...args]).ended;
  };

  const succeeded = async (ended: ReturnType<typeof buildah>): Promise<string> => {
    const { code, output } = await ended;
    expect(code, output).toBe(0);
    return output;
  };

  const run = (...args: readonly string[]) => buildah('run', '--isolation', 'chroot', 'smoke', '--', ...args);

  beforeAll(async () => {
    // Debian's tools need a disk with devices and programs, which a folder in memory may forbid.
    store = await mkdtemp('/var/tmp/bursar-image-');
    const base = await startTool('bash', [join(ROOT, 'test/judges/make-image-base.sh')]).ended;
    expect(base.code, base.output).toBe(0);
    await succeeded(buildah('from', '--name', 'base', 'scratch'));
    await succeeded(buildah('add', '--quiet', 'base', base.output.trim().split('\n').at(-1) ?? '', '/'));
    await succeeded(buildah('commit', '--quiet', '--rm', 'base', 'localhost/bursar-base:bookworm'));
    const args = ['NODE_IMAGE=localhost/bursar-base', 'NODE_TAG=bookworm'].flatMap((arg) => ['--build-arg', arg]);
    await succeeded(buildah('bud', '--isolation', 'chroot', ...args, '--tag', 'localhost/bursar', ROOT));
    await succeeded(buildah('from', '--name', 'smoke', 'localhost/bursar'));
  }, 600_000);

  afterAll(async () => {
    // The sandbox is a process of its own, which outlives the command that starts it.
    await run('bursar', 'sandbox', 'stop');
    await buildah('rm', '--all');
    await rm(store, { recursive: true, force: true });
  });

  it('passes every flow in its sandbox', async () => {
    expect(await succeeded(run('bursar', '--profile', 'sandbox', 'smoke', 'run'))).toContain('6 of 6 flows passed');
  });

  it('ends with 13 where a flow fails', async () => {
    const fault = 'bursar --profile sandbox sandbox fault pay.execute payment_failed';
    const { code, output } = await run('sh', '-c', `${fault} && bursar --profile sandbox smoke run crypto-payment`);
    expect([code, output]).toEqual([13, expect.stringContaining('payment_failed')]);
  });

  it('runs as a user without rights, whose home is closed to others', async () => {
    const output = await succeeded(
      run('sh', '-c', 'id -un; stat -c "%a %U" "$BURSAR_HOME"; touch /opt/bursar/x 2>&1 || echo no'),
    );
    expect(output).toMatch(/^bursar\n700 bursar\n[\s\S]*\nno\n$/);
  });

  it('starts bursar, keeps its state in a volume, and has no package of the build', async () => {
    const config = JSON.parse(await succeeded(buildah('inspect', '--type', 'image', 'localhost/bursar'))).OCIv1.config;
    expect(config).toMatchObject({
      User: 'bursar',
      Entrypoint: ['bursar'],
      Volumes: { '/home/bursar/state': {} },
      WorkingDir: '/work',
    });
    expect((await run('ls', '/opt/bursar/node_modules/typescript')).code).toBe(2);
  });
});
