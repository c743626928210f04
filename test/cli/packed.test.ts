import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM } from '../support/bursar.ts';

const ROOT = join(dirname(PROGRAM), '..');

/** The files that a user of the package needs. */
const NEEDED =
  /^(?:bin\/(?:bursar\.js|package\.json)|completions\/[\w.]+|docs\/[\w-]+\.md|examples\/(?:README\.md|[\w-]+\/[\w.-]+\.(?:js|json))|dist\/(?:main\.js|chunks\/[\w.-]+\.js|kit\/[\w.]+|man\/[\w-]+\.1|reference\.md|THIRD-PARTY-LICENSES\.txt|[\w./-]+\.(?:json|wasm|sql|html|css|js))|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/;

type Packed = { readonly filename: string; readonly files: readonly { readonly path: string }[] };

const pack = (folder: string): Packed => {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })) as readonly Packed[];
  if (!packed) throw new Error('npm packed nothing');
  return packed;
};

describe('the packed tarball', () => {
  let folder = '';
  let packed: Packed;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bursar-packed-'));
    packed = pack(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('contains only files for users: no source, test or map', () => {
    const { files } = packed;
    expect(files.map(({ path }) => path).filter((path) => !NEEDED.test(path))).toEqual([]);
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['bin/bursar.js', 'completions/_bursar']));
  });

  it('installs without a network and without a warning, and runs', () => {
    const options = ['--offline', '--omit=optional', '--no-audit', '--no-fund', '--prefix', folder];
    const env = { PATH: process.env['PATH'], HOME: folder, npm_config_cache: join(folder, 'cache') };
    const installed = spawnSync('npm', ['install', ...options, join(folder, packed.filename)], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
    expect({ status: installed.status, stderr: installed.stderr }).toEqual({ status: 0, stderr: '' });
    const bin = join(folder, 'node_modules/.bin/bursar');
    const ran = spawnSync(bin, ['explain', '11', '--json'], { encoding: 'utf8', env: { ...env, BURSAR_HOME: folder } });
    expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ code: '11' });
  });
});
