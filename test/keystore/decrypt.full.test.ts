import { createCipheriv, scryptSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keccak256 } from 'ethers/crypto';
import { describe, expect, it } from 'vitest';
import { secret } from '../../src/core/secret.ts';
import { systemDerive } from '../../src/io/system.ts';
import { OWN_COST, scryptNarrow, scryptProblem, scryptWarnings } from '../../src/keystore/scrypt.ts';
import { decryptV3 } from '../../src/keystore/v3.ts';
import { temporaryFolder } from '../support/io.ts';
import { ADDRESS, cast, changeField, ethersFile, failureOf, hexOf, KEY } from './support.ts';
import { NAMED_VECTORS, VECTORS } from './vectors.ts';

const castFile = async (password: string): Promise<string> => {
  const home = await temporaryFolder();
  await cast(home, 'wallet', 'import', 'till', '-k', home, '--private-key', KEY, '--unsafe-password', password);
  return readFile(join(home, 'till'), 'utf8');
};

describe('decrypting key files of other tools', () => {
  it.each(Object.entries(VECTORS))('returns the published key of the geth vector %s', async (_, vector) => {
    const opened = await decryptV3(systemDerive, vector.file, secret(vector.password));
    expect(hexOf(opened.privateKey)).toBe(vector.key);
    expect(opened.needsConfirmation).toBe(true);
  });

  it.each(Object.entries(NAMED_VECTORS))('returns the address that the geth file %s names', async (_, vector) => {
    const opened = await decryptV3(systemDerive, vector.file, secret(vector.password));
    expect(opened.address.toLowerCase()).toBe(vector.address);
    expect(opened.needsConfirmation).toBe(false);
  });

  it.each(['key30', 'key31'] as const)('warns that leading zeros were added to the short key of %s', async (name) => {
    const { file, password } = VECTORS[name];
    const { warnings } = await decryptV3(systemDerive, file, secret(password));
    expect(warnings.join()).toMatch(/has only 3[01] bytes and was padded with leading zeros/);
  });

  it('decrypts a file of cast, and warns of its missing address and its weak N', async () => {
    const opened = await decryptV3(systemDerive, await castFile('open sesame'), secret('open sesame'));
    expect(hexOf(opened.privateKey)).toBe(KEY);
    expect(opened).toMatchObject({ address: ADDRESS, needsConfirmation: true });
    expect(opened.warnings.join('\n')).toContain('N = 8192 is weak');
    expect(opened.warnings.join('\n')).toContain(ADDRESS);
  });

  it('warns of a scrypt cost only if it needs less work than the cost of bursar', () => {
    expect(scryptWarnings({ n: 131_072, r: 1, p: 1 })).toEqual([expect.stringMatching(/r = 1, p = 1 is weak/)]);
    expect(scryptWarnings({ n: 65_536, r: 64, p: 2 })).toEqual([expect.stringMatching(/N = 65536 is weak/)]);
    for (const cost of [OWN_COST, { n: 262_144, r: 8, p: 1 }, { n: 262_144, r: 1, p: 8 }]) {
      expect(scryptWarnings(cost), JSON.stringify(cost)).toEqual([]);
    }
  });

  it('decrypts a file of ethers, whose field Crypto has a capital C', async () => {
    const text = await ethersFile('open sesame');
    expect(text).toContain('"Crypto"');
    const opened = await decryptV3(systemDerive, text, secret('open sesame'));
    expect(hexOf(opened.privateKey)).toBe(KEY);
    expect(opened.needsConfirmation).toBe(false);
  });

  it.each(['NFC', 'NFD'])(
    'accepts a password typed in %s for files of tools that normalise in different ways',
    async (form) => {
      const typed = secret('pässwörd ﬁ'.normalize(form));
      for (const text of [
        await ethersFile('pässwörd ﬁ'),
        await castFile('pässwörd ﬁ'.normalize('NFC')),
        await castFile('pässwörd ﬁ'.normalize('NFD')),
      ]) {
        expect(hexOf((await decryptV3(systemDerive, text, typed)).privateKey)).toBe(KEY);
      }
    },
  );

  it('decrypts a file with N = 2^20, the maximum', async () => {
    expect(scryptProblem({ n: 2 ** 20, r: 8, p: 1 })).toBeUndefined();
    const [salt, iv, cost] = [Buffer.alloc(32, 1), Buffer.alloc(16, 2), { n: 2 ** 20, r: 2, p: 1 }];
    const options = { N: cost.n, r: cost.r, p: cost.p, maxmem: 2 ** 29 };
    const derived = scryptSync('open sesame', salt, 32, options);
    const ciphertext = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv).update(KEY, 'hex');
    const mac = keccak256(Buffer.concat([derived.subarray(16), ciphertext])).slice(2);
    const kdf = { kdf: 'scrypt', kdfparams: { dklen: 32, ...cost, salt: hexOf(salt) } };
    const cipher = { cipher: 'aes-128-ctr', cipherparams: { iv: hexOf(iv) }, ciphertext: hexOf(ciphertext) };
    const text = JSON.stringify({ version: 3, address: ADDRESS.slice(2), crypto: { ...cipher, ...kdf, mac } });
    expect(await decryptV3(systemDerive, text, secret('open sesame'))).toMatchObject({
      address: ADDRESS,
      warnings: [],
    });
  });

  it('derives the same scrypt key as OpenSSL', async () => {
    const [password, salt] = [Buffer.from('open sesame'), Buffer.from('salt of 16 bytes')];
    const expected = scryptSync(password, salt, 32, { N: 4096, r: 1, p: 3 });
    expect(hexOf(await scryptNarrow(systemDerive, password, salt, { n: 4096, p: 3 }))).toBe(hexOf(expected));
  });
});

