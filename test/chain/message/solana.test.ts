import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { describe, expect, it } from 'vitest';
import { isSolanaSignature, signSolanaMessage } from '../../../src/chain/message/solana.ts';
import { ed25519PublicKey, verifyEd25519 } from '../../../src/core/ed25519.ts';
import { failureOf } from '../evm/given.ts';

const SEED = Uint8Array.from(createHash('sha256').update('a seed that everybody knows').digest());
const PAIR = Keypair.fromSeed(SEED);
const ADDRESS = PAIR.publicKey.toBase58();

/** Verifies with node:crypto and the key as a JWK (RFC 8037), without code of bursar. */
const nodeVerifies = (text: string, signature: string): boolean => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(PAIR.publicKey.toBytes()).toString('base64url') };
  return verify(null, Buffer.from(text), createPublicKey({ key: jwk, format: 'jwk' }), bs58.decode(signature));
};

const ORDINARY = [
  'hello',
  '{"domain":"shop.example","nonce":"8f1c"}',
  'shop.example wants you to sign in\n\nNonce: 1\r\nIssued: 2026-11-21\n',
  'Größe, 日本語, 🙂',
  '0x68656c6c6f',
  ' {',
];
const LONG = ['A'.repeat(5_000), 'deadbeef'.repeat(40)];

describe('a message signed with a Solana key', () => {
  it.each(ORDINARY)('has the same signature as from tweetnacl, which node:crypto verifies: %j', (text) => {
    const signature = signSolanaMessage(text, SEED);
    expect(bs58.decode(signature)).toEqual(nacl.sign.detached(Buffer.from(text), PAIR.secretKey));
    expect(nodeVerifies(text, signature)).toBe(true);
    expect(isSolanaSignature(text, signature, ADDRESS)).toBe(true);
    expect(isSolanaSignature(`${text} `, signature, ADDRESS)).toBe(false);
  });

  it.each(LONG)('may be long and look like base64 or hex: %.20s…', (text) => {
    expect(nodeVerifies(text, signSolanaMessage(text, SEED))).toBe(true);
  });

  it.each([
    ['an empty text', ''],
    ['only blanks', ' \n'],
    ['an escape sequence', 'pay \u001b[2K1'],
    ['a lone carriage return', 'pay 1000\rpay 1   '],
    ['a C1 control', 'pay \u009b1'],
    ['a zero byte', 'a\0b'],
    ['a direction override', 'pay \u202e1'],
    ['a zero-width space', 'shop\u200b.example'],
    ['a lone surrogate', 'a\ud800'],
  ])('is refused when it is or contains %s', (_, text) => {
    expect(failureOf(() => signSolanaMessage(text, SEED)).code).toBe('refused_by_review');
  });
});

describe('a text that encodes a transaction', () => {
  const transfer = SystemProgram.transfer({ fromPubkey: PAIR.publicKey, toPubkey: PublicKey.default, lamports: 1n });
  const recentBlockhash = bs58.encode(new Uint8Array(32).fill(7));
  const legacy = () => {
    const transaction = new Transaction({
      feePayer: PAIR.publicKey,
      blockhash: recentBlockhash,
      lastValidBlockHeight: 1,
    });
    return transaction.add(transfer);
  };
  const v0 = () =>
    new TransactionMessage({
      payerKey: PAIR.publicKey,
      recentBlockhash,
      instructions: [transfer],
    }).compileToV0Message();
  const FORMS: Readonly<Record<string, Uint8Array>> = {
    'a legacy message': legacy().serializeMessage(),
    'a legacy transaction': legacy().serialize({ requireAllSignatures: false }),
    'a message of version 0': v0().serialize(),
    'a transaction of version 0': new VersionedTransaction(v0()).serialize(),
  };

  it.each(Object.entries(FORMS))('is refused as base64, base58 and hex of %s', (_, bytes) => {
    const buffer = Buffer.from(bytes);
    for (const text of [
      buffer.toString('base64'),
      bs58.encode(bytes),
      buffer.toString('hex'),
      buffer.toString('base64url'),
    ]) {
      const { code, message } = failureOf(() => signSolanaMessage(`${text}\n`, SEED));
      expect([code, message]).toEqual(['refused_by_review', expect.stringContaining('is a Solana transaction')]);
    }
  });

  it('is refused even if all its bytes are printable, after a line end as the number of signers', () => {
    // Ten signers ("\n"), 33 addresses and a blockhash of letters, 33 instructions of 33 accounts and 33 bytes each.
    const countedParts = `!${'a'.repeat(0x21)}`;
    const text = `\n\t!!${'a'.repeat(32 * 34)}!${`a${countedParts}${countedParts}`.repeat(0x21)}`;
    expect(failureOf(() => signSolanaMessage(text, SEED)).message).toContain('is a Solana transaction');
    expect(nodeVerifies(`${text}.`, signSolanaMessage(`${text}.`, SEED))).toBe(true);
  });
});

