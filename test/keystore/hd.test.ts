import { createHmac, pbkdf2Sync } from 'node:crypto';
import bs58 from 'bs58';
import { HDNodeWallet, Mnemonic } from 'ethers/wallet';
import nacl from 'tweetnacl';
import { describe, expect, it } from 'vitest';
import { secret } from '../../src/core/secret.ts';
import { systemDerive } from '../../src/io/system.ts';
import { deriveKey, deriveSlip10, seedOfMnemonic, usualAccounts } from '../../src/keystore/hd.ts';
import { readImportSource } from '../../src/keystore/import.ts';
import { failureOf, hexOf } from './support.ts';

const H = 2 ** 31;
const ABOUT = `${'abandon '.repeat(11)}about`;

/** A second implementation of SLIP-10, to compare with that of bursar. */
const slip10 = (seed: Uint8Array, indexes: readonly number[]): string => {
  let node = createHmac('sha512', 'ed25519 seed').update(seed).digest('hex');
  for (const index of indexes) {
    const data = `00${node.slice(0, 64)}${(index + H).toString(16)}`;
    node = createHmac('sha512', Buffer.from(node.slice(64), 'hex'))
      .update(Buffer.from(data, 'hex'))
      .digest('hex');
  }
  return node.slice(0, 64);
};

const bip39 = (phrase: string, passphrase: string): string =>
  pbkdf2Sync(phrase.normalize('NFKD'), `mnemonic${passphrase}`.normalize('NFKD'), 2048, 64, 'sha512').toString('hex');

describe('the seed of a mnemonic', () => {
  /** Five vectors of trezor/python-mnemonic, vectors.json. The passphrase is always TREZOR. */
  it.each([
    [
      ABOUT,
      'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
    ],
    [
      `${'zoo '.repeat(11)}wrong`,
      'ac27495480225222079d7be181583751e86f571027b0497b5b5d11218e0a8a13332572917f0f8e5a589620c6f15b11c61dee327651a14c34e18231052e48c069',
    ],
    [
      'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
      'd71de856f81a8acc65e6fc851a38d4d7ec216fd0796d0a6827a3ad6ed5511a30fa280f12eb2e47ed2ac03b5c462a0358d18d69fe4f985ec81778c1b370b652a8',
    ],
    [
      `${'abandon '.repeat(17)}agent`,
      '035895f2f481b1b0f01fcf8c289c794660b289981a78f8106447707fdd9666ca06da5a9a565181599b79f53b844d8a71dd9f439c52a3d7b3e8a79c906ac845fa',
    ],
    [
      `${'abandon '.repeat(23)}art`,
      'bda85446c68413707090a52022edd26a1c9462295029f2e60cd7c4f2bbd3097170af7a4d73245cafa9c3cca8d561a7c3de6f5d4a10be8ed2a5e608d68f92fcc8',
    ],
  ])('is the published BIP-39 seed of %s', async (phrase, seed) => {
    expect(bip39(phrase, 'TREZOR')).toBe(seed);
    expect(hexOf(await seedOfMnemonic(systemDerive, phrase, 'TREZOR'))).toBe(seed);
  });

  it.each(['', ' ', 'TREZOR', 'trezor', 'pässwörd', 'pässwörd'.normalize('NFD'), '🙂'])(
    'with the passphrase %j is the same as from node:crypto',
    async (passphrase) => {
      expect(hexOf(await seedOfMnemonic(systemDerive, ABOUT, passphrase))).toBe(bip39(ABOUT, passphrase));
    },
  );
});

describe('a mnemonic of each length in BIP-39', () => {
  it.each([12, 15, 18, 21, 24])(
    'of %i words with a passphrase gives the keys that ethers and node:crypto derive',
    async (count) => {
      const entropy = createHmac('sha512', 'entropy').update(String(count)).digest();
      const { phrase } = Mnemonic.fromEntropy(entropy.subarray(0, (count * 4) / 3));
      expect(phrase.split(' ')).toHaveLength(count);
      const seed = await seedOfMnemonic(systemDerive, phrase, 'pässword');
      expect(hexOf(seed)).toBe(bip39(phrase, 'pässword'));
      const path = "m/44'/60'/0'/0/1";
      const evm = await readImportSource(systemDerive, 'evm', {
        kind: 'mnemonic',
        text: phrase,
        passphrase: secret('pässword'),
        path,
      });
      expect(evm.address).toBe(HDNodeWallet.fromPhrase(phrase, 'pässword', path).address);
      const solana = await readImportSource(systemDerive, 'solana', {
        kind: 'mnemonic',
        text: phrase,
        passphrase: secret('pässword'),
      });
      expect(hexOf(solana.privateKey)).toBe(slip10(seed, [44, 501, 0, 0]));
    },
  );
});

