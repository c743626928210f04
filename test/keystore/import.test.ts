import { describe, expect, it } from 'vitest';
import { secret } from '../../src/core/secret.ts';
import { systemDerive } from '../../src/io/system.ts';
import { readImportSource } from '../../src/keystore/import.ts';
import { temporaryFolder } from '../support/io.ts';
import { ADDRESS, cast, ethersFile, failureOf, hexOf, KEY } from './support.ts';

/** The mnemonic that anvil and hardhat print, and the longest all-zero mnemonic of trezor/python-mnemonic, vectors.json. */
const ANVIL = 'test test test test test test test test test test test junk';
const ZEROS = `${'abandon '.repeat(23)}art`;

const openMnemonic = (text: string, path?: string) =>
  readImportSource(systemDerive, 'evm', { kind: 'mnemonic', text, path });

describe('an imported private key', () => {
  it.each([KEY, `0x${KEY}`, `0X${KEY.toUpperCase()}`, ` \t0x${KEY}\r\n`])('is accepted as %j', async (text) => {
    const opened = await readImportSource(systemDerive, 'evm', { kind: 'private-key', text });
    expect(hexOf(opened.privateKey)).toBe(KEY);
    expect(opened).toMatchObject({ address: ADDRESS, warnings: [], needsConfirmation: false });
  });

  it.each([
    ['one digit too short', KEY.slice(1)],
    ['one digit too long', `${KEY}0`],
    ['a text with a letter that is not a hex digit', `${KEY.slice(1)}g`],
    ['two keys', `${KEY}\n${KEY}`],
    ['zero', '0'.repeat(64)],
    ['the order of the curve', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
    ['above the order of the curve', 'f'.repeat(64)],
    ['empty', ''],
  ])('is rejected when it is %s', async (_, text) => {
    const failure = await failureOf(readImportSource(systemDerive, 'evm', { kind: 'private-key', text }));
    expect(failure.code).toBe('invalid_input');
  });

  it('may be the largest number below the order of the curve', async () => {
    const text = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140';
    expect((await readImportSource(systemDerive, 'evm', { kind: 'private-key', text })).address).toBe(
      '0x80C0dbf239224071c59dD8970ab9d542E3414aB2',
    );
  });
});

describe('an imported mnemonic', () => {
  it.each([
    [ANVIL, undefined],
    [ANVIL, "m/44'/60'/0'/0/7"],
    [ZEROS, undefined],
  ])('gives the key that cast derives from %j at %s', async (phrase, path) => {
    const home = await temporaryFolder();
    const args = [
      'wallet',
      'private-key',
      '--mnemonic',
      phrase,
      '--mnemonic-derivation-path',
      path ?? "m/44'/60'/0'/0/0",
    ];
    const stdout = await cast(home, ...args);
    expect(hexOf((await openMnemonic(phrase, path)).privateKey)).toBe(stdout.trim().replace('0x', ''));
  });

  it('is accepted in capitals and over several lines', async () => {
    const { address } = await openMnemonic(`\n ${ANVIL.toUpperCase().replaceAll(' ', '\n  ')} \r\n`);
    expect(address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  });

  it('is rejected with the position of each wrong word, without quoting the words', async () => {
    const failure = await failureOf(openMnemonic(ANVIL.replace('test test', 'tset test').replace('junk', 'jnuk')));
    expect(failure.code).toBe('invalid_input');
    expect(failure.message).toContain('position 1, 12');
  });

  it('is rejected for a wrong checksum or a wrong number of words', async () => {
    expect((await failureOf(openMnemonic(ANVIL.replace('junk', 'test')))).message).toContain('checksum');
    for (const count of [1, 11, 13, 25]) {
      const failure = await failureOf(openMnemonic(Array.from({ length: count }, () => 'test').join(' ')));
      expect(failure.message).toContain(`has ${count} words`);
    }
  });

  it.each(['', 'm', "44'/60'", 'm/x', 'm/2147483648', 'm/-1', "m/44'/60'/", 'm/44h'])(
    'is rejected with the invalid path %j',
    async (path) => {
      expect((await failureOf(openMnemonic(ANVIL, path))).code).toBe('invalid_input');
    },
  );
});

describe('an imported key file', () => {
  it('is decrypted with its own password', async () => {
    const opened = await readImportSource(systemDerive, 'evm', {
      kind: 'key-file',
      text: await ethersFile('theirs'),
      password: secret('theirs'),
    });
    expect(opened.address).toBe(ADDRESS);
  });
});
