import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  scryptSync,
} from 'node:crypto';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { secret } from '../../src/core/secret.ts';
import { systemDerive } from '../../src/io/system.ts';
import { encryptKey } from '../../src/keystore/import.ts';
import { decryptSolana } from '../../src/keystore/solana.ts';
import { decryptKey } from '../../src/keystore/unlock.ts';
import { changeField, failureOf, hexOf } from './support.ts';

/** A second implementation of the format that `src/keystore/README.md` describes, with node:crypto and no code of bursar. */
type File = {
  format: string;
  version: number;
  address: string;
  kdf: { name: string; n: number; r: number; p: number; salt: string };
  cipher: { name: string; nonce: string };
  ciphertext: string;
  tag: string;
};

const bytes = (hex: string) => Buffer.from(hex, 'hex');

const additionalData = ({ format, version, address, kdf, cipher }: File): Buffer =>
  Buffer.from(
    `${format}\n${version}\n${address}\n${kdf.name}\n${kdf.n}\n${kdf.r}\n${kdf.p}\n${kdf.salt}\n${cipher.name}\n${cipher.nonce}\n`,
  );

const keyFor = ({ kdf: { n, r, p, salt } }: File, password: string): Buffer =>
  scryptSync(password, bytes(salt), 32, { N: n, r, p, maxmem: 2 ** 28 });

const publicKeyOf = (seed: Uint8Array): Buffer => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: Buffer.from(seed).toString('base64url'), x: '' };
  const pkcs8 = Buffer.concat([bytes('302e020100300506032b657004220420'), seed]);
  const key = createPublicKey(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }));
  return Buffer.from(key.export({ format: 'jwk' }).x ?? jwk.x, 'base64url');
};

const decrypt = (text: string, password: string): Buffer => {
  const file = JSON.parse(text) as File;
  const cipher = createDecipheriv('aes-256-gcm', keyFor(file, password.normalize('NFKC')), bytes(file.cipher.nonce), {
    authTagLength: 16,
  });
  cipher.setAAD(additionalData(file)).setAuthTag(bytes(file.tag));
  return Buffer.concat([cipher.update(bytes(file.ciphertext)), cipher.final()]);
};

const SEED = createHash('sha256').update('another seed that everybody knows').digest();
const ADDRESS = bs58.encode(publicKeyOf(SEED));

/** Encrypts SEED into a file with a cheap scrypt cost. `address` may be wrong. */
const encryptCheaply = (password: string, address = ADDRESS, tagBytes = 16): string => {
  const file: File = {
    format: 'bursar-solana-key',
    version: 1,
    address,
    kdf: { name: 'scrypt', n: 1024, r: 8, p: 1, salt: 'ab'.repeat(32) },
    cipher: { name: 'aes-256-gcm', nonce: 'cd'.repeat(12) },
    ciphertext: '',
    tag: '',
  };
  const cipher = createCipheriv('aes-256-gcm', keyFor(file, password), bytes(file.cipher.nonce), {
    authTagLength: tagBytes,
  });
  cipher.setAAD(additionalData(file));
  file.ciphertext = Buffer.concat([cipher.update(SEED), cipher.final()]).toString('hex');
  file.tag = cipher.getAuthTag().toString('hex');
  return JSON.stringify(file);
};

const encrypt = (password: string): Promise<string> =>
  encryptKey({
    chain: 'solana',
    privateKey: SEED,
    password: secret(password),
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)), fraction: () => 0 },
    derive: systemDerive,
  });

describe('a Solana key file', () => {
  it('written by bursar is decrypted by a program that follows the description of the format', async () => {
    const text = await encrypt('päss');
    expect(hexOf(decrypt(text, 'päss'.normalize('NFD')))).toBe(hexOf(SEED));
    expect(JSON.parse(text)).toMatchObject({ address: ADDRESS, kdf: { n: 131_072, r: 8, p: 1 } });
    expect(text).not.toContain(hexOf(SEED));
  });

  it('written by another program is decrypted by bursar, with a warning of the weak scrypt cost', async () => {
    const key = await decryptKey(systemDerive, encryptCheaply('x'), secret('x'));
    expect({ ...key, privateKey: hexOf(key.privateKey) }).toEqual({
      chain: 'solana',
      privateKey: hexOf(SEED),
      address: ADDRESS,
      warnings: [expect.stringMatching(/N = 1024 is weak/)],
      needsConfirmation: false,
    });
  });

  it('has a new salt and nonce each time, because AES-GCM with a repeated nonce reveals the keys', async () => {
    const [one, other] = (await Promise.all([encrypt('x'), encrypt('x')])).map((text) => JSON.parse(text) as File);
    expect(one?.kdf.salt).not.toBe(other?.kdf.salt);
    expect(one?.cipher.nonce).not.toBe(other?.cipher.nonce);
  });

  it('is decrypted with the password in composed, decomposed and unnormalised letters', async () => {
    const [composed, decomposed, raw] = ['é'.normalize('NFC'), 'é'.normalize('NFD'), 'ﬁ'];
    for (const [written, typed] of [
      [composed, decomposed],
      [decomposed, composed],
      ['fi', raw],
      [raw, raw],
      // Neither composed nor decomposed: only the unnormalised password decrypts this file.
      [composed + decomposed, composed + decomposed],
    ] as const)
      expect(
        (await decryptSolana(systemDerive, encryptCheaply(written), secret(typed))).address,
        `${written} by ${typed}`,
      ).toBe(ADDRESS);
    expect((await failureOf(decryptSolana(systemDerive, encryptCheaply('x'), secret('y')))).code).toBe(
      'wrong_password',
    );
  });
});