describe('SLIP-10 for ed25519', () => {
  /** satoshilabs/slips, slip-0010.md, test vectors 1 and 2 for ed25519. */
  const SEED = '000102030405060708090a0b0c0d0e0f';
  const LONG =
    'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542';
  const MAX = H - 1;
  it.each([
    [SEED, [], '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7'],
    [SEED, [0], '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3'],
    [SEED, [0, 1], 'b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2'],
    [SEED, [0, 1, 2], '92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9'],
    [SEED, [0, 1, 2, 2], '30d1dc7e5fc04c31219ab25a27ae00b50f6fd66622f6e9c913253d6511d1e662'],
    [SEED, [0, 1, 2, 2, 1_000_000_000], '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793'],
    [LONG, [], '171cb88b1b3c1db25add599712e36245d75bc65a1a5c9e18d76f9f2b1eab4012'],
    [LONG, [0], '1559eb2bbec5790b0c65d8693e4d0875b1747f4970ae8b650486ed7470845635'],
    [LONG, [0, MAX], 'ea4f5bfe8694d8bb74b7b59404632fd5968b774ed545e810de9c32a4fb4192f4'],
    [LONG, [0, MAX, 1], '3757c7577170179c7868353ada796c839135b3d30554bbb74a4b1e4a5a58505c'],
    [LONG, [0, MAX, 1, MAX - 1], '5837736c89570de861ebc173b1086da4f505d4adb387c6a1b1342d5e4ac9ec72'],
    [LONG, [0, MAX, 1, MAX - 1, 2], '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d'],
  ])('derives the published key from the seed %.8s… at %j', async (hex, indexes, key) => {
    const seed = Buffer.from(hex, 'hex');
    expect(slip10(seed, indexes)).toBe(key);
    const steps = indexes.map((index) => index + H);
    expect(hexOf(await deriveSlip10(seed, steps))).toBe(key);
  });
});

describe('usualAccounts', () => {
  it('has the four derivation paths of Solana wallets, with the addresses of a second implementation', async () => {
    const seed = await seedOfMnemonic(systemDerive, ABOUT);
    const accounts = new Map((await usualAccounts('solana', seed)).map(({ path, address }) => [path, address]));
    const addressAt = (key: string) => bs58.encode(nacl.sign.keyPair.fromSeed(Buffer.from(key, 'hex')).publicKey);
    expect(accounts.get("m/44'/501'/0'/0'")).toBe(addressAt(slip10(seed, [44, 501, 0, 0])));
    expect(accounts.get("m/44'/501'/0'")).toBe(addressAt(slip10(seed, [44, 501, 0])));
    expect(accounts.get("m/44'/501'")).toBe(addressAt(slip10(seed, [44, 501])));
    expect(accounts.get('none')).toBe(addressAt(hexOf(seed.slice(0, 32))));
    expect(new Set(accounts.values()).size).toBe(accounts.size);
  });

  it('starts for Solana with the address that Phantom shows for this mnemonic', async () => {
    const [first] = await usualAccounts('solana', await seedOfMnemonic(systemDerive, ABOUT));
    expect(first?.address).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk');
  });

  it('has for EVM chains the addresses that ethers derives', async () => {
    for (const { path, address } of await usualAccounts('evm', await seedOfMnemonic(systemDerive, ABOUT)))
      expect(address, path).toBe(HDNodeWallet.fromPhrase(ABOUT, '', path).address);
  });
});

describe('a derivation path', () => {
  const seed = new Uint8Array(64).fill(7);

  it.each(["m/44'/501'/0'/0", 'm', "44'/501'", "m/44'/501'/2147483648'", 'm/44h/501h', 'NONE', ''])(
    'for Solana is rejected when it is %j',
    async (path) => {
      expect((await failureOf(deriveKey('solana', seed, path))).code).toBe('invalid_input');
    },
  );

  it('is required for an EVM key', async () => {
    expect((await failureOf(deriveKey('evm', seed, 'none'))).code).toBe('invalid_input');
  });
});

describe('a Solana key derived from a mnemonic', () => {
  it.each(["m/44'/501'/0'/0'", 'none'])('at %s is still complete after the seed was wiped', async (path) => {
    const { privateKey, address } = await readImportSource(systemDerive, 'solana', {
      kind: 'mnemonic',
      text: ABOUT,
      path,
    });
    expect(bs58.encode(nacl.sign.keyPair.fromSeed(privateKey).publicKey)).toBe(address);
    expect(hexOf(privateKey)).not.toBe('0'.repeat(64));
  });
});
