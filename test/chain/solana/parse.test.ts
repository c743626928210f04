import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressBytes, addressOf, isOnCurve, tokenAccountOf } from '../../../src/chain/solana/address.ts';
import { parseSolana } from '../../../src/chain/solana/parse.ts';
import { failureOf } from '../evm/given.ts';
import { ata, bytesOf, depositSteps, memo, TOKEN, USDC, WALLET, wallet, withMinter } from './given.ts';

const plain = () => bytesOf([memo('x')]);
const SIGNATURES = 1 + 64;

/** The bytes after a removal of `remove` bytes at `at` and an insertion of others. */
const splice = (bytes: Uint8Array, at: number, remove: number, ...put: readonly number[]): Uint8Array => {
  const list = [...bytes];
  list.splice(at, remove, ...put);
  return Uint8Array.from(list);
};

const refusalMessage = (bytes: Uint8Array | string): string => {
  const { code, message } = failureOf(() => parseSolana(bytes));
  expect(code).toBe('refused_by_review');
  return message;
};

describe('parsing a transaction of web3.js', () => {
  it.each(['legacy', 0] as const)('returns the same fields as web3.js for version %s', (version) => {
    const bytes = bytesOf(depositSteps(), { ...withMinter, version });
    const theirs = VersionedTransaction.deserialize(bytes);
    const ours = parseSolana(Buffer.from(bytes).toString('base64'));
    const { message } = ours;
    expect(message.version).toBe(theirs.message.version);
    expect(message.addresses).toEqual(theirs.message.staticAccountKeys.map((key) => key.toBase58()));
    expect(message.blockhash).toBe(theirs.message.recentBlockhash);
    expect([message.signers, message.readonlySigners, message.readonlyOthers]).toEqual(
      Object.values(theirs.message.header),
    );
    expect(message.instructions.map(({ program, accounts, data }) => [program, accounts, bs58.encode(data)])).toEqual(
      theirs.message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => [
        programIdIndex,
        accountKeyIndexes,
        bs58.encode(data),
      ]),
    );
    expect(Buffer.from(ours.messageBytes)).toEqual(Buffer.from(theirs.message.serialize()));
    expect(ours.signatures.map((one) => Buffer.from(one))).toEqual(theirs.signatures.map((one) => Buffer.from(one)));
  });
});

describe('parsing invalid bytes', () => {
  it.each<[string, () => Uint8Array | string, RegExp]>([
    ['an extra byte', () => splice(plain(), plain().length, 0, 0), /left over/],
    ['a missing byte', () => plain().subarray(0, -1), /ends too early/],
    ['no bytes', () => new Uint8Array(), /ends too early/],
    ['a length in two bytes instead of one', () => splice(plain(), 0, 1, 0x81, 0), /shortest form/],
    [
      'more signatures than signers',
      () => splice(plain(), 0, 1, 2, ...new Array(64).fill(0)),
      /has 2 signatures; the number of its signers is 1/,
    ],
    ['a message without a signer', () => splice(splice(plain(), 0, SIGNATURES, 0), 2, 1, 0), /has no signer/],
    ['more signers than accounts', () => splice(plain(), SIGNATURES + 1, 1, 9), /more signers than/],
    ['a read-only fee payer', () => splice(plain(), SIGNATURES + 2, 1, 1), /fee payer is a read-only account/],
    [
      'more read-only accounts than accounts',
      () => splice(plain(), SIGNATURES + 3, 1, 9),
      /more read-only accounts than accounts/,
    ],
    ['an unknown version', () => splice(plain(), SIGNATURES, 1, 0x81), /version 1/],
    ['a program index out of range', () => splice(plain(), plain().length - 5, 1, 7), /no program has the index 7/],
    ['the fee payer as a program', () => splice(plain(), plain().length - 5, 1, 0), /no program has the index 0/],
    ['an account index out of range', () => splice(plain(), plain().length - 4, 1, 1, 9), /no account has the index 9/],
    [
      'a duplicate account',
      () => {
        const bytes = plain();
        const first = bytes.subarray(SIGNATURES + 5, SIGNATURES + 5 + 32);
        return splice(bytes, SIGNATURES + 5 + 32, 32, ...first);
      },
      /twice/,
    ],
    [
      'a transaction larger than a packet',
      () => bytesOf([memo('x'.repeat(1000)), memo('y'.repeat(70))]),
      /the maximum is 1232/,
    ],
    ['a text that is not base64', () => 'not base64', /base64/],
    ['base64 with an extra character', () => `${Buffer.from(plain()).toString('base64')}!`, /base64/],
    ['an empty text', () => '', /base64/],
  ])('refuses %s', (_, bytes, reason) => {
    expect(refusalMessage(bytes())).toMatch(reason);
  });

  it('refuses a lookup table without used accounts', () => {
    const bytes = plain();
    expect(refusalMessage(splice(bytes, bytes.length - 1, 1, 1, ...wallet.toBytes(), 0, 0))).toMatch(
      /names a lookup table without using it/,
    );
  });

  it('copies the bytes, so that a later change by the caller has no effect', () => {
    const bytes = plain();
    const parsed = parseSolana(bytes);
    bytes.fill(0);
    expect(addressOf(parsed.messageBytes.subarray(5, 37))).toBe(wallet.toBase58());
  });
});

it('refuses random bytes or returns the same addresses as web3.js', () => {
  const real = bytesOf(depositSteps(), withMinter);
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 1300 }),
    fc
      .array(fc.tuple(fc.nat(real.length - 1), fc.nat(255)), { maxLength: 4 })
      .map((changes) => changes.reduce((all, [at, byte]) => splice(all, at, 1, byte), real)),
    fc.nat(real.length).map((end) => real.subarray(0, end)),
  );
  fc.assert(
    fc.property(bytes, (input) => {
      let parsed: ReturnType<typeof parseSolana>;
      try {
        parsed = parseSolana(input);
      } catch {
        refusalMessage(input);
        return;
      }
      const theirs = VersionedTransaction.deserialize(input);
      expect(Buffer.from(theirs.serialize())).toEqual(Buffer.from(input));
      expect(parsed.message.addresses).toEqual(theirs.message.staticAccountKeys.map((key) => key.toBase58()));
    }),
    { numRuns: 500 },
  );
});

describe('Solana addresses', () => {
  it('are accepted only as base58 of 32 bytes', () => {
    expect(addressOf(addressBytes(wallet.toBase58()))).toBe(wallet.toBase58());
    for (const text of ['', '0x11', wallet.toBase58().slice(1), `1${wallet.toBase58()}`, 'l'.repeat(44)]) {
      expect(failureOf(() => addressBytes(text)).code).toBe('invalid_input');
    }
    expect(addressOf(WALLET.publicKey.toBytes())).toBe(wallet.toBase58());
  });

  it('give the same token accounts and the same results of isOnCurve as web3.js', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const owner = new PublicKey(bytes);
        expect(isOnCurve(bytes)).toBe(PublicKey.isOnCurve(bytes));
        expect(tokenAccountOf(owner.toBase58(), USDC.toBase58(), TOKEN.toBase58())).toBe(ata(owner).toBase58());
      }),
      { numRuns: 60 },
    );
  });
});