describe('a changed Solana key file', () => {
  it('is rejected for a change of any single character', async () => {
    const text = encryptCheaply('x');
    const accepted: string[] = [];
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === '1' ? '2' : '1';
      const bad = text.slice(0, at) + other + text.slice(at + 1);
      const failure = await failureOf(decryptKey(systemDerive, bad, secret('x'))).catch(() => undefined);
      if (!failure || !['wrong_password', 'damaged_key_file'].includes(failure.code)) accepted.push(bad);
    }
    expect(accepted).toEqual([]);
    expect(text.length).toBeGreaterThan(400);
  });

  it.each([
    ['format', 'bursar-solana-key2'],
    ['version', 2],
    ['version', '1'],
    ['address', '11111111111111111111111111111111'],
    ['kdf.name', 'pbkdf2'],
    ['kdf.n', 2048],
    ['kdf.r', 4],
    ['kdf.p', 2],
    ['kdf.salt', 'ac'.repeat(32)],
    ['kdf.salt', 'AB'.repeat(32)],
    ['kdf.extra', 1],
    ['cipher.name', 'aes-128-gcm'],
    ['cipher.nonce', 'ce'.repeat(12)],
    ['ciphertext', '00'.repeat(32)],
    ['tag', '00'.repeat(16)],
    ['note', 'a field that the tag does not cover'],
    ['kdf', undefined],
  ])('is rejected with another %s: %j', async (path, value) => {
    const bad = changeField(encryptCheaply('x'), path, () => value);
    expect(['wrong_password', 'damaged_key_file']).toContain(
      (await failureOf(decryptSolana(systemDerive, bad, secret('x')))).code,
    );
  });

  it.each([
    ['"n":1024', '"n":1024.0'],
    ['"n":1024', '"n":1.024e3'],
    ['"version":1', '"version":1.0'],
    ['"r":8', '"r":"8"'],
  ])('is rejected with another notation of a number, which the tag does not detect: %s as %s', async (one, other) => {
    const text = encryptCheaply('x');
    expect(text).toContain(one);
    expect((await failureOf(decryptSolana(systemDerive, text.replace(one, other), secret('x')))).code).toBe(
      'damaged_key_file',
    );
  });

  it('is rejected with a tag of four bytes, correct or not, because such a tag can be guessed', async () => {
    for (const text of [
      encryptCheaply('x', ADDRESS, 4),
      changeField(encryptCheaply('x'), 'tag', (tag: string) => tag.slice(0, 8)),
    ]) {
      const failure = await failureOf(decryptSolana(systemDerive, text, secret('x')));
      expect(failure).toMatchObject({ code: 'damaged_key_file', message: expect.stringContaining('tag must be 16') });
    }
  });

  it('is rejected with a duplicate field', async () => {
    const text = encryptCheaply('x').replace('"version":1', '"version":1,"address":"11111111111111111111111111111111"');
    expect((await failureOf(decryptSolana(systemDerive, text, secret('x')))).code).toBe('damaged_key_file');
  });

  it('is rejected when its address belongs to another key, although the tag is correct', async () => {
    const other = bs58.encode(publicKeyOf(Buffer.alloc(32, 1)));
    const failure = await failureOf(decryptSolana(systemDerive, encryptCheaply('x', other), secret('x')));
    expect(failure).toMatchObject({ code: 'damaged_key_file', message: expect.stringContaining('another address') });
  });

  it.each([
    ['kdf.n', 2 ** 24],
    ['kdf.n', 131_071],
    ['kdf.r', 128],
    ['kdf.p', 128],
    ['kdf.p', 2 ** 11],
  ])('is rejected before any key derivation for %s = %d', async (path, value) => {
    const bad = changeField(encryptCheaply('x'), path, () => value);
    const derive = () => expect.fail('a key derivation started');
    const failure = await failureOf(decryptSolana(derive, bad, secret('x')));
    expect(failure).toMatchObject({ code: 'damaged_key_file', message: expect.stringContaining('scrypt parameters') });
  });

  it('is rejected without quoting its content, which may be a secret', async () => {
    const word = 'correcthorsebattery';
    for (const bad of [
      `{"${word}":1,"format":"bursar-solana-key"}`,
      changeField(encryptCheaply('x'), 'address', () => word),
      word,
    ])
      expect((await failureOf(decryptKey(systemDerive, bad, secret('x')))).message).not.toContain(word);
  });
});
