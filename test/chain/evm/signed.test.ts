import { SigningKey } from 'ethers/crypto';
import { Transaction } from 'ethers/transaction';
import { decodeRlp, encodeRlp } from 'ethers/utils';
import { describe, expect, it } from 'vitest';
import { readSigned } from '../../../src/chain/evm/transaction.ts';
import { cast, castSigned, failureOf, given, KEY, PAYER, STRANGER } from './given.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const UNSIGNED = given();
const RAW = castSigned(UNSIGNED);
const KEY_HEX = `0x${Buffer.from(KEY).toString('hex')}`;

/** A transaction with other fields, signed by ethers with KEY. */
const signedByEthers = (fields: object): string => {
  const { from: _, chainName: __, ...base } = UNSIGNED;
  const transaction = Transaction.from({ type: 2, ...base, ...fields });
  transaction.signature = new SigningKey(KEY_HEX).sign(transaction.unsignedHash);
  return transaction.serialized;
};

describe('a transaction that another tool signed', () => {
  it('is read with its signer, hash and fields', () => {
    const { chainName: _, ...fields } = UNSIGNED;
    expect(readSigned(RAW, UNSIGNED)).toEqual({
      signed_transaction: RAW,
      hash: cast('keccak', RAW),
      from: PAYER,
      fields,
    });
  });

  it('is read in upper case and with a line end', () => {
    expect(readSigned(`${RAW.toUpperCase().replace('0X', '0x')}\n`, UNSIGNED).signed_transaction).toBe(RAW);
  });

  it.each<[string, object, string]>([
    ['to', { to: STRANGER }, 'to'],
    ['value', { value: UNSIGNED.value + 1n }, 'value'],
    ['data', { data: '0x00' }, 'data'],
    ['nonce', { nonce: 8 }, 'nonce'],
    ['chain', { chainId: 137 }, 'chainId'],
    ['gas limit', { gasLimit: 21001n }, 'gasLimit'],
    ['tip', { maxPriorityFeePerGas: 2n }, 'maxPriorityFeePerGas'],
    ['fee', { maxFeePerGas: UNSIGNED.maxFeePerGas - 1n }, 'maxFeePerGas'],
  ])('is refused with the name of the field when its %s differs', (_, fields, name) => {
    const { code, message, details } = failureOf(() => readSigned(signedByEthers(fields), UNSIGNED));
    expect(code).toBe('refused_by_review');
    expect(details.errors?.map((error) => error.field)).toEqual([name]);
    expect(message).toContain(name);
  });

  it('is refused when another key signed it', () => {
    const { details } = failureOf(() => readSigned(RAW, { ...UNSIGNED, from: STRANGER }));
    expect(details.errors?.map((error) => error.field)).toEqual(['from']);
  });

  it('is rejected after a change of any byte of its signature', () => {
    const start = RAW.length - 2 * 66;
    for (let at = start; at < RAW.length; at += 2) {
      const byte = Number.parseInt(RAW.slice(at, at + 2), 16) ^ 1;
      const changed = RAW.slice(0, at) + byte.toString(16).padStart(2, '0') + RAW.slice(at + 2);
      expect(['invalid_input', 'refused_by_review']).toContain(failureOf(() => readSigned(changed, UNSIGNED)).code);
    }
  });
});

describe('reading signed bytes', () => {
  const { signature } = Transaction.from(RAW);
  const s = signature?.s ?? '';
  const highS = (ORDER - BigInt(s)).toString(16).padStart(64, '0');
  const flipped = RAW.replace(s.slice(2), highS);
  const mirrored = flipped.replace(/c080a0(?=[0-9a-f]{64}a0[0-9a-f]{64}$)/, 'c001a0');

  it('returns the same with and without 0x', () => {
    expect(readSigned(RAW.slice(2))).toEqual(readSigned(RAW));
  });

  it.each<[string, string, string]>([
    ['an empty text', '', 'hex digits'],
    ['a text that is not hex', '0xzz', 'hex digits'],
    ['half a byte', RAW.slice(0, -1), 'hex digits'],
    ['a megabyte', `0x02${'00'.repeat(1_000_000)}`, 'hex digits'],
    ['an extra byte', `${RAW}00`, 'cannot be decoded'],
    ['a missing byte', RAW.slice(0, -2), 'cannot be decoded'],
    [
      'an unsigned transaction',
      Transaction.from({ type: 2, chainId: 1, to: STRANGER }).unsignedSerialized,
      'no signature',
    ],
    ['the mirrored signature, which recovers to the same signer', mirrored, 'EIP-2'],
    [
      'a legacy transaction',
      signedByEthers({ type: 0, gasPrice: 1n, maxFeePerGas: null, maxPriorityFeePerGas: null }),
      'another type',
    ],
    ['an access list', signedByEthers({ accessList: [{ address: STRANGER, storageKeys: [] }] }), 'access list'],
    ['a contract creation', signedByEthers({ to: null, data: '0x00' }), 'creates a contract'],
  ])('rejects %s', (_, hex, reason) => {
    const { code, message } = failureOf(() => readSigned(hex));
    expect(code).toBe('invalid_input');
    expect(message).toContain(reason);
  });

  it('rejects a number with a leading zero', () => {
    const fields = decodeRlp(`0x${RAW.slice(4)}`);
    if (typeof fields === 'string') throw new Error('the RLP of the transaction is not a list');
    expect(fields[1]).toBe('0x07');
    const raw = `0x02${encodeRlp(fields.map((field, index) => (index === 1 ? '0x0007' : field))).slice(2)}`;
    expect(failureOf(() => readSigned(raw)).code).toBe('invalid_input');
  });

  it('needs its own check of mirrored signatures, because ethers recovers the payer from one', () => {
    expect(mirrored).not.toBe(flipped);
    expect(Transaction.from(mirrored).from).toBe(PAYER);
  });
});
