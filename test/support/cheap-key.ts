import { createCipheriv, randomBytes, scryptSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encryptKeystoreJsonSync, Wallet } from 'ethers';
import {
  headerBytes,
  SOLANA_CIPHER,
  SOLANA_FORMAT,
  SOLANA_VERSION,
  solanaAddressOf,
} from '../../src/keystore/solana.ts';

/*
 * Keys with a low scrypt cost. With the usual cost, unlocking keys would take most of the time of other tests. The default
 * password is `pw`.
 */

/** An environment that selects the sandbox and has the password of these keys. */
export const SANDBOX_ENV = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' };

const write = async (home: string, name: string, file: object): Promise<void> => {
  await mkdir(join(home, 'keys'), { mode: 0o700, recursive: true });
  await writeFile(join(home, 'keys', `${name}.json`), JSON.stringify(file), { mode: 0o600 });
};

/** The secret and the password of a key; random and `pw` by default. */
type KeyInput = { readonly secret?: Uint8Array; readonly password?: string };

/** Puts a new EVM key into a home. */
export const newEvmKey = async (
  home: string,
  name: string,
  { secret = randomBytes(32), password = 'pw' }: KeyInput = {},
): Promise<Wallet> => {
  const wallet = new Wallet(`0x${Buffer.from(secret).toString('hex')}`);
  const text = encryptKeystoreJsonSync(wallet, password, { scrypt: { N: 2 } });
  const { Crypto: crypto, id } = JSON.parse(text);
  await write(home, name, { version: 3, id, address: wallet.address.slice(2).toLowerCase(), crypto });
  return wallet;
};

const CHEAP = { n: 1024, r: 8, p: 1 } as const;

/** Puts a new Solana key into a home. */
export const newSolanaKey = async (
  home: string,
  name: string,
  { secret: seed = randomBytes(32), password = 'pw' }: KeyInput = {},
) => {
  const [salt, nonce] = [randomBytes(32), randomBytes(12)];
  const [saltHex, nonceHex] = [salt.toString('hex'), nonce.toString('hex')];
  const address = solanaAddressOf(seed);
  const derived = scryptSync(password, salt, 32, { N: CHEAP.n, r: CHEAP.r, p: CHEAP.p });
  const cipher = createCipheriv(SOLANA_CIPHER, derived, nonce, { authTagLength: 16 });
  cipher.setAAD(headerBytes({ address, ...CHEAP, salt: saltHex, nonce: nonceHex }));
  const ciphertext = Buffer.concat([cipher.update(seed), cipher.final()]).toString('hex');
  await write(home, name, {
    format: SOLANA_FORMAT,
    version: SOLANA_VERSION,
    address,
    kdf: { name: 'scrypt', ...CHEAP, salt: saltHex },
    cipher: { name: SOLANA_CIPHER, nonce: nonceHex },
    ciphertext,
    tag: cipher.getAuthTag().toString('hex'),
  });
  return { address, seed };
};

/** Puts a new key of a family into a home. Returns its address. */
export const newKey = async (home: string, name: string, chain: 'evm' | 'solana', input?: KeyInput): Promise<string> =>
  (await (chain === 'evm' ? newEvmKey : newSolanaKey)(home, name, input)).address;

/** stderr without the warning about the low scrypt cost of these keys. */
export const withoutCost = (stderr: string): string =>
  stderr.replaceAll(/^(?:warning: key \S+: its scrypt|To fix this: bursar key passwd|The new file fixes) .*\n/gm, '');
