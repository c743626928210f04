import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { passwordFor } from '../../src/keystore/password.ts';
import { type Given, testIo } from '../support/io.ts';
import { failureOf } from './support.ts';

const OPEN = { to: 'open', name: 'till' } as const;
const CHOOSE = { to: 'choose', name: 'till' } as const;

const withFile = async (content: string | Uint8Array, mode = 0o600, given: Given = {}) => {
  const made = await testIo(given);
  const path = join(made.home, 'pass word');
  await writeFile(path, content);
  await chmod(path, mode);
  return { ...made, path };
};

describe('the password of a key', () => {
  it.each([
    ['secret', 'secret'],
    ['secret\n', 'secret'],
    ['secret\r\n', 'secret'],
    ['secret\n\n', 'secret\n'],
    [' secret \n', ' secret '],
    ['pä\r', 'pä\r'],
  ])('in a file %j is %j: one line end is the editor’s, the rest is the user’s', async (content, expected) => {
    const { io } = await withFile(content);
    expect((await passwordFor(io, { passwordFile: 'pass word' }, OPEN)).reveal()).toBe(expected);
  });

  it.each([0o640, 0o604, 0o660, 0o620])('in a file of mode %o is refused, with the chmod to run', async (mode) => {
    const { io, path } = await withFile('secret', mode);
    const failure = await failureOf(passwordFor(io, { passwordFile: path }, OPEN));
    expect(failure).toMatchObject({ code: 'unreadable_file', details: { next: `chmod 600 '${path}'` } });
  });

  it.each([
    ['empty', ''],
    ['only a line end', '\r\n'],
    ['larger than 64 KB', 'x'.repeat(64 * 1024 + 1)],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0x41])],
  ])('in a file that is %s is refused', async (_, content) => {
    const { io, path } = await withFile(content);
    const failure = await failureOf(passwordFor(io, { passwordFile: path }, OPEN));
    expect(failure.code).toBe('unreadable_file');
    expect(failure.message).toContain(path);
  });

  it('behind a symbolic link, as containers mount secrets, is used; the modes that count are those of its target', async () => {
    const { io, home, path } = await withFile('secret');
    await symlink(path, join(home, 'link'));
    expect((await passwordFor(io, { passwordFile: 'link' }, OPEN)).reveal()).toBe('secret');
    await chmod(path, 0o640);
    expect((await failureOf(passwordFor(io, { passwordFile: 'link' }, OPEN))).message).toContain('read by others');
  });

  it('in a file that is missing or a folder is refused by its path', async () => {
    const { io, home } = await withFile('secret');
    await mkdir(join(home, 'folder'));
    for (const name of ['none', 'folder']) {
      const failure = await failureOf(passwordFor(io, { passwordFile: name }, OPEN));
      expect(failure.code).toBe('unreadable_file');
      expect(failure.message).toContain(join(home, name));
    }
  });

  it('comes from the first source that is given, in the documented order', async () => {
    const all = { BURSAR_KEY_PASSWORD: 'from text', BURSAR_KEY_PASSWORD_FILE: 'pass word' };
    const first = await withFile('from file', 0o600, { env: all, stdin: 'from stdin\r\n', answers: [] });
    const open = async (sources: Parameters<typeof passwordFor>[1]) =>
      (await passwordFor(first.io, sources, OPEN)).reveal();
    expect(await open({ passwordFile: first.path })).toBe('from file');
    expect(await open({ passwordStdin: true })).toBe('from stdin');
    expect(await open({})).toBe('from file');
    expect(first.said.stderr).toBe('');
    expect(first.asked).toEqual([]);
  });

  it('in the environment works, with a warning and without showing it', async () => {
    const { io, said } = await testIo({ env: { BURSAR_KEY_PASSWORD: 'from text', BURSAR_KEY_PASSWORD_FILE: '' } });
    const password = await passwordFor(io, {}, OPEN);
    expect(password.reveal()).toBe('from text');
    expect(said.stderr).toMatch(/^Warning: .*BURSAR_KEY_PASSWORD.*\n$/);
    expect(said.stderr + JSON.stringify({ password }) + String(password)).not.toContain('from text');
  });

  it('without a terminal and a source ends at once and names all sources', async () => {
    const { io } = await testIo({ env: { BURSAR_KEY_PASSWORD: '' } });
    for (const purpose of ['open', 'choose'] as const) {
      const failure = await failureOf(passwordFor(io, {}, { to: purpose, name: 'till' }));
      expect(failure.code).toBe('confirmation_needed');
      expect(failure.details.hint).toMatch(/--password-file.*--password-stdin.*BURSAR_KEY_PASSWORD_FILE/);
    }
  });

  it('refuses two sources on the command line, an empty pipe and a terminal as a pipe', async () => {
    const both = await testIo({ stdin: 'secret' });
    const failure = await failureOf(passwordFor(both.io, { passwordFile: 'x', passwordStdin: true }, OPEN));
    expect(failure.code).toBe('invalid_input');
    const empty = await testIo({ stdin: '\n' });
    expect((await failureOf(passwordFor(empty.io, { passwordStdin: true }, OPEN))).code).toBe('unreadable_file');
    const terminal = await testIo({ answers: [] });
    expect((await failureOf(passwordFor(terminal.io, { passwordStdin: true }, OPEN))).code).toBe('invalid_input');
  });

  it('is asked once to open, twice to choose, and again when the two differ', async () => {
    const open = await testIo({ answers: ['secret'] });
    expect((await passwordFor(open.io, {}, OPEN)).reveal()).toBe('secret');
    const choose = await testIo({ answers: ['secret', 'secrte', 'secret', 'secret'] });
    expect((await passwordFor(choose.io, {}, CHOOSE)).reveal()).toBe('secret');
    expect(choose.asked).toHaveLength(4);
    expect(choose.said.stderr).toBe('The two passwords differ.\n');
    const never = await testIo({ answers: ['a', 'b', 'a', 'b', 'a', 'b'] });
    expect((await failureOf(passwordFor(never.io, {}, CHOOSE))).code).toBe('invalid_input');
  });

  it.each(['open', 'choose'] as const)('is never empty: a bare newline to %s is refused', async (purpose) => {
    const { io } = await testIo({ answers: [''] });
    expect((await failureOf(passwordFor(io, {}, { to: purpose, name: 'till' }))).code).toBe('invalid_input');
  });
});
