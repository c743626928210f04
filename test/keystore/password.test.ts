import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { nextStep } from '../../src/core/next.ts';
import type { secret } from '../../src/core/secret.ts';
import type { Io } from '../../src/io/io.ts';
import { choosePassword, type PasswordSources, withPassword } from '../../src/keystore/password.ts';
import { type Given, testIo } from '../support/io.ts';
import { failureOf } from './support.ts';

/** Reads the password for unlocking a key; accepts any password. */
const readPassword = (io: Io, sources: PasswordSources) =>
  withPassword(io, sources, 'till', async (password) => password);

const chooseNewPassword = (io: Io, sources: PasswordSources) => choosePassword(io, sources, 'till');

const withFile = async (content: string | Uint8Array, mode = 0o600, options: Given = {}) => {
  const fake = await testIo(options);
  const path = join(fake.home, 'pass word');
  await writeFile(path, content);
  await chmod(path, mode);
  return { ...fake, path };
};

describe('the password of a key', () => {
  it.each([
    ['secret', 'secret'],
    ['secret\n', 'secret'],
    ['secret\r\n', 'secret'],
    ['secret\n\n', 'secret\n'],
    [' secret \n', ' secret '],
    ['pä\r', 'pä\r'],
  ])('in a file with %j is %j: only one line end is removed', async (content, expected) => {
    const { io } = await withFile(content);
    expect((await readPassword(io, { passwordFile: 'pass word' })).reveal()).toBe(expected);
  });

  it.each([0o640, 0o604, 0o660, 0o620])(
    'in a file of mode %o is rejected with the chmod command to run',
    async (mode) => {
      const { io, path } = await withFile('secret', mode);
      const failure = await failureOf(readPassword(io, { passwordFile: path }));
      expect(failure).toMatchObject({
        code: 'unreadable_file',
        details: { next: nextStep('file.private', '600', path) },
      });
    },
  );

  it.each([
    ['empty', ''],
    ['only a line end', '\r\n'],
    ['larger than 64 KB', 'x'.repeat(64 * 1024 + 1)],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0x41])],
  ])('in a file that is %s is rejected', async (_, content) => {
    const { io, path } = await withFile(content);
    const failure = await failureOf(readPassword(io, { passwordFile: path }));
    expect(failure.code).toBe('unreadable_file');
    expect(failure.message).toContain(path);
  });

  it('behind a symbolic link, as containers mount secrets, is accepted if the mode of the target is private', async () => {
    const { io, home, path } = await withFile('secret');
    await symlink(path, join(home, 'link'));
    expect((await readPassword(io, { passwordFile: 'link' })).reveal()).toBe('secret');
    await chmod(path, 0o640);
    expect((await failureOf(readPassword(io, { passwordFile: 'link' }))).message).toContain('read by other users');
  });

  it('in a missing file or a folder is rejected with the path', async () => {
    const { io, home } = await withFile('secret');
    await mkdir(join(home, 'folder'));
    for (const name of ['none', 'folder']) {
      const failure = await failureOf(readPassword(io, { passwordFile: name }));
      expect(failure.code).toBe('unreadable_file');
      expect(failure.message).toContain(join(home, name));
    }
  });

  it('comes from the first available source, in the documented order', async () => {
    const all = { BURSAR_KEY_PASSWORD: 'from text', BURSAR_KEY_PASSWORD_FILE: 'pass word' };
    const first = await withFile('from file', 0o600, { env: all, stdin: 'from stdin\r\n', answers: [] });
    const open = async (sources: PasswordSources) => (await readPassword(first.io, sources)).reveal();
    expect(await open({ passwordFile: first.path })).toBe('from file');
    expect(await open({ passwordStdin: true })).toBe('from stdin');
    expect(await open({})).toBe('from file');
    expect(first.said.stderr).toBe('');
    expect(first.asked).toEqual([]);
  });

  it('in the environment is accepted with a warning that does not show the password', async () => {
    const { io, said } = await testIo({ env: { BURSAR_KEY_PASSWORD: 'from text', BURSAR_KEY_PASSWORD_FILE: '' } });
    const password = await readPassword(io, {});
    expect(password.reveal()).toBe('from text');
    expect(said.stderr).toMatch(/^warning: .*BURSAR_KEY_PASSWORD.*\n$/);
    expect(said.stderr + JSON.stringify({ password }) + String(password)).not.toContain('from text');
  });

  it('without a terminal and a source fails and names all sources', async () => {
    const { io } = await testIo({ env: { BURSAR_KEY_PASSWORD: '' } });
    for (const ask of [readPassword, chooseNewPassword]) {
      const failure = await failureOf(ask(io, {}));
      expect(failure.code).toBe('confirmation_needed');
      expect(failure.details.hint).toMatch(/--password-file.*--password-stdin.*BURSAR_KEY_PASSWORD_FILE/);
    }
  });

  it('is rejected from two sources on the command line, an empty pipe or a terminal as a pipe', async () => {
    const both = await testIo({ stdin: 'secret' });
    const failure = await failureOf(readPassword(both.io, { passwordFile: 'x', passwordStdin: true }));
    expect(failure.code).toBe('invalid_input');
    const empty = await testIo({ stdin: '\n' });
    expect((await failureOf(readPassword(empty.io, { passwordStdin: true }))).code).toBe('unreadable_file');
    const terminal = await testIo({ answers: [] });
    expect((await failureOf(readPassword(terminal.io, { passwordStdin: true }))).code).toBe('invalid_input');
  });

  it('is asked for once when unlocking, twice when choosing, and once more when the two entries differ', async () => {
    const open = await testIo({ answers: ['long enough a secret'] });
    expect((await readPassword(open.io, {})).reveal()).toBe('long enough a secret');
    const choose = await testIo({ answers: ['long enough a secret', 'long enough a secrte', 'long enough a secret'] });
    expect((await chooseNewPassword(choose.io, {})).reveal()).toBe('long enough a secret');
    expect(choose.said.stderr).toBe("> Passwords don't match. Press Enter to start over.\n");
  });

  it('can be chosen again after a typing error: the second empty Enter restarts the questions', async () => {
    const { io, asked, said } = await testIo({
      answers: ['long enough a secrte', '', '', 'long enough a secret', 'long enough a secret'],
    });
    expect((await chooseNewPassword(io, {})).reveal()).toBe('long enough a secret');
    expect(asked.map((question) => question.split(' ')[0])).toEqual(['Choose', 'The', 'The', 'Choose', 'The']);
    expect(said.stderr).toBe("> Passwords don't match. Press Enter to start over.\n");
  });

  it.each([
    ['unlock', readPassword],
    ['choose', chooseNewPassword],
  ])('is never empty: an empty Enter repeats the question to %s', async (_, ask) => {
    const { io, said } = await testIo({ answers: ['', '', 'long enough a secret', 'long enough a secret'] });
    expect((await ask(io, {})).reveal()).toBe('long enough a secret');
    expect(said.stderr).toBe('> Required. Ctrl-C to quit.\n'.repeat(2));
  });

  it('that is short is accepted with a warning when choosing, without a warning when unlocking', async () => {
    const { io, said } = await testIo({ answers: ['elevenchars', 'elevenchars'] });
    expect((await chooseNewPassword(io, {})).reveal()).toBe('elevenchars');
    expect(said.stderr).toContain('a password of less than 12 characters can be guessed');
    const opened = await testIo({ answers: ['elevenchars'] });
    await readPassword(opened.io, {});
    expect(opened.said.stderr).toBe('');
  });

  it.each([
    ['a file', 'elevenchars', 1],
    ['a file', 'twelve chars', 0],
    ['a pipe', 'elevenchars', 1],
    ['the environment', 'elevenchars', 1],
  ])(
    'from %s that is "%s" is accepted with %i warnings when choosing, without one when unlocking',
    async (source, text, count) => {
      const env = source === 'the environment' ? { BURSAR_KEY_PASSWORD: text } : {};
      const { io, path, said } = await withFile(text, 0o600, { env, stdin: text });
      const sources = source === 'a file' ? { passwordFile: path } : source === 'a pipe' ? { passwordStdin: true } : {};
      expect((await readPassword(io, sources)).reveal()).toBe(text);
      expect(said.stderr).not.toContain('can be guessed');
      expect((await chooseNewPassword(io, sources)).reveal()).toBe(text);
      expect(said.stderr.match(/warning: a password of less than 12 characters can be guessed/g) ?? []).toHaveLength(
        count,
      );
      expect(said.stderr).not.toContain(text);
    },
  );

  /** A lock that only the password "right" unlocks, with a record of the tries. */
  const fakeLock = () => {
    const triedPasswords: string[] = [];
    const open = async (password: ReturnType<typeof secret>) => {
      triedPasswords.push(password.reveal());
      if (password.reveal() !== 'right') throw new Failure('wrong_password', 'the password does not unlock till');
      return 'open';
    };
    return { open, triedPasswords };
  };

  it('has three tries at a terminal, and each wrong try prints the number of tries left', async () => {
    const { io, said } = await testIo({ answers: ['wrong', 'wrang', 'right'] });
    expect(await withPassword(io, {}, 'till', fakeLock().open)).toBe('open');
    expect(said.stderr).toBe('The password is wrong. 2 more tries.\nThe password is wrong. One more try.\n');
    const failing = await testIo({ answers: ['a', 'b', 'c', 'right'] });
    const { open, triedPasswords } = fakeLock();
    expect((await failureOf(withPassword(failing.io, {}, 'till', open))).code).toBe('wrong_password');
    expect(triedPasswords).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['a file', { passwordFile: 'pass word' }, {}],
    ['a pipe', { passwordStdin: true }, {}],
    ['the environment', {}, { BURSAR_KEY_PASSWORD: 'wrong' }],
  ])('from %s has one try, even at a terminal', async (_, sources, env) => {
    const { io } = await withFile('wrong', 0o600, { env, stdin: 'wrong', answers: ['right'] });
    const { open, triedPasswords } = fakeLock();
    expect((await failureOf(withPassword(io, sources, 'till', open))).code).toBe('wrong_password');
    expect(triedPasswords).toEqual(['wrong']);
  });

  it('is asked for only once when the key file is damaged', async () => {
    const { io, asked } = await testIo({ answers: ['a', 'b'] });
    const open = async () => Promise.reject(new Failure('damaged_key_file', 'it is damaged'));
    expect((await failureOf(withPassword(io, {}, 'till', open))).code).toBe('damaged_key_file');
    expect(asked).toHaveLength(1);
  });
});
