import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cast, ethersFile } from '../../../keystore/support.ts';
import { runBursar } from '../../../support/bursar.ts';
import { keyHome } from './support.ts';

/** "für" as macOS types it: NFKC combines u and its dots. NFKC also changes a ligature. */
const CHANGED = ['fu\u0308r die Kasse', 'o\ufb03ce'];
const UNCHANGED = ['correct-horse-battery', 'für die Kasse', '日本語のとても長いパスワード'];
const WARNING =
  /^warning: this password has characters with several Unicode forms\.[\s\S]*plain ASCII works everywhere\.\n/m;

describe('the Unicode form of a new password', () => {
  it.each(CHANGED)('causes a warning of key new for %j, which is in no output', async (password) => {
    const { bursar, put } = await keyHome();
    await put('pw', password);
    const { code, stdout, stderr } = await bursar(['key', 'new', 'till', '--chain', 'evm', '--password-file', 'pw']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(WARNING)]);
    expect(stdout + stderr).not.toContain(password);
  });

  it('causes a warning of key import and key passwd, and the key unlocks with both forms', async () => {
    const { bursar, put } = await keyHome('s');
    const [decomposed = ''] = CHANGED;
    await put('new', decomposed);
    const passwd = ['key', 'passwd', 's', '--password-file', 'pw', '--new-password-file', 'new'];
    const changed = await bursar(passwd);
    expect([changed.code, changed.stderr]).toEqual([0, expect.stringMatching(WARNING)]);
    const importing = ['key', 'import', 'till', '--chain', 'evm', '--private-key-stdin', '--password-file', 'new'];
    const imported = await bursar(importing, { stdin: '11'.repeat(32) });
    expect([imported.code, imported.stderr]).toEqual([0, expect.stringMatching(WARNING)]);
    await put('composed', decomposed.normalize('NFC'));
    for (const form of ['new', 'composed']) {
      const signing = ['key', 'sign-message', 'till', '--message', 'x', '--password-file', form];
      expect((await bursar(signing)).code).toBe(0);
    }
  });

  it.each(UNCHANGED)('causes no warning for %j, which NFKC does not change', async (password) => {
    const { bursar, put } = await keyHome();
    await put('pw', password);
    const made = await bursar(['key', 'new', 'till', '--chain', 'solana', '--password-file', 'pw']);
    expect([made.code, made.stderr]).toEqual([0, '']);
  });

  it('matters to cast: only the NFKC form unlocks the key', async () => {
    const { bursar, put, home } = await keyHome();
    const [decomposed = ''] = CHANGED;
    await put('pw', decomposed);
    await bursar(['key', 'new', 'till', '--chain', 'evm', '--password-file', 'pw']);
    const words = ['wallet', 'decrypt-keystore', 'till.json', '-k', join(home, 'keys'), '--unsafe-password'];
    // cast ends with 0 and prints the mismatch on stderr.
    expect(await cast(home, ...words, decomposed)).toBe('');
    expect(await cast(home, ...words, decomposed.normalize('NFKC'))).toContain('private key is');
  });
});

it('the warning about a weak cost names the imported file; the stored key has no warning', async () => {
  const { put, home } = await keyHome();
  await put('old.json', await ethersFile('x'));
  await put('pw', 'x');
  const how = ['--chain', 'evm', '--file', 'old.json', '--password-file', 'pw'];
  const imported = await runBursar(home, ['key', 'import', 'till', ...how]);
  expect([imported.code, imported.stderr]).toEqual([
    0,
    'warning: file old.json: its scrypt with N = 1024 is weak: below 131072 a password is guessed fast\n',
  ]);
  const { stderr } = await runBursar(home, ['key', 'sign-message', 'till', '--message', 'x', '--password-file', 'pw']);
  expect(stderr).not.toContain('warning');
});
