import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decryptKeystoreJson } from 'ethers/wallet';
import { describe, expect, it } from 'vitest';
import { secret } from '../../src/core/secret.ts';
import { systemDerive } from '../../src/io/system.ts';
import { addressOf } from '../../src/keystore/evm-address.ts';
import { newPrivateKey } from '../../src/keystore/key.ts';
import { decryptV3, encryptV3 } from '../../src/keystore/v3.ts';
import { temporaryFolder } from '../support/io.ts';
import { ADDRESS, cast, failureOf, hexOf, KEY, keyBytes } from './support.ts';

const random = { bytes: (count: number): Uint8Array => randomBytes(count), fraction: () => 0 };
const encrypt = (password: string, privateKey = keyBytes()) =>
  encryptV3({ privateKey, password: secret(password), random, derive: systemDerive });

describe('a key file that bursar writes', () => {
  it('is decrypted by cast to the same key', async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, 'till.json'), await encrypt('open sesame'));
    const stdout = await cast(
      home,
      ...['wallet', 'decrypt-keystore', 'till.json', '-k', home, '--unsafe-password', 'open sesame'],
    );
    expect(stdout).toContain(`0x${KEY}`);
  });

  it('is decrypted by ethers to the same key and address, also with a decomposed password', async () => {
    const password = 'pässwörd';
    const opened = await decryptKeystoreJson(await encrypt(password.normalize('NFD')), password.normalize('NFC'));
    expect(opened).toEqual({ address: ADDRESS, privateKey: `0x${KEY}` });
  });

  it('is decrypted by bursar without a warning or a confirmation', async () => {
    const opened = await decryptV3(systemDerive, await encrypt('open sesame'), secret('open sesame'));
    expect(hexOf(opened.privateKey)).toBe(KEY);
    expect(opened).toMatchObject({ address: ADDRESS, warnings: [], needsConfirmation: false });
  });

  it('has the field names of geth, without which geth and cast ignore the file', async () => {
    expect(JSON.parse(await encrypt('x'))).toEqual({
      address: ADDRESS.slice(2).toLowerCase(),
      crypto: {
        cipher: 'aes-128-ctr',
        ciphertext: expect.stringMatching(/^[0-9a-f]{64}$/),
        cipherparams: { iv: expect.stringMatching(/^[0-9a-f]{32}$/) },
        kdf: 'scrypt',
        kdfparams: { dklen: 32, n: 131072, p: 1, r: 8, salt: expect.stringMatching(/^[0-9a-f]{64}$/) },
        mac: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      version: 3,
    });
  });

  it('has a new salt and iv each time, so that equal passwords cannot be recognised', async () => {
    const [one, other] = (await Promise.all([encrypt('x'), encrypt('x')])).map((text) => JSON.parse(text).crypto);
    expect(one.kdfparams.salt).not.toBe(other.kdfparams.salt);
    expect(one.cipherparams.iv).not.toBe(other.cipherparams.iv);
  });

  it.each([
    ['zero', '0'.repeat(64)],
    ['the order of the curve', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
    ['31 bytes', '01'.repeat(31)],
  ])('is not written for %s, which is not a valid key', async (_, digits) => {
    const failure = await failureOf(encrypt('x', Buffer.from(digits, 'hex')));
    expect(failure.code).toBe('invalid_input');
  });
});

describe('a new key', () => {
  it('is drawn again when the random bytes are not a valid key', () => {
    const draws = [Buffer.alloc(32, 0xff), Buffer.alloc(32), Buffer.from(KEY, 'hex')];
    const key = newPrivateKey({ bytes: () => draws.shift() ?? Buffer.alloc(0), fraction: () => 0 });
    expect(addressOf(key)).toBe(ADDRESS);
  });
});
