import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProject } from '../../../src/cli/profiles/selection.ts';
import { changeProfiles, readProfiles, readStoredKey, storeKey, withProfile } from '../../../src/cli/profiles/store.ts';
import { nextStep } from '../../../src/core/next.ts';
import { secret } from '../../../src/core/secret.ts';
import { testIo } from '../../support/io.ts';

const given = async (text?: string, mode = 0o600) => {
  const { io, home } = await testIo();
  const path = join(home, 'profiles.json');
  if (text !== undefined) {
    await writeFile(path, text);
    await chmod(path, mode);
  }
  return { io, home, path };
};

const file = (profiles: object, more: object = {}) => JSON.stringify({ version: 1, profiles, ...more });
const URL_ = 'https://prod.example';

describe('the file of profiles', () => {
  it('in a folder that cannot be written fails with unwritable_file', async () => {
    const { io } = await given(file({}));
    const denied = async () => {
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    };
    const locked = { ...io, files: { ...io.files, createPrivate: denied } };
    const unsaved = { ...io, settings: { ...io.settings, write: denied } };
    for (const broken of [locked, unsaved])
      await expect(changeProfiles(broken, (all) => all)).rejects.toMatchObject({ code: 'unwritable_file' });
  });

  it('is private, with any earlier mode and any umask', async () => {
    const { io, home, path } = await given(file({}), 0o644);
    const old = process.umask(0);
    try {
      await changeProfiles(io, (all) => withProfile(all, 'prod', { base_url: URL_ }));
    } finally {
      process.umask(old);
    }
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    expect((await readProfiles(io)).profiles).toEqual({ prod: { base_url: URL_ } });
    expect(await readdir(home)).toEqual(['profiles.json']);
  });

  it('is replaced as a whole, also inside a Snap', async () => {
    const { io, path } = await given(file({}));
    const before = (await stat(path)).ino;
    process.env['SNAP'] = '/snap/code/1';
    try {
      await changeProfiles(io, (all) => withProfile(all, 'prod', { base_url: URL_ }));
      expect(process.env['SNAP']).toBe('/snap/code/1');
    } finally {
      delete process.env['SNAP'];
    }
    expect((await stat(path)).ino).not.toBe(before);
  });

  it.each([
    ['no JSON', '{"version":1,', 'the file is damaged'],
    ['nothing', '', 'the file is damaged'],
    ['a list', '[]', 'must be an object'],
    ['a newer version', '{"version":2,"profiles":{}}', 'version is not 1'],
    [
      'an unknown key',
      file({ prod: { base_url: URL_, polcy: {} } }),
      'profiles.prod.polcy is unknown; did you mean policy?',
    ],
    [
      'an unknown key below',
      file({ prod: { base_url: URL_, policy: { chain: [] } } }),
      'profiles.prod.policy.chain is unknown; did you mean chains?',
    ],
    ['a key for the sandbox', file({ sandbox: { base_url: URL_ } }), 'profiles.sandbox is built in'],
    ['no address', file({ prod: {} }), 'profiles.prod.base_url required'],
    [
      'an amount as a number',
      file({ prod: { base_url: URL_, type_amount_above: { USDT: 1 } } }),
      'type_amount_above.USDT must be a decimal',
    ],
    ['a key in a profile', file({ prod: { base_url: URL_, api_key: 'sk_live' } }), 'profiles.prod.api_key'],
    ['a name that is none', file({ '../x': { base_url: URL_ } }), 'cannot be the name of a profile'],
  ])('with %s is refused in one line with its path, and is not changed', async (_, text, says) => {
    const { io, path } = await given(text);
    const change = () => changeProfiles(io, (all) => withProfile(all, 'x', { base_url: URL_ }));
    // One after the other, because an unhandled rejection ends the run.
    for (const work of [() => readProfiles(io), change]) {
      const error = await work().catch((one) => one);
      expect(error).toMatchObject({ code: 'bad_settings' });
      expect(error.message).toContain(`${path}: `);
      expect(error.message).toContain(says);
      expect(error.message).not.toContain('\n');
    }
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('that others can write is refused with its chmod', async () => {
    const { io, path } = await given(file({}), 0o620);
    await expect(readProfiles(io)).rejects.toMatchObject({ details: { next: nextStep('file.private', '600', path) } });
  });
});

describe('a stored key', () => {
  it('is private, refused when others can read it, and refused for another host', async () => {
    const { io, home } = await given();
    const kept = await storeKey(io, 'file', URL_, secret('sk_live_1'));
    const path = join(home, 'api-keys', `${kept.id}.json`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readStoredKey(io, 'prod', kept, `${URL_}/v2`)).reveal()).toBe('sk_live_1');
    await expect(readStoredKey(io, 'prod', kept, 'https://evil.example')).rejects.toThrow(
      /it is for https:\/\/prod.example/,
    );
    await chmod(path, 0o640);
    await expect(readStoredKey(io, 'prod', kept, URL_)).rejects.toThrow(/can be read by other users/);
  });

  it('that is damaged is refused, without its content in the error', async () => {
    const { io, home } = await given();
    const kept = await storeKey(io, 'file', URL_, secret('sk_live_1'));
    for (const text of ['sk_live_1', '"sk_live_1"', '{"api_key":"sk_live_1"}', '{"api_key": sk_live_1']) {
      await writeFile(join(home, 'api-keys', `${kept.id}.json`), text);
      const error = await readStoredKey(io, 'prod', kept, URL_).catch((one) => one);
      expect(error.code).toBe('bad_settings');
      expect(JSON.stringify([error.message, error.details])).not.toContain('sk_live');
    }
  });
});

describe('the project file', () => {
  const project = async (cwd: string, files: Readonly<Record<string, string>>) => {
    const { io, home } = await testIo();
    const said: string[] = [];
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(home, path, '..'), { recursive: true });
      await writeFile(join(home, path), text);
    }
    await mkdir(join(home, cwd), { recursive: true });
    const printNote = async (line: string) => void said.push(line);
    return { home, said, read: () => readProject({ ...io, cwd: join(home, cwd) }, printNote) };
  };

  it('is only the nearest file', async () => {
    const { home, read } = await project('a/b/c', {
      'bursar.json': '{"profile":"far","webhook_url":"https://far.example/h"}',
      'a/bursar.json': '{"profile":"near"}',
    });
    expect(await read()).toEqual({ path: join(home, 'a/bursar.json'), profile: 'near' });
  });

  it.each(['api_key', 'API-KEY', 'apiKey', 'secret', 'private_key', 'password', 'keys'])(
    'with "%s" is refused by name, and the error does not repeat its value',
    async (name) => {
      const { read } = await project('.', { 'bursar.json': JSON.stringify({ [name]: 'sk_live_9' }) });
      const error = await read().catch((one) => one);
      expect(error.message).toMatch(
        new RegExp(`bursar.json contains "${name}", but a project file must not contain a key`),
      );
      expect(JSON.stringify([error.message, error.details])).not.toContain('sk_live_9');
    },
  );

  it.each(['policy', 'pins', 'chains', 'rpc_urls', 'type_amount_above', 'providers', 'challenge_hosts'])(
    'cannot set %s: the author of a project does not control signatures',
    async (name) => {
      const { read } = await project('.', { 'bursar.json': JSON.stringify({ [name]: {} }) });
      await expect(read()).rejects.toThrow(`${name} is unknown`);
    },
  );

  it('in a folder that everybody can write to is ignored with a note', async () => {
    const { home, said, read } = await project('shared', { 'shared/bursar.json': '{"profile":"planted"}' });
    await chmod(join(home, 'shared'), 0o1777);
    expect(await read()).toBeUndefined();
    expect(said).toEqual([expect.stringContaining('shared/bursar.json is ignored')]);
  });
});
