import { describe, expect, it } from 'vitest';
import { normaliseEvmAddress } from '../../../src/chain/evm/address.ts';
import { evmAddressOf } from '../../../src/chain/evm/signing-key.ts';
import { cast, failureOf, KEY, PAYER, seeded } from './given.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const bytesOf = (value: bigint) => Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));

describe('the address of an EVM key', () => {
  it('is the published address of the example key of EIP-155', () => {
    expect(evmAddressOf(KEY)).toBe(PAYER);
  });

  it('is the same as from cast, for the first, the last and random keys', () => {
    const random = seeded(155);
    for (const key of [1n, ORDER - 1n, random.bits(255), random.bits(200)]) {
      const hex = `0x${key.toString(16).padStart(64, '0')}`;
      expect(evmAddressOf(bytesOf(key)), hex).toBe(cast('wallet', 'address', '--private-key', hex));
    }
  });

  it.each([
    ['zero', new Uint8Array(32)],
    ['the order of the curve', bytesOf(ORDER)],
    ['31 bytes', KEY.subarray(1)],
    ['33 bytes', new Uint8Array(33).fill(0x46)],
    ['no bytes', new Uint8Array(0)],
  ])('fails for %s with a message that does not show the key', (_, key) => {
    const { code, message } = failureOf(() => evmAddressOf(key));
    expect(code).toBe('invalid_input');
    expect(message).not.toMatch(/4646|fffffff/i);
  });
});

describe('normalising an EVM address', () => {
  /** The test cases of EIP-55: upper case, lower case and mixed case. */
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('returns the EIP-55 checksum form %s from the same form and from lower case', (address) => {
    expect(normaliseEvmAddress(address)).toBe(address);
    expect(normaliseEvmAddress(address.toLowerCase())).toBe(address);
  });

  it('rejects an address with one letter in the wrong case, at every position', () => {
    for (let at = 2; at < PAYER.length; at += 1) {
      const char = PAYER[at] ?? '';
      const other = char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase();
      if (other === char) continue;
      const mistyped = PAYER.slice(0, at) + other + PAYER.slice(at + 1);
      expect(failureOf(() => normaliseEvmAddress(mistyped)).message, mistyped).toContain('checksum');
    }
  });

  it('returns the same checksum as cast', () => {
    const random = seeded(55);
    for (let round = 0; round < 5; round += 1) {
      const address = random.address();
      expect(normaliseEvmAddress(address)).toBe(cast('to-check-sum-address', address));
    }
  });

  it.each([['0X9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'], [` ${PAYER}`], [`${PAYER}\n`], [''], [undefined], [7]])(
    'rejects %j',
    (text) => {
      expect(failureOf(() => normaliseEvmAddress(text)).code).toBe('invalid_input');
    },
  );
});
