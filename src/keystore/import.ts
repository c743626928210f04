import bs58 from 'bs58';
import type { KeyChain } from '../contract/chains.ts';
import { ed25519PublicKey } from '../core/ed25519.ts';
import { Failure } from '../core/failure.ts';
import { type Secret, wiping } from '../core/secret.ts';
import type { Derive, Random } from '../io/io.ts';
import { addressOf } from './evm-address.ts';
import { DEFAULT_PATH, deriveKey, seedOfMnemonic } from './hd.ts';
import { type DecryptedKey, isPrivateKey, type KeyToEncrypt, newPrivateKey } from './key.ts';
import { chainOfKeyFile } from './keystore.ts';
import { encryptSolana, pairBytes, SEED_BYTES, solanaAddressOf } from './solana.ts';
import { decryptKey } from './unlock.ts';
import { encryptV3 } from './v3.ts';

const HIDDEN = { hint: 'The text is not shown, because it may be secret.' };
const PAIR_BYTES = 64;
/** Most characters of 64 bytes in base58. */
const MAX_BASE58_LENGTH = 88;

/** 64 hex digits, with or without 0x, space around them ignored. */
const parseEvm = (text: string): Uint8Array => {
  const digits = text.trim().replace(/^0x/i, '');
  const message = 'this is not a private key: it must be 64 hex digits, with or without 0x';
  if (!/^[0-9a-f]{64}$/i.test(digits)) throw new Failure('invalid_input', message, HIDDEN);
  const privateKey = Uint8Array.from(Buffer.from(digits, 'hex'));
  if (isPrivateKey(privateKey)) return privateKey;
  throw new Failure('invalid_input', 'this is not a private key: it is zero, or not below the order of secp256k1');
};

/** The format of solana-keygen: a JSON array of 64 numbers. `undefined` for anything else. */
const fromNumbers = (text: string): Uint8Array | undefined => {
  if (!/^\[(?:\s*\d{1,3}\s*,){63}\s*\d{1,3}\s*\]$/.test(text)) return undefined;
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  return numbers.every((number) => number < 256) ? Uint8Array.from(numbers) : undefined;
};

const pairIn = (text: string): Uint8Array => {
  const bytes = fromNumbers(text) ?? (text.length <= MAX_BASE58_LENGTH ? bs58.decodeUnsafe(text) : undefined);
  if (bytes?.length === PAIR_BYTES) return bytes;
  const isHalf = bytes?.length === SEED_BYTES;
  bytes?.fill(0);
  const message = isHalf
    ? 'this has 32 bytes, like an address: a Solana key must have both halves, 64 bytes'
    : 'this is not a Solana key: it must be 64 bytes in base58, or the JSON array of solana-keygen';
  throw new Failure('invalid_input', message, HIDDEN);
};

/** Checks that the halves match: signatures with a wrong public half reveal the private key. */
const parseSolana = (text: string): Promise<Uint8Array> =>
  wiping(pairIn(text.trim()), (pair) => {
    const seed = Uint8Array.from(pair.subarray(0, SEED_BYTES));
    if (Buffer.compare(ed25519PublicKey(seed), pair.subarray(SEED_BYTES)) === 0) return seed;
    seed.fill(0);
    throw new Failure('invalid_input', 'the public half of this key does not match its secret half', {
      hint: 'The key is damaged or forged. Nothing was imported.',
    });
  });

/**
 * Parses an unencrypted private key: hex for EVM; for Solana 64 bytes in base58 or as JSON of solana-keygen. The caller
 * wipes it. Throws `invalid_input`, which never quotes the text.
 */
export const parsePrivateKey = async (chain: KeyChain, text: string): Promise<Uint8Array> =>
  chain === 'evm' ? parseEvm(text) : parseSolana(text);

/** The unencrypted private key and a line feed, in the format of `parsePrivateKey` and of wallets. */
export const printPrivateKey = (chain: KeyChain, privateKey: Uint8Array): Promise<string> =>
  chain === 'evm'
    ? Promise.resolve(`0x${Buffer.from(privateKey).toString('hex')}\n`)
    : wiping(pairBytes(privateKey), (pair) => `${bs58.encode(pair)}\n`);

/** A Solana key in the format of solana-keygen: its 64 bytes as a JSON array, unencrypted. */
export const printKeypair = (seed: Uint8Array): Promise<string> =>
  wiping(pairBytes(seed), (pair) => `[${[...pair].join(',')}]\n`);

/** A new private key of a chain. The caller wipes it. */
export const newKeyOf = (chain: KeyChain, random: Random): Uint8Array =>
  chain === 'evm' ? newPrivateKey(random) : random.bytes(SEED_BYTES);

/** A key as a file in the format of its chain. Throws `invalid_input` when the bytes are no private key. */
export const encryptKey = ({ chain, ...key }: KeyToEncrypt): Promise<string> =>
  chain === 'evm' ? encryptV3(key) : encryptSolana(key);

/** The input of `key import`, as text. Errors call a key file by `from`. */
export type ImportSource =
  | { readonly kind: 'key-file'; readonly text: string; readonly password: Secret; readonly from?: string }
  | { readonly kind: 'private-key'; readonly text: string }
  | {
      readonly kind: 'mnemonic';
      readonly text: string;
      readonly passphrase?: Secret | undefined;
      readonly path?: string | undefined;
    };

/** Whether a file to import is unencrypted, like those of solana-keygen. */
export const isClearFile = (chain: KeyChain, text: string): boolean => chain === 'solana' && /^\s*\[/.test(text);

/** Throws `invalid_input` if a key file is of the other chain family. Needs no password. */
export const assertFileOf = (chain: KeyChain, text: string, from: string): void => {
  const found = chainOfKeyFile(text, from);
  if (found === chain) return;
  const message = found === 'evm' ? 'is not a Solana key file' : 'is a Solana key';
  throw new Failure('invalid_input', `${from} ${message}; --chain ${chain} does not fit it`);
};

const opened = (chain: KeyChain, privateKey: Uint8Array): DecryptedKey => ({
  chain,
  privateKey,
  address: chain === 'evm' ? addressOf(privateKey) : solanaAddressOf(privateKey),
  warnings: [],
  needsConfirmation: false,
});

/** Opens what is imported for a chain. Throws as the parser of its kind; a secret is never part of an error. */
export const readImportSource = async (
  derive: Derive,
  chain: KeyChain,
  source: ImportSource,
): Promise<DecryptedKey> => {
  switch (source.kind) {
    case 'key-file':
      assertFileOf(chain, source.text, source.from ?? 'the key file');
      return decryptKey(derive, source.text, source.password, source.from);
    case 'private-key':
      return opened(chain, await parsePrivateKey(chain, source.text));
    case 'mnemonic': {
      const seed = await seedOfMnemonic(derive, source.text, source.passphrase?.reveal());
      const path = source.path ?? DEFAULT_PATH[chain];
      return opened(chain, await wiping(seed, () => deriveKey(chain, seed, path)));
    }
    default:
      return source satisfies never;
  }
};
