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

/** The bytes with some of them replaced, from a place on; a negative count of places is from the end. */
const spliced = (bytes: Uint8Array, at: number, remove: number, ...put: readonly number[]): Uint8Array => {
  const list = [...bytes];
  list.splice(at, remove, ...put);
  return Uint8Array.from(list);
};

const whyNot = (bytes: Uint8Array | string): string => {
  const { code, message } = failureOf(() => parseSolana(bytes));
  expect(code).toBe('refused_by_review');
  return message;
};

describe('a transaction as web3.js writes it', () => {
  it.each(['legacy', 0] as const)('is read as web3.js reads it: %s', (version) => {
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

describe('what web3.js would take, or half take, is refused', () => {
  it.each<[string, () => Uint8Array | string, RegExp]>([
    ['a byte behind it', () => spliced(plain(), plain().length, 0, 0), /left over/],
    ['a byte too few', () => plain().subarray(0, -1), /ends too early/],
    ['nothing', () => new Uint8Array(), /ends too early/],
    ['a length in two bytes where one is enough', () => spliced(plain(), 0, 1, 0x81, 0), /shortest form/],
    [
      'a signature more than signers',
      () => spliced(plain(), 0, 1, 2, ...new Array(64).fill(0)),
      /has 2 signatures; the number of its signers is 1/,
    ],
    ['no signer', () => spliced(spliced(plain(), 0, SIGNATURES, 0), 2, 1, 0), /has no signer/],
    ['more signers than accounts', () => spliced(plain(), SIGNATURES + 1, 1, 9), /more signers than/],
    ['a fee payer that cannot pay', () => spliced(plain(), SIGNATURES + 2, 1, 1), /fee payer is a read-only account/],
    [
      'more accounts to be read than there are',
      () => spliced(plain(), SIGNATURES + 3, 1, 9),
      /more read-only accounts than accounts/,
    ],
    ['an unknown version', () => spliced(plain(), SIGNATURES, 1, 0x81), /version 1/],
    ['a program index out of range', () => spliced(plain(), plain().length - 5, 1, 7), /no program has the index 7/],
    ['the fee payer as a program', () => spliced(plain(), plain().length - 5, 1, 0), /no program has the index 0/],
    [
      'an account index out of range',
      () => spliced(plain(), plain().length - 4, 1, 1, 9),
      /no account has the index 9/,
    ],
    [
      'an account twice',
      () => {
        const bytes = plain();
        const first = bytes.subarray(SIGNATURES + 5, SIGNATURES + 5 + 32);
        return spliced(bytes, SIGNATURES + 5 + 32, 32, ...first);
      },
      /twice/,
    ],
    ['more than a packet holds', () => bytesOf([memo('x'.repeat(1000)), memo('y'.repeat(70))]), /the maximum is 1232/],
    ['text that is no base64', () => 'not base64', /base64/],
    ['base64 with something behind it', () => `${Buffer.from(plain()).toString('base64')}!`, /base64/],
    ['no text', () => '', /base64/],
  ])('%s', (_, bytes, why) => {
    expect(whyNot(bytes())).toMatch(why);
  });

  it('a lookup table of which nothing is used', () => {
    const bytes = plain();
    expect(whyNot(spliced(bytes, bytes.length - 1, 1, 1, ...wallet.toBytes(), 0, 0))).toMatch(
      /names a lookup table without using it/,
    );
  });

  it('bytes that the caller changes after they were read', () => {
    const bytes = plain();
    const read = parseSolana(bytes);
    bytes.fill(0);
    expect(addressOf(read.messageBytes.subarray(5, 37))).toBe(wallet.toBase58());
  });
});

it('any bytes are read or refused, and what is read is what web3.js reads', () => {
  const real = bytesOf(depositSteps(), withMinter);
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 1300 }),
    fc
      .array(fc.tuple(fc.nat(real.length - 1), fc.nat(255)), { maxLength: 4 })
      .map((changes) => changes.reduce((all, [at, byte]) => spliced(all, at, 1, byte), real)),
    fc.nat(real.length).map((end) => real.subarray(0, end)),
  );
  fc.assert(
    fc.property(bytes, (given) => {
      let read: ReturnType<typeof parseSolana>;
      try {
        read = parseSolana(given);
      } catch {
        whyNot(given);
        return;
      }
      const theirs = VersionedTransaction.deserialize(given);
      expect(Buffer.from(theirs.serialize())).toEqual(Buffer.from(given));
      expect(read.message.addresses).toEqual(theirs.message.staticAccountKeys.map((key) => key.toBase58()));
    }),
    { numRuns: 500 },
  );
});

describe('addresses', () => {
  it('32 bytes and nothing else, in base58', () => {
    expect(addressOf(addressBytes(wallet.toBase58()))).toBe(wallet.toBase58());
    for (const text of ['', '0x11', wallet.toBase58().slice(1), `1${wallet.toBase58()}`, 'l'.repeat(44)]) {
      expect(failureOf(() => addressBytes(text)).code).toBe('invalid_input');
    }
    expect(addressOf(WALLET.publicKey.toBytes())).toBe(wallet.toBase58());
  });

  it('token accounts are where web3.js derives them, and points of the curve are told from others', () => {
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
