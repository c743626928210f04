import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { systemDerive } from '../../src/io/system.ts';
import { parsePrivateKey, printKeypair, printPrivateKey, readImportSource } from '../../src/keystore/import.ts';
import { failureOf, hexOf } from './support.ts';

const SEED = Uint8Array.from({ length: 32 }, (_, at) => at + 1);
const PAIR = Keypair.fromSeed(SEED);
/** As solana-keygen writes it. */
const FILE = JSON.stringify([...PAIR.secretKey]);

describe('a Solana key in the clear', () => {
  it.each([
    ['the file of solana-keygen', FILE],
    ['that file with blanks and line ends', `${FILE.replaceAll(',', ', \n')}\r\n`],
    ["a wallet's base58", bs58.encode(PAIR.secretKey)],
  ])('is taken as %s', async (_, text) => {
    const opened = await readImportSource(systemDerive, 'solana', { kind: 'private-key', text });
    expect(hexOf(opened.privateKey)).toBe(hexOf(SEED));
    expect(opened).toMatchObject({ chain: 'solana', address: PAIR.publicKey.toBase58(), needsConfirmation: false });
  });

  it('comes out as it went in, and web3.js opens it', async () => {
    expect(await printKeypair(SEED)).toBe(`${FILE}\n`);
    const text = await printPrivateKey('solana', SEED);
    expect(Keypair.fromSecretKey(bs58.decode(text.trim())).publicKey.toBase58()).toBe(PAIR.publicKey.toBase58());
    expect(hexOf(await parsePrivateKey('solana', text))).toBe(hexOf(SEED));
  });

  it('is refused with a public half of another key: signing with it would give the key away', async () => {
    const forged = Uint8Array.from([...SEED, ...Keypair.fromSeed(new Uint8Array(32).fill(9)).publicKey.toBytes()]);
    for (const text of [JSON.stringify([...forged]), bs58.encode(forged)]) {
      const failure = await failureOf(parsePrivateKey('solana', text));
      expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('public half') });
    }
  });

  it.each([
    ['an address, which is 32 bytes too', PAIR.publicKey.toBase58()],
    ['a seed alone', JSON.stringify([...SEED])],
    ['63 numbers', JSON.stringify([...PAIR.secretKey.slice(1)])],
    ['a number above 255', FILE.replace(/^\[1,/, '[256,')],
    ['negative numbers', FILE.replace(/^\[1,/, '[-1,')],
    ['a mnemonic', `${'abandon '.repeat(11)}about`],
    ['hex', hexOf(PAIR.secretKey)],
    ['nothing', ''],
  ])('is refused when it is %s, and is not quoted', async (_, text) => {
    const failure = await failureOf(parsePrivateKey('solana', text));
    expect(failure.code).toBe('invalid_input');
    if (text) expect(JSON.stringify([failure.message, failure.details])).not.toContain(text.slice(0, 12));
  });
});
