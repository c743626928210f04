import { encryptKeystoreJsonSync, Wallet } from 'ethers';

/** The one home, and the facts that every life shares. Known secrets: nothing but their own files may have them. */
export const HOME = '/home/ops/.bursar';
export const SERVICE_URL = 'https://api.example.com';
export const NODE_URL = 'https://node.example.net/rpc';
export const API_KEY = 'sk_live_3f9c27aa51d84e60';
export const PASSWORD = 'correct horse 7 battery';

const SECRET = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
const wallet = new Wallet(`0x${SECRET}`);

export const EVM_ADDRESS = wallet.address.toLowerCase();

/** What must not leave its place, also in other spellings. */
export const SECRETS: readonly (readonly [name: string, text: string])[] = [
  ['the private key', SECRET],
  ['the private key in base64', Buffer.from(SECRET, 'hex').toString('base64')],
  ['the password', PASSWORD],
  ['the password in hex', Buffer.from(PASSWORD).toString('hex')],
  ['the password in base64', Buffer.from(PASSWORD).toString('base64').slice(0, 20)],
  ['the API key', API_KEY],
  ['the API key in hex', Buffer.from(API_KEY).toString('hex')],
  ['the API key in base64', Buffer.from(API_KEY).toString('base64').slice(0, 20)],
];

let made: string | undefined;

/** A key file of lowest cost. It is made before the globals of Node are closed, and only once. */
export const keyFile = (): string => {
  if (made !== undefined) return made;
  const { Crypto: crypto, id } = JSON.parse(encryptKeystoreJsonSync(wallet, PASSWORD, { scrypt: { N: 2 } }));
  made = JSON.stringify({ version: 3, id, address: EVM_ADDRESS.slice(2), crypto });
  return made;
};
