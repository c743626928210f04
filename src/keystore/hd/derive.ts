import { createHmac } from 'node:crypto';
import type { KeyChain } from '../../contract/key-chain.ts';
import { Failure } from '../../core/failure.ts';
import { addressOf } from '../evm-address.ts';
import { SEED_BYTES, solanaAddressOf } from '../solana/seed.ts';
import { wiping } from '../wiping.ts';
import { HARDENED, NO_PATH, stepsOf } from './path.ts';

const deriveEvm = async (seed: Uint8Array, path: string): Promise<Uint8Array> => {
  if (path === NO_PATH) throw new Failure('invalid_input', 'an EVM key needs a derivation path');
  stepsOf('evm', path);
  const { HDNodeWallet } = await import('ethers/wallet');
  const { privateKey } = HDNodeWallet.fromSeed(seed).derivePath(path);
  return Uint8Array.from(Buffer.from(privateKey.slice(2), 'hex'));
};

const deriveSolana = async (seed: Uint8Array, path: string): Promise<Uint8Array> =>
  path === NO_PATH ? Uint8Array.from(seed.subarray(0, SEED_BYTES)) : deriveSlip10(seed, stepsOf('solana', path));

/**
 * Derives the private key of a path from the seed of a mnemonic: BIP-32 for EVM, SLIP-10 for Solana. The caller wipes
 * it. Throws `invalid_input` for an invalid path.
 */
export const deriveKey = (chain: KeyChain, seed: Uint8Array, path: string): Promise<Uint8Array> =>
  chain === 'evm' ? deriveEvm(seed, path) : deriveSolana(seed, path);

/** The paths that wallets use, most common first. Labels are short, so that a row fits into 80 columns. */
const USUAL: Readonly<Record<KeyChain, readonly (readonly [path: string, label: string])[]>> = {
  evm: [
    ["m/44'/60'/0'/0/0", 'account 1'],
    ["m/44'/60'/0'/0/1", 'account 2'],
    ["m/44'/60'/0'/0/2", 'account 3'],
    ["m/44'/60'/1'/0/0", 'Ledger Live 2'],
    ["m/44'/60'/2'/0/0", 'Ledger Live 3'],
    ["m/44'/60'/0'/0", 'old Ledger 1'],
    ["m/44'/60'/0'/1", 'old Ledger 2'],
  ],
  solana: [
    ["m/44'/501'/0'/0'", 'account 1'],
    ["m/44'/501'/1'/0'", 'account 2'],
    ["m/44'/501'/2'/0'", 'account 3'],
    ["m/44'/501'/0'", 'Ledger 1'],
    ["m/44'/501'/1'", 'Ledger 2'],
    ["m/44'/501'", 'Ledger root'],
    [NO_PATH, 'solana-keygen'],
  ],
};

/** An account of a mnemonic: its path and address. */
export type Account = { readonly path: string; readonly label: string; readonly address: string };

/** The usual accounts of a mnemonic's seed. */
export const usualAccounts = (chain: KeyChain, seed: Uint8Array): Promise<readonly Account[]> =>
  Promise.all(
    USUAL[chain].map(async ([path, label]) => {
      const key = await deriveKey(chain, seed, path);
      return wiping(key, () => ({ path, label, address: chain === 'evm' ? addressOf(key) : solanaAddressOf(key) }));
    }),
  );

/** `I` of SLIP-10: 32 bytes of key and 32 bytes of chain code. */
const hmac = (key: Uint8Array | string, ...parts: readonly Uint8Array[]): Buffer =>
  createHmac('sha512', key).update(Buffer.concat(parts)).digest();

const child = (node: Buffer, step: number): Buffer => {
  if (step < HARDENED) throw new RangeError('ed25519 allows only hardened steps');
  const index = Buffer.alloc(4);
  index.writeUInt32BE(step);
  return hmac(node.subarray(32), Buffer.alloc(1), node.subarray(0, 32), index);
};

/** Derives the 32-byte ed25519 seed at hardened steps (SLIP-10). The caller wipes it. */
export const deriveSlip10 = async (seed: Uint8Array, steps: readonly number[]): Promise<Uint8Array> => {
  let node = hmac('ed25519 seed', seed);
  for (const step of steps) node = await wiping(node, (parent) => child(parent, step));
  return wiping(node, () => Uint8Array.from(node.subarray(0, 32)));
};
