import { describe, expect, it } from 'vitest';
import { isEvmSignature, signEvmMessage } from '../../../src/chain/message/evm.ts';
import { cast, failureOf, KEY, PAYER, seeded } from '../evm/given.ts';

const HEX_KEY = `0x${Buffer.from(KEY).toString('hex')}`;

const castSignature = (text: string): string => cast('wallet', 'sign', '--private-key', HEX_KEY, text);

/** Characters of several scripts, quotes and line ends, for generated texts of 1 to 80 characters. */
const ALPHABET = Array.from('abcXYZ0189 .,:;{}[]"\'\\/\n\t$`äßçñ€日本語🙂🇧🇷');
const generatedTexts = (): readonly string[] => {
  const random = seeded(191);
  const pick = (below: number): number => Number(random.bits(30) % BigInt(below));
  return Array.from({ length: 20 }, () =>
    Array.from({ length: 1 + pick(80) }, () => ALPHABET[pick(ALPHABET.length)]).join(''),
  );
};

describe('a message signed with an EVM key', () => {
  it('has the same signature as from cast, for ordinary and generated texts', () => {
    const texts = ['hello', '{"a":1}', 'two\nlines', ...generatedTexts()];
    for (const text of texts) expect(signEvmMessage(text, KEY), text).toBe(castSignature(text));
  });

  it.each(['0x68656c6c6f', '0x', '0xdeadbeef'])('is signed as text even if it looks like hex: %s', (text) => {
    const prefix = `\x19Ethereum Signed Message:\n${text.length}`;
    const digest = cast('keccak', `0x${Buffer.from(prefix + text).toString('hex')}`);
    const signature = signEvmMessage(text, KEY);
    expect(signature).toBe(cast('wallet', 'sign', '--no-hash', '--private-key', HEX_KEY, digest));
    expect(signature).not.toBe(castSignature(text));
  });

  it('may be empty, and has its length in bytes, not in characters', () => {
    expect(isEvmSignature('', signEvmMessage('', KEY), PAYER)).toBe(true);
    expect(signEvmMessage('é', KEY)).toBe(castSignature('é'));
  });

  it('is rejected when it has a lone surrogate, which UTF-8 cannot encode', () => {
    expect(failureOf(() => signEvmMessage('a\ud800b', KEY)).code).toBe('invalid_input');
  });
});

describe('isEvmSignature', () => {
  const signature = castSignature('pay Anna');

  it('accepts a signature of cast with v as 27 or 0, with or without 0x', () => {
    const v = Number.parseInt(signature.slice(-2), 16) - 27;
    for (const form of [
      signature,
      signature.slice(2),
      signature.toUpperCase().slice(2),
      `${signature.slice(0, -2)}0${v}`,
    ])
      expect(isEvmSignature('pay Anna', form, PAYER), form).toBe(true);
    expect(isEvmSignature('pay Anna', signature, PAYER.toLowerCase())).toBe(true);
  });

  it.each([
    ['another text', 'pay Anna!', signature],
    ['a flipped bit', 'pay Anna', signature.replace(/^0x./, '0x0')],
    ['another v', 'pay Anna', `${signature.slice(0, -2)}${signature.endsWith('1b') ? '1c' : '1b'}`],
    ['a v of EIP-155', 'pay Anna', `${signature.slice(0, -2)}25`],
    ['an incomplete signature', 'pay Anna', signature.slice(0, -2)],
    ['zeros', 'pay Anna', `0x${'0'.repeat(128)}1b`],
    ['a text that is not hex', 'pay Anna', 'signature'],
    ['an empty text', 'pay Anna', ''],
  ])('rejects %s', (_, text, candidate) => {
    expect(isEvmSignature(text, candidate, PAYER)).toBe(false);
  });

  it('rejects the mirrored signature with s in the upper half (EIP-2)', () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const v = signature.endsWith('1b') ? '1c' : '1b';
    expect(isEvmSignature('pay Anna', `${signature.slice(0, 66)}${s}${v}`, PAYER)).toBe(false);
  });

  it('fails for an invalid address', () => {
    expect(failureOf(() => isEvmSignature('pay Anna', signature, '0x1')).code).toBe('invalid_input');
  });
});
