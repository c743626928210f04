import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { ABOUT, ADDRESS, keyHome } from './support.ts';

const exporting = (name: string, format: string, out: string) => [
  ...['key', 'export', name, '--format', format, '--out', out, '--password-file', 'pw'],
];
const importing = (name: string, chain: string, ...more: readonly string[]) => [
  ...['key', 'import', name, '--chain', chain, '--password-file', 'pw', ...more],
];

describe('key import and key export', () => {
  it('a solana-keygen file survives a round trip byte for byte; the import warns, and the export is 0600', async () => {
    const { home, bursar, put, json } = await keyHome();
    const pair = Keypair.generate();
    const text = `[${[...pair.secretKey].join(',')}]\n`;
    await put('id.json', text, 0o644);
    const imported = await json(importing('till', 'solana', '--file', 'id.json'));
    expect(imported).toMatchObject({ code: 0, data: { chain: 'solana', address: pair.publicKey.toBase58() } });
    expect(imported.stderr).toMatch(/^warning: id.json contains the unencrypted key, and others .* can read it/);
    expect((await bursar([...exporting('till', 'solana-keypair', 'out.json'), '--yes'])).code).toBe(0);
    expect(await readFile(join(home, 'out.json'), 'utf8')).toBe(text);
    expect((await stat(join(home, 'out.json'))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['e', 'evm', 'v3', '--file'],
    ['e', 'evm', 'private-key', '--private-key-stdin'],
    ['s', 'solana', 'bursar', '--file'],
    ['s', 'solana', 'private-key', '--private-key-stdin'],
  ] as const)('the key %s for %s is exported as %s and imported by %s', async (name, chain, format, option) => {
    const { home, bursar, json } = await keyHome(name);
    expect((await bursar([...exporting(name, format, 'out'), '--yes'])).code).toBe(0);
    const how = option === '--file' ? ['--file', 'out'] : [option];
    const back = await json(importing('back', chain, ...how), await readFile(join(home, 'out'), 'utf8'));
    expect(back).toMatchObject({ code: 0, data: { address: ADDRESS[name] } });
  });

  it('with --json an unencrypted key is one document', async () => {
    const { json } = await keyHome('e', 's');
    const hex = await json([...exporting('e', 'private-key', '-'), '--yes']);
    expect(hex.data).toEqual({ private_key: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    expect((await json([...exporting('s', 'solana-keypair', '-'), '--yes'])).data).toHaveLength(64);
  });

  it.each(['bursar', 'solana-keypair', 'private-key'])(
    'nothing is exported as %s with a wrong password, also with --yes',
    async (format) => {
      const { bursar, put, home } = await keyHome('s');
      await put('pw', 'another password');
      const { code, stdout, stderr } = await bursar([...exporting('s', format, 'out'), '--yes']);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('the password does not unlock');
      await expect(stat(join(home, 'out'))).rejects.toMatchObject({ code: 'ENOENT' });
      expect((await bursar([...exporting('s', format, '-'), '--yes'])).stdout).toBe('');
    },
  );

  it.each(['private-key', 'solana-keypair'])('%s is refused without a terminal and without --yes', async (format) => {
    const { json } = await keyHome('s');
    expect(await json(exporting('s', format, 'out'))).toMatchObject({
      code: 2,
      data: { error: { code: 'confirmation_needed' } },
    });
  });

  it('wrong formats and families and an existing file are refused with the reason', async () => {
    const { json, bursar } = await keyHome('e', 's');
    expect((await json(exporting('s', 'v3', 'out'))).data.error.message).toContain('the solana key');
    expect((await json(exporting('e', 'solana-keypair', 'out'))).data.error.message).toContain('the evm key');
    await bursar(exporting('s', 'bursar', 's.json'));
    await bursar(exporting('e', 'v3', 'e.json'));
    expect((await json(importing('x', 'evm', '--file', 's.json'))).data.error.message).toContain('is a Solana key');
    expect((await json(importing('x', 'solana', '--file', 'e.json'))).data.error.message).toContain(
      'is not a Solana key file',
    );
    expect((await json(exporting('e', 'v3', 'e.json'))).data.error.code).toBe('file_exists');
  });

  it.each([
    ['--path', '--private-key-stdin'],
    ['--passphrase-file', '--private-key-stdin'],
    ['--source-password-file', '--mnemonic-stdin'],
  ])('%s is refused with %s, because it has no effect there', async (option, source) => {
    const { json } = await keyHome();
    const { code, data } = await json(importing('x', 'evm', source, option, 'pw'), ABOUT);
    expect([code, data.error.message]).toEqual([2, expect.stringContaining(`${option} needs`)]);
  });

  it('a mnemonic reads its passphrase from a file; without --path stderr names the chosen account', async () => {
    const { json, put } = await keyHome();
    await put('passphrase', 'TREZOR\n');
    const words = ['--mnemonic-stdin'];
    const plain = await json(importing('a', 'solana', ...words), ABOUT);
    const mistyped = await json(importing('z', 'solana', ...words), ABOUT.replace('about', 'abot'));
    expect([mistyped.code, mistyped.stderr], 'a wrong mnemonic selects no account').toEqual([2, '']);
    expect(plain.data.address).toBe(ADDRESS.s);
    expect(plain.stderr).toBe("using the account at m/44'/501'/0'/0'; --path selects another\n");
    const bare = await json(importing('b', 'solana', ...words, '--path', 'none'), ABOUT);
    const secret = await json(
      importing('c', 'evm', ...words, '--passphrase-file', 'passphrase', '--path', "m/44'/60'/0'/0/0"),
      ABOUT,
    );
    expect([bare.stderr, secret.stderr]).toEqual(['', '']);
    expect(new Set([plain, bare, secret].map(({ data }) => data.address)).size).toBe(3);
    expect(secret.data.address).not.toBe(ADDRESS.e);
    expect((await json(importing('d', 'solana', ...words, '--path', "m/44'/501'/0'/0"), ABOUT)).code).toBe(2);
  });
});
