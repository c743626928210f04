import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM } from '../support/bursar.ts';
import { commandLines, shellBlocks } from '../support/documents.ts';

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

/** The environment of npm: nothing is downloaded. */
const offline = (home: string) => ({
  PATH: process.env['PATH'],
  HOME: home,
  npm_config_cache: join(home, 'cache'),
  npm_config_offline: 'true',
  npm_config_omit: 'optional',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
});

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
    const env = offline(folder);
    const args = ['install', '--prefix', folder, join(folder, packed.filename)];
    const installed = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', env });
    expect({ status: installed.status, stderr: installed.stderr }).toEqual({ status: 0, stderr: '' });
    const bin = join(folder, 'node_modules/.bin/bursar');
    const ran = spawnSync(bin, ['explain', '11', '--json'], { encoding: 'utf8', env: { ...env, BURSAR_HOME: folder } });
    expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ code: '11' });
  });

  it.each([
    ['docs/kit.md', undefined],
    ['examples/README.md', 'node-test'],
  ])('is installed in a project by the lines of %s', async (page, example) => {
    const block = shellBlocks(readFileSync(join(ROOT, page), 'utf8')).find((each) => each.includes('npm pack'));
    const [packing, installing = ''] = commandLines(block ?? '');
    expect(packing).toBe('npm ci --ignore-scripts && npm pack');
    const project = join(folder, `project-${example}`);
    await mkdir(project);
    if (example === undefined) await writeFile(join(project, 'package.json'), '{"private":true}');
    else await cp(join(ROOT, 'examples', example), project, { recursive: true });
    await cp(join(folder, packed.filename), join(folder, 'bursar', packed.filename));
    const installed = spawnSync('sh', ['-c', installing], { cwd: project, encoding: 'utf8', env: offline(folder) });
    expect({ status: installed.status, stderr: installed.stderr }).toEqual({ status: 0, stderr: '' });
    const code = "import('bursar/client').then(({ createClient }) => console.log(typeof createClient))";
    const ran = spawnSync(process.execPath, ['-e', code], { cwd: project, encoding: 'utf8' });
    expect(ran.stdout).toBe('function\n');
  });
});
