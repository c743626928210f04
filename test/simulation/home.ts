import { createCipheriv, createHash, scryptSync } from 'node:crypto';
import bs58 from 'bs58';
import { encryptKeystoreJsonSync, Wallet } from 'ethers';
import {
  headerBytes,
  pairBytes,
  SOLANA_CIPHER,
  SOLANA_FORMAT,
  SOLANA_VERSION,
  solanaAddressOf,
} from '../../src/keystore/solana.ts';

/** The home of each machine, and the facts that all lives share. The secrets may be in their own files only. */
export const HOME = '/home/ops/.bursar';
export const SERVICE_URL = 'https://api.example.com';
export const NODE_URL = 'https://node.example.net/rpc';
export const SOLANA_NODE_URL = 'https://solana.example.net/rpc';
export const API_KEY = 'sk_live_3f9c27aa51d84e60';
export const PASSWORD = 'correct horse 7 battery';

const SECRET = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
const wallet = new Wallet(`0x${SECRET}`);

export const EVM_ADDRESS = wallet.address.toLowerCase();

const SECOND_SECRET = '8da4ef21b864d2cc526dbdb2a120bd2874c36c9d0a1fb7f8c63d7f7a8b41de8f';
const secondWallet = new Wallet(`0x${SECOND_SECRET}`);

/** The second wallet of bulk payments. */
export const SECOND_ADDRESS = secondWallet.address.toLowerCase();

const SEED = createHash('sha256').update('the saver of the simulation').digest();

export const SOLANA_ADDRESS = solanaAddressOf(SEED);

/** Secrets that may be in their own files only, in several encodings. */
export const SECRETS: readonly (readonly [name: string, text: string])[] = [
  ['the private key', SECRET],
  ['the private key in base64', Buffer.from(SECRET, 'hex').toString('base64')],
  ['the second private key', SECOND_SECRET],
  ['the Solana private key', SEED.toString('hex')],
  ['the Solana private key in base64', SEED.toString('base64').slice(0, 40)],
  ['the Solana private key in base58', bs58.encode(SEED)],
  ['the Solana key pair in base58', bs58.encode(pairBytes(SEED))],
  ['the password', PASSWORD],
  ['the password in hex', Buffer.from(PASSWORD).toString('hex')],
  ['the password in base64', Buffer.from(PASSWORD).toString('base64').slice(0, 20)],
  ['the API key', API_KEY],
  ['the API key in hex', Buffer.from(API_KEY).toString('hex')],
  ['the API key in base64', Buffer.from(API_KEY).toString('base64').slice(0, 20)],
];

const made = new Map<Wallet, string>();

/** A key file with the lowest cost, made once. The first call must be before `closeGlobals`. */
const keyFileOf = (own: Wallet): string => {
  const known = made.get(own);
  if (known !== undefined) return known;
  const { Crypto: crypto, id } = JSON.parse(encryptKeystoreJsonSync(own, PASSWORD, { scrypt: { N: 2 } }));
  const text = JSON.stringify({ version: 3, id, address: own.address.toLowerCase().slice(2), crypto });
  made.set(own, text);
  return text;
};

export const keyFile = (): string => keyFileOf(wallet);

export const secondKeyFile = (): string => keyFileOf(secondWallet);

const CHEAP = { n: 1024, r: 8, p: 1 } as const;

let solanaMade: string | undefined;

/** The key file of the Solana key. Its salt and nonce are fixed, so that all lives have the same file. */
export const solanaKeyFile = (): string => {
  if (solanaMade !== undefined) return solanaMade;
  const [salt, nonce] = [Buffer.alloc(32, 1), Buffer.alloc(12, 2)];
  const facts = { address: SOLANA_ADDRESS, salt: salt.toString('hex'), nonce: nonce.toString('hex') };
  const derived = scryptSync(PASSWORD, salt, 32, { N: CHEAP.n, r: CHEAP.r, p: CHEAP.p });
  const cipher = createCipheriv(SOLANA_CIPHER, derived, nonce, { authTagLength: 16 });
  cipher.setAAD(headerBytes({ ...facts, ...CHEAP }));
  const ciphertext = Buffer.concat([cipher.update(SEED), cipher.final()]).toString('hex');
  solanaMade = JSON.stringify({
    ...{ format: SOLANA_FORMAT, version: SOLANA_VERSION, address: SOLANA_ADDRESS },
    ...{ kdf: { name: 'scrypt', ...CHEAP, salt: facts.salt }, cipher: { name: SOLANA_CIPHER, nonce: facts.nonce } },
    ...{ ciphertext, tag: cipher.getAuthTag().toString('hex') },
  });
  return solanaMade;
};