describe('rejecting a key file', () => {
  const flip = (digits: string): string => (digits.startsWith('0') ? '1' : '0') + digits.slice(1);

  it('distinguishes a wrong password from a damaged iv and a wrong address', async () => {
    const text = await ethersFile('open sesame');
    const iv = changeField(text, 'Crypto.cipherparams.iv', flip);
    const address = changeField(text, 'address', flip);
    expect((await failureOf(decryptV3(systemDerive, text, secret('open sesam')))).code).toBe('wrong_password');
    for (const damaged of [iv, address]) {
      const failure = await failureOf(decryptV3(systemDerive, damaged, secret('open sesame')));
      expect(failure.code).toBe('damaged_key_file');
      expect(failure.message).toContain('the password is right');
    }
  });

  it.each(['ciphertext', 'mac'])(
    'reports a damaged %s as a wrong password, with a hint about damaged files',
    async (part) => {
      const damaged = changeField(await ethersFile('x'), `Crypto.${part}`, flip);
      const failure = await failureOf(decryptV3(systemDerive, damaged, secret('x')));
      expect(failure.code).toBe('wrong_password');
      expect(failure.details.hint).toContain('damaged file');
    },
  );

  it.each([
    ['n', 2 ** 24],
    ['n', 2 ** 21],
    ['n', 3000],
    ['n', 1],
    ['r', 65],
    ['p', 65],
  ])('rejects %s = %i before any key derivation', async (name, value) => {
    const costly = changeField(VECTORS.key31.file, `crypto.kdfparams.${name}`, () => value);
    const start = performance.now();
    const failure = await failureOf(decryptV3(systemDerive, costly, secret('x')));
    expect(performance.now() - start).toBeLessThan(50);
    expect(failure.code).toBe('damaged_key_file');
    expect(failure.message).toContain(`scrypt parameters, ${name} is`);
  });

  it('rejects N, r and p whose product is too large, although each value is allowed', async () => {
    const { file } = VECTORS.key31;
    const costly = changeField(
      changeField(file, 'crypto.kdfparams.n', () => 2 ** 20),
      'crypto.kdfparams.p',
      () => 2,
    );
    expect((await failureOf(decryptV3(systemDerive, costly, secret('foo')))).message).toContain('n * r * p');
  });

  it('rejects a PBKDF2 count that would take minutes', async () => {
    const { file } = VECTORS.definitionPbkdf2;
    const costly = changeField(file, 'crypto.kdfparams.c', () => 1_000_000_000);
    expect((await failureOf(decryptV3(systemDerive, costly, secret('x')))).message).toContain('c is above');
  });

  it.each<[string, unknown]>([
    ['version', 1],
    ['version', '3'],
    ['address', '0x1234'],
    ['crypto', undefined],
    ['crypto.cipher', 'aes-256-ctr'],
    ['crypto.cipherparams.iv', 'e0c4'],
    ['crypto.ciphertext', 'ab'.repeat(29)],
    ['crypto.ciphertext', 'ab'.repeat(33)],
    ['crypto.ciphertext', 'abc'],
    ['crypto.mac', 'ab'.repeat(31)],
    ['crypto.mac', 'zz'.repeat(32)],
    ['crypto.kdf', 'argon2'],
    ['crypto.kdfparams.dklen', 16],
    ['crypto.kdfparams.salt', ''],
    ['crypto.kdfparams.n', -2],
    ['crypto.kdfparams.n', 2.5],
    ['crypto.kdfparams.r', '8'],
    ['Crypto', {}],
  ])('rejects an invalid %s (%j) and names the field', async (path, value) => {
    const failure = await failureOf(
      decryptV3(
        systemDerive,
        changeField(VECTORS.key31.file, path, () => value),
        secret('foo'),
        '/keys/till.json',
      ),
    );
    expect(failure.code).toBe('damaged_key_file');
    expect(failure.message).toContain('/keys/till.json');
    expect(failure.message).toContain(path);
  });

  it.each(['', '{', '[]', 'null', '"text"', '{}', '{"version":3,"version":4}', '['.repeat(5_000), 'x'.repeat(70_000)])(
    'rejects a text that is not a key file: %.20s',
    async (text) => {
      expect((await failureOf(decryptV3(systemDerive, text, secret('x')))).code).toBe('damaged_key_file');
    },
  );
});