describe('checking an ed25519 signature', () => {
  it('rejects a text that is not a signature, and fails for an invalid address', () => {
    for (const signature of ['', '0x', '1'.repeat(64), 'x'.repeat(200)])
      expect(isSolanaSignature('hello', signature, ADDRESS)).toBe(false);
    for (const address of ['', '0', 'abc', ADDRESS.slice(3), '1'.repeat(200)])
      expect(failureOf(() => isSolanaSignature('hello', '1', address)).code).toBe('invalid_input');
  });

  /** C2SP/wycheproof, testvectors_v1/ed25519_test.json: tests 3, 32, 60, 63 and 67, all for one key. */
  const KEY = '7d4d0e7f6153a69b6242b522abbee685fda4420f8834b108c3bdae369ef549fa';
  const R = '7c38e026f29e14aabd059a0f2db8b0cd783040609a8be684db12f82a27774ab0';
  it.each([
    ['a valid signature', true, '54657374', `${R}7a9155711ecfaf7f99f277bad0c6ae7e39d4eef676573336a5c51eb6f946b30d`],
    ['an incomplete signature', false, '54657374', `${R}7a9155711ecfaf7f99f277bad0c6ae7e39d4eef676573336a5c51eb6f946`],
    [
      'a signature with R = 0',
      false,
      '313233343030',
      `${'0'.repeat(64)}e0b8e7770d51c7a36375d006c5bffd6af43ff54aaf47e4330dc118c71d61ec02`,
    ],
    [
      'a signature with s + L',
      false,
      '54657374',
      `${R}67654bce3832c2d76f8f6f5dafc08d9339d4eef676573336a5c51eb6f946b31d`,
    ],
    [
      'a signature with s + 2^253',
      false,
      '54657374',
      `${R}7a9155711ecfaf7f99f277bad0c6ae7e39d4eef676573336a5c51eb6f946b32d`,
    ],
  ])('classifies %s of Wycheproof as valid: %s', (_, expected, message, signature) => {
    expect(verifyEd25519(hex(message), hex(signature), hex(KEY))).toBe(expected);
  });

  const hex = (text: string) => Buffer.from(text, 'hex');
  const S = '7a9155711ecfaf7f99f277bad0c6ae7e39d4eef676573336a5c51eb6f946b30d';
  /** A number as 32 bytes in hex, least significant byte first. */
  const littleEndian = (value: bigint) => hex(value.toString(16).padStart(64, '0')).reverse().toString('hex');
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
  const FIELD = 2n ** 255n - 19n;
  const SPECIAL = [0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, FIELD - 1n, FIELD, FIELD + 1n].map(littleEndian);
  const valueOfS = BigInt(`0x${hex(S).reverse().toString('hex')}`);
  const flipBit = (text: string, bit: number): string => {
    const bytes = hex(text);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return bytes.toString('hex');
  };

  /** The kinds of invalid signatures in Wycheproof, each made from its valid signature. */
  it.each<[string, readonly string[]]>([
    ['with special values for r and s', SPECIAL.flatMap((r) => SPECIAL.map((s) => r + s))],
    ['with a special value for r or s', SPECIAL.flatMap((value) => [value + S, R + value])],
    ['of fewer than 64 bytes', Array.from({ length: 64 }, (_, count) => (R + S).slice(0, 2 * count))],
    [
      'with extra bytes before, inside or after it',
      [`00${R}${S}`, `${R}00${S}`, `${R}${S}00`, R + S + KEY, KEY + R + S],
    ],
    ['with any one bit of r changed', Array.from({ length: 256 }, (_, bit) => flipBit(R, bit) + S)],
    ['with any one bit of s changed', Array.from({ length: 256 }, (_, bit) => R + flipBit(S, bit))],
    [
      'with multiples of the order added to s',
      Array.from({ length: 15 }, (_, at) => R + littleEndian(valueOfS + ORDER * BigInt(at + 1))),
    ],
    ['with r and s swapped', [S + R]],
  ])('rejects a signature %s', (_, signatures) => {
    const accepted = signatures.filter((signature) => verifyEd25519(Buffer.from('Test'), hex(signature), hex(KEY)));
    expect(accepted).toEqual([]);
    expect(verifyEd25519(Buffer.from('Test'), hex(R + S), hex(KEY))).toBe(true);
  });

  it('accepts signatures of 40 other keys, and rejects them with the order added to s', () => {
    for (let at = 0; at < 40; at += 1) {
      const pair = Keypair.fromSeed(createHash('sha256').update(`bound ${at}`).digest());
      const signature = Buffer.from(nacl.sign.detached(Buffer.from('Test'), pair.secretKey)).toString('hex');
      const s = BigInt(`0x${hex(signature.slice(64)).reverse().toString('hex')}`);
      const withOrderAdded = signature.slice(0, 64) + littleEndian(s + ORDER);
      expect(verifyEd25519(Buffer.from('Test'), hex(signature), pair.publicKey.toBytes())).toBe(true);
      expect(verifyEd25519(Buffer.from('Test'), hex(withOrderAdded), pair.publicKey.toBytes())).toBe(false);
    }
  });

  const SMALL = [
    '00'.repeat(32),
    `01${'00'.repeat(31)}`,
    `ec${'ff'.repeat(30)}7f`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ];
  it.each(SMALL)('rejects the public key of small order %s, for which anybody can sign', (small) => {
    const publicKey = hex(small);
    // R is the neutral point and S is zero: a verifier without this rule accepts one message in eight, or more.
    const signature = Buffer.from(`01${'00'.repeat(63)}`, 'hex');
    const messages = Array.from({ length: 200 }, (_, at) => Buffer.from(`${at}`));
    expect(messages.some((message) => nacl.sign.detached.verify(message, signature, publicKey))).toBe(true);
    expect(messages.filter((message) => verifyEd25519(message, signature, publicKey))).toEqual([]);
  });

  it('rejects a signature with R of small order on every version of Node, as Solana does', () => {
    const message = Buffer.from('Test');
    const pair = nacl.sign.keyPair.fromSeed(SEED);
    const scalar = createHash('sha512').update(SEED).digest().subarray(0, 32);
    scalar[0] = (scalar[0] ?? 0) & 0xf8;
    scalar[31] = ((scalar[31] ?? 0) & 0x7f) | 0x40;
    // R is the neutral point, so that S is the hash times the secret scalar.
    const r = hex(`01${'00'.repeat(31)}`);
    const hash = createHash('sha512').update(r).update(pair.publicKey).update(message).digest();
    const number = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
    const signature = Buffer.concat([r, hex(littleEndian((number(hash) * number(scalar)) % ORDER))]);
    expect(nacl.sign.detached.verify(message, signature, pair.publicKey)).toBe(true);
    expect(verifyEd25519(message, signature, pair.publicKey)).toBe(false);
  });

  /** RFC 8032, section 7.1, tests 1 and 2: the secret key and the public key. */
  it.each([
    [
      '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    ],
    [
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    ],
  ])('derives the public key of RFC 8032 from the secret key %s', (seed, publicKey) => {
    const bytes = Buffer.from(seed, 'hex');
    const derived = Buffer.from(ed25519PublicKey(bytes)).toString('hex');
    expect(derived).toBe(Buffer.from(nacl.sign.keyPair.fromSeed(bytes).publicKey).toString('hex'));
    expect(derived).toBe(publicKey);
  });
});
