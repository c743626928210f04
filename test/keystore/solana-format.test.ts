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
import { changed, failureOf, hexOf } from './support.ts';

/** The format as `src/keystore/README.md` describes it, by node:crypto alone: nothing of ours stands in between. */
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

const additional = ({ format, version, address, kdf, cipher }: File): Buffer =>
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

const open = (text: string, password: string): Buffer => {
  const file = JSON.parse(text) as File;
  const cipher = createDecipheriv('aes-256-gcm', keyFor(file, password.normalize('NFKC')), bytes(file.cipher.nonce), {
    authTagLength: 16,
  });
  cipher.setAAD(additional(file)).setAuthTag(bytes(file.tag));
  return Buffer.concat([cipher.update(bytes(file.ciphertext)), cipher.final()]);
};

const SEED = createHash('sha256').update('another seed that everybody knows').digest();
const ADDRESS = bs58.encode(publicKeyOf(SEED));

/** A file of the format with a cost that a test can afford; `address` may lie. */
const write = (password: string, address = ADDRESS, tagBytes = 16): string => {
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
  cipher.setAAD(additional(file));
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

describe('the format of Solana keys', () => {
  it('is opened by another program that follows the description', async () => {
    const text = await encrypt('päss');
    expect(hexOf(open(text, 'päss'.normalize('NFD')))).toBe(hexOf(SEED));
    expect(JSON.parse(text)).toMatchObject({ address: ADDRESS, kdf: { n: 131_072, r: 8, p: 1 } });
    expect(text).not.toContain(hexOf(SEED));
  });

  it('is opened by us when another program wrote it, and its weak cost is named', async () => {
    const key = await decryptKey(systemDerive, write('x'), secret('x'));
    expect({ ...key, privateKey: hexOf(key.privateKey) }).toEqual({
      chain: 'solana',
      privateKey: hexOf(SEED),
      address: ADDRESS,
      warnings: [expect.stringMatching(/N = 1024 is weak/)],
      needsConfirmation: false,
    });
  });

  it('shares no salt and no nonce with another file: with AES-GCM the same nonce gives both keys away', async () => {
    const [one, other] = (await Promise.all([encrypt('x'), encrypt('x')])).map((text) => JSON.parse(text) as File);
    expect(one?.kdf.salt).not.toBe(other?.kdf.salt);
    expect(one?.cipher.nonce).not.toBe(other?.cipher.nonce);
  });

  it('opens with a password in composed, decomposed and raw letters', async () => {
    const [composed, decomposed, raw] = ['é'.normalize('NFC'), 'é'.normalize('NFD'), 'ﬁ'];
    for (const [written, typed] of [
      [composed, decomposed],
      [decomposed, composed],
      ['fi', raw],
      [raw, raw],
      // Neither composed nor decomposed: only the password as it was typed opens this.
      [composed + decomposed, composed + decomposed],
    ] as const)
      expect((await decryptSolana(systemDerive, write(written), secret(typed))).address, `${written} by ${typed}`).toBe(
        ADDRESS,
      );
    expect((await failureOf(decryptSolana(systemDerive, write('x'), secret('y')))).code).toBe('wrong_password');
  });
});

describe('a Solana key file that was changed', () => {
  it('fails whatever single character of it is another one', async () => {
    const text = write('x');
    const opened: string[] = [];
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === '1' ? '2' : '1';
      const bad = text.slice(0, at) + other + text.slice(at + 1);
      const failure = await failureOf(decryptKey(systemDerive, bad, secret('x'))).catch(() => undefined);
      if (!failure || !['wrong_password', 'damaged_key_file'].includes(failure.code)) opened.push(bad);
    }
    expect(opened).toEqual([]);
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
    ['note', 'a field that no tag covers'],
    ['kdf', undefined],
  ])('fails with another %s: %j', async (path, value) => {
    const bad = changed(write('x'), path, () => value);
    expect(['wrong_password', 'damaged_key_file']).toContain(
      (await failureOf(decryptSolana(systemDerive, bad, secret('x')))).code,
    );
  });

  it.each([
    ['"n":1024', '"n":1024.0'],
    ['"n":1024', '"n":1.024e3'],
    ['"version":1', '"version":1.0'],
    ['"r":8', '"r":"8"'],
  ])('fails with a number in another writing, which the tag would not tell: %s as %s', async (one, other) => {
    const text = write('x');
    expect(text).toContain(one);
    expect((await failureOf(decryptSolana(systemDerive, text.replace(one, other), secret('x')))).code).toBe(
      'damaged_key_file',
    );
  });

  it('fails with a tag of four bytes, which anybody could guess, right or not', async () => {
    for (const text of [write('x', ADDRESS, 4), changed(write('x'), 'tag', (tag: string) => tag.slice(0, 8))]) {
      const failure = await failureOf(decryptSolana(systemDerive, text, secret('x')));
      expect(failure).toMatchObject({ code: 'damaged_key_file', message: expect.stringContaining('tag must be 16') });
    }
  });

  it('fails with a field twice, in whatever order', async () => {
    const text = write('x').replace('"version":1', '"version":1,"address":"11111111111111111111111111111111"');
    expect((await failureOf(decryptSolana(systemDerive, text, secret('x')))).code).toBe('damaged_key_file');
  });

  it('is refused when its address is that of another key, though every byte is authentic', async () => {
    const other = bs58.encode(publicKeyOf(Buffer.alloc(32, 1)));
    const failure = await failureOf(decryptSolana(systemDerive, write('x', other), secret('x')));
    expect(failure).toMatchObject({ code: 'damaged_key_file', message: expect.stringContaining('another address') });
  });

  it.each([
    ['kdf.n', 2 ** 24],
    ['kdf.n', 131_071],
    ['kdf.r', 128],
    ['kdf.p', 128],
    ['kdf.p', 2 ** 11],
  ])('is refused before anything is derived when it asks for a %s of %d', async (path, value) => {
    const bad = changed(write('x'), path, () => value);
    const derive = () => expect.fail('a costly derivation began');
    const failure = await failureOf(decryptSolana(derive, bad, secret('x')));
    expect(failure).toMatchObject({ code: 'damaged_key_file', message: expect.stringContaining('scrypt parameters') });
  });

  it('does not quote what it stumbles over: it may be a secret in the wrong place', async () => {
    const word = 'correcthorsebattery';
    for (const bad of [`{"${word}":1,"format":"bursar-solana-key"}`, changed(write('x'), 'address', () => word), word])
      expect((await failureOf(decryptKey(systemDerive, bad, secret('x')))).message).not.toContain(word);
  });
});
