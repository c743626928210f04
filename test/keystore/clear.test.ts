import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { systemDerive } from '../../src/io/system.ts';
import { parsePrivateKey, printKeypair, printPrivateKey, readImportSource } from '../../src/keystore/import.ts';
import { failureOf, hexOf } from './support.ts';

const SEED = Uint8Array.from({ length: 32 }, (_, at) => at + 1);
const PAIR = Keypair.fromSeed(SEED);
/** The key file that solana-keygen writes. */
const FILE = JSON.stringify([...PAIR.secretKey]);

describe('an unencrypted Solana key', () => {
  it.each([
    ['the file of solana-keygen', FILE],
    ['the file of solana-keygen with blanks and line ends', `${FILE.replaceAll(',', ', \n')}\r\n`],
    ['the base58 text of a wallet', bs58.encode(PAIR.secretKey)],
  ])('is imported from %s', async (_, text) => {
    const opened = await readImportSource(systemDerive, 'solana', { kind: 'private-key', text });
    expect(hexOf(opened.privateKey)).toBe(hexOf(SEED));
    expect(opened).toMatchObject({ chain: 'solana', address: PAIR.publicKey.toBase58(), needsConfirmation: false });
  });

  it('is exported in the form of solana-keygen and of wallets, which web3.js reads', async () => {
    expect(await printKeypair(SEED)).toBe(`${FILE}\n`);
    const text = await printPrivateKey('solana', SEED);
    expect(Keypair.fromSecretKey(bs58.decode(text.trim())).publicKey.toBase58()).toBe(PAIR.publicKey.toBase58());
    expect(hexOf(await parsePrivateKey('solana', text))).toBe(hexOf(SEED));
  });

  it('is rejected with the public half of another key, because signatures made with it would reveal the key', async () => {
    const forged = Uint8Array.from([...SEED, ...Keypair.fromSeed(new Uint8Array(32).fill(9)).publicKey.toBytes()]);
    for (const text of [JSON.stringify([...forged]), bs58.encode(forged)]) {
      const failure = await failureOf(parsePrivateKey('solana', text));
      expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('public half') });
    }
  });

  it.each([
    ['an address of 32 bytes', PAIR.publicKey.toBase58()],
    ['a seed without a public half', JSON.stringify([...SEED])],
    ['63 numbers', JSON.stringify([...PAIR.secretKey.slice(1)])],
    ['a number above 255', FILE.replace(/^\[1,/, '[256,')],
    ['negative numbers', FILE.replace(/^\[1,/, '[-1,')],
    ['a mnemonic', `${'abandon '.repeat(11)}about`],
    ['hex', hexOf(PAIR.secretKey)],
    ['an empty text', ''],
  ])('is rejected when it is %s, and the error does not quote it', async (_, text) => {
    const failure = await failureOf(parsePrivateKey('solana', text));
    expect(failure.code).toBe('invalid_input');
    if (text) expect(JSON.stringify([failure.message, failure.details])).not.toContain(text.slice(0, 12));
  });
});
