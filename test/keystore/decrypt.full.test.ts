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
import { ADDRESS, cast, changed, ethersFile, failureOf, hexOf, KEY } from './support.ts';
import { NAMED_VECTORS, VECTORS } from './vectors.ts';

const castFile = async (password: string): Promise<string> => {
  const home = await temporaryFolder();
  await cast(home, 'wallet', 'import', 'till', '-k', home, '--private-key', KEY, '--unsafe-password', password);
  return readFile(join(home, 'till'), 'utf8');
};

describe('key files of other tools', () => {
  it.each(Object.entries(VECTORS))('opens %s of geth as the key that geth says', async (_, vector) => {
    const opened = await decryptV3(systemDerive, vector.file, secret(vector.password));
    expect(hexOf(opened.privateKey)).toBe(vector.key);
    expect(opened.needsConfirmation).toBe(true);
  });

  it.each(Object.entries(NAMED_VECTORS))('opens %s of geth as the address that it names', async (_, vector) => {
    const opened = await decryptV3(systemDerive, vector.file, secret(vector.password));
    expect(opened.address.toLowerCase()).toBe(vector.address);
    expect(opened.needsConfirmation).toBe(false);
  });

  it.each(['key30', 'key31'] as const)('says that zeros were put in front of %s', async (name) => {
    const { file, password } = VECTORS[name];
    const { warnings } = await decryptV3(systemDerive, file, secret(password));
    expect(warnings.join()).toMatch(/has only 3[01] bytes and was padded with leading zeros/);
  });

  it("opens cast's, shows the address that cast leaves out, and names its weak N", async () => {
    const opened = await decryptV3(systemDerive, await castFile('open sesame'), secret('open sesame'));
    expect(hexOf(opened.privateKey)).toBe(KEY);
    expect(opened).toMatchObject({ address: ADDRESS, needsConfirmation: true });
    expect(opened.warnings.join('\n')).toContain('N = 8192 is weak');
    expect(opened.warnings.join('\n')).toContain(ADDRESS);
  });

  it('names a cost whose N is ours and whose work is less, and none that is as much or more', () => {
    expect(scryptWarnings({ n: 131_072, r: 1, p: 1 })).toEqual([expect.stringMatching(/r = 1, p = 1 is weak/)]);
    expect(scryptWarnings({ n: 65_536, r: 64, p: 2 })).toEqual([expect.stringMatching(/N = 65536 is weak/)]);
    for (const cost of [OWN_COST, { n: 262_144, r: 8, p: 1 }, { n: 262_144, r: 1, p: 8 }]) {
      expect(scryptWarnings(cost), JSON.stringify(cost)).toEqual([]);
    }
  });

  it("opens ethers', which spells Crypto with a capital", async () => {
    const text = await ethersFile('open sesame');
    expect(text).toContain('"Crypto"');
    const opened = await decryptV3(systemDerive, text, secret('open sesame'));
    expect(hexOf(opened.privateKey)).toBe(KEY);
    expect(opened.needsConfirmation).toBe(false);
  });

  it.each(['NFC', 'NFD'])(
    'opens with a password typed in %s, whichever tool took it in whichever form',
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

  it('opens what asks for as much as N = 2^20, which is the most', async () => {
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

  it('derives as OpenSSL does where both can', async () => {
    const [password, salt] = [Buffer.from('open sesame'), Buffer.from('salt of 16 bytes')];
    const expected = scryptSync(password, salt, 32, { N: 4096, r: 1, p: 3 });
    expect(hexOf(await scryptNarrow(systemDerive, password, salt, { n: 4096, p: 3 }))).toBe(hexOf(expected));
  });
});

describe('a key file that must not open', () => {
  const flip = (digits: string): string => (digits.startsWith('0') ? '1' : '0') + digits.slice(1);

  it('is told apart: a wrong password, a flipped bit of the iv, a wrong address', async () => {
    const text = await ethersFile('open sesame');
    const iv = changed(text, 'Crypto.cipherparams.iv', flip);
    const address = changed(text, 'address', flip);
    expect((await failureOf(decryptV3(systemDerive, text, secret('open sesam')))).code).toBe('wrong_password');
    for (const damaged of [iv, address]) {
      const failure = await failureOf(decryptV3(systemDerive, damaged, secret('open sesame')));
      expect(failure.code).toBe('damaged_key_file');
      expect(failure.message).toContain('the password is right');
    }
  });

  it.each(['ciphertext', 'mac'])('a damaged %s looks like a wrong password, and the hint says so', async (part) => {
    const damaged = changed(await ethersFile('x'), `Crypto.${part}`, flip);
    const failure = await failureOf(decryptV3(systemDerive, damaged, secret('x')));
    expect(failure.code).toBe('wrong_password');
    expect(failure.details.hint).toContain('damaged file');
  });

  it.each([
    ['n', 2 ** 24],
    ['n', 2 ** 21],
    ['n', 3000],
    ['n', 1],
    ['r', 65],
    ['p', 65],
  ])('is refused at once for %s = %i, before anything is derived', async (name, value) => {
    const greedy = changed(VECTORS.key31.file, `crypto.kdfparams.${name}`, () => value);
    const start = performance.now();
    const failure = await failureOf(decryptV3(systemDerive, greedy, secret('x')));
    expect(performance.now() - start).toBeLessThan(50);
    expect(failure.code).toBe('damaged_key_file');
    expect(failure.message).toContain(`scrypt parameters, ${name} is`);
  });

  it('is refused when N, r and p are each allowed and together are not', async () => {
    const { file } = VECTORS.key31;
    const greedy = changed(
      changed(file, 'crypto.kdfparams.n', () => 2 ** 20),
      'crypto.kdfparams.p',
      () => 2,
    );
    expect((await failureOf(decryptV3(systemDerive, greedy, secret('foo')))).message).toContain('n * r * p');
  });

  it('is refused for a count of PBKDF2 that would take minutes, and a weak one is named', async () => {
    const { file } = VECTORS.definitionPbkdf2;
    const greedy = changed(file, 'crypto.kdfparams.c', () => 1_000_000_000);
    expect((await failureOf(decryptV3(systemDerive, greedy, secret('x')))).message).toContain('c is above');
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
  ])('is refused for a wrong %s, which is named', async (path, value) => {
    const failure = await failureOf(
      decryptV3(
        systemDerive,
        changed(VECTORS.key31.file, path, () => value),
        secret('foo'),
        '/keys/till.json',
      ),
    );
    expect(failure.code).toBe('damaged_key_file');
    expect(failure.message).toContain('/keys/till.json');
    expect(failure.message).toContain(path);
  });

  it.each(['', '{', '[]', 'null', '"text"', '{}', '{"version":3,"version":4}', '['.repeat(5_000), 'x'.repeat(70_000)])(
    'is refused for what is no key file at all: %.20s',
    async (text) => {
      expect((await failureOf(decryptV3(systemDerive, text, secret('x')))).code).toBe('damaged_key_file');
    },
  );
});
