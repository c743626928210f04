import { Transaction } from 'ethers/transaction';
import { describe, expect, it } from 'vitest';
import type { Network } from '../../../src/chain/evm/network.ts';
import { approve, reviewEvm, signEvm } from '../../../src/chain/evm/review.ts';
import { digestOf, type UnsignedEvm } from '../../../src/chain/evm/transaction.ts';
import {
  cast,
  castSigned,
  failureOf,
  given,
  givenCall,
  KEY,
  NETWORK,
  PAYER,
  seeded,
  transferData,
  USDT,
} from './given.ts';

const approved = (unsigned: UnsignedEvm, network: Network = NETWORK) =>
  approve(reviewEvm({ unsigned, network, signer: PAYER }), 'pass');

describe('a signed transaction', () => {
  it.each<[string, UnsignedEvm]>([
    ['1000000000000000001 wei', given()],
    ['1e18 wei', given({ value: '1e18' })],
    ['10000000000000000.0 wei', given({ value: '10000000000000000.0' })],
    ['nothing', given({ value: '0' })],
    ['a token', givenCall(USDT, transferData('0x1111111111111111111111111111111111111111', 10_500_000n))],
    ['with the first nonce', given({ nonce: '0' })],
    ['with a tip of nothing', given({ maxPriorityFeePerGas: '"0"' })],
  ])('is byte for byte what cast makes: %s', (_, unsigned) => {
    const signed = signEvm(approved(unsigned), KEY);
    expect(signed.signed_transaction).toBe(castSigned(unsigned));
    expect(signed.hash).toBe(cast('keccak', signed.signed_transaction));
    expect(signed.from).toBe(PAYER);
  });

  it('is what cast makes for any fields', () => {
    const random = seeded(1559);
    for (let round = 0; round < 8; round += 1) {
      const tip = random.bits(30);
      const unsigned = given({
        to: `"${random.address()}"`,
        value: String(random.bits(96)),
        nonce: String(random.bits(40)),
        gasLimit: `"${21000n + random.bits(20)}"`,
        maxPriorityFeePerGas: `"${tip}"`,
        maxFeePerGas: `"${tip + random.bits(34)}"`,
      });
      expect(signEvm(approved(unsigned), KEY).signed_transaction).toBe(castSigned(unsigned));
    }
  });

  it('carries its fields and nothing else', () => {
    const unsigned = given();
    const parsed = Transaction.from(signEvm(approved(unsigned), KEY).signed_transaction);
    expect(parsed).toMatchObject({ type: 2, chainId: 1000137n, nonce: 7, data: '0x', accessList: [] });
    expect(parsed.authorizationList).toBeNull();
    expect(parsed.blobVersionedHashes).toBeNull();
    expect(parsed.unsignedHash).toBe(digestOf(unsigned));
  });
});

describe('nothing is signed', () => {
  it('by the key of somebody else', () => {
    const review = reviewEvm({ unsigned: given(), network: NETWORK });
    const { code, message } = failureOf(() => signEvm(approve(review, 'pass'), new Uint8Array(32).fill(0x47)));
    expect(code).toBe('refused_by_review');
    expect(message).toContain(PAYER);
  });

  it('by something that is no key', () => {
    expect(failureOf(() => signEvm(approved(given()), new Uint8Array(32))).code).toBe('invalid_input');
  });

  it('when the approval was changed after it was given', () => {
    const changed = { ...approved(given()), unsigned: given({ value: '2' }) };
    const { code, message } = failureOf(() => signEvm(changed, KEY));
    expect(code).toBe('internal');
    expect(message).toContain('the approval is not of this transaction');
  });

  it('and an approval cannot be changed in place', () => {
    const leave = approved(given());
    expect(() => Object.assign(leave.unsigned, { to: USDT })).toThrow(TypeError);
    expect(() => Object.assign(leave, { unsigned: given({ value: '2' }) })).toThrow(TypeError);
  });
});
