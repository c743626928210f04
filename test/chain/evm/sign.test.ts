import { SigningKey } from 'ethers/crypto';
import { Transaction } from 'ethers/transaction';
import { describe, expect, it, vi } from 'vitest';
import type { Network } from '../../../src/chain/evm/network.ts';
import { approve, reviewEvm, signEvm } from '../../../src/chain/evm/review.ts';
import { digestOf, type UnsignedEvm } from '../../../src/chain/evm/transaction.ts';
import {
  cast,
  castSigned,
  failureIn,
  given,
  givenCall,
  KEY,
  NETWORK,
  PAYER,
  seeded,
  transferData,
  USDT,
} from './given.ts';

const approvalOf = (unsigned: UnsignedEvm, network: Network = NETWORK) =>
  approve(reviewEvm({ unsigned, network, signer: PAYER }), 'pass');

describe('a signed transaction', () => {
  it.each<[string, UnsignedEvm]>([
    ['1000000000000000001 wei', given()],
    ['1e18 wei', given({ value: '1e18' })],
    ['10000000000000000.0 wei', given({ value: '10000000000000000.0' })],
    ['a value of 0', given({ value: '0' })],
    ['a token transfer', givenCall(USDT, transferData('0x1111111111111111111111111111111111111111', 10_500_000n))],
    ['the nonce 0', given({ nonce: '0' })],
    ['a tip of 0', given({ maxPriorityFeePerGas: '"0"' })],
  ])('is the same as from cast for %s', async (_, unsigned) => {
    const signed = await signEvm(approvalOf(unsigned), KEY);
    expect(signed.signed_transaction).toBe(castSigned(unsigned));
    expect(signed.hash).toBe(cast('keccak', signed.signed_transaction));
    expect(signed.from).toBe(PAYER);
  });

  it('is the same as from cast for random fields', async () => {
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
      expect((await signEvm(approvalOf(unsigned), KEY)).signed_transaction).toBe(castSigned(unsigned));
    }
  });

  it('has the fields of the unsigned transaction and no other', async () => {
    const unsigned = given();
    const parsed = Transaction.from((await signEvm(approvalOf(unsigned), KEY)).signed_transaction);
    expect(parsed).toMatchObject({ type: 2, chainId: 1000137n, nonce: 7, data: '0x', accessList: [] });
    expect(parsed.authorizationList).toBeNull();
    expect(parsed.blobVersionedHashes).toBeNull();
    expect(parsed.unsignedHash).toBe(digestOf(unsigned));
  });
});

describe('signing a transaction', () => {
  it('is refused for a key that is not the payer', async () => {
    const review = reviewEvm({ unsigned: given(), network: NETWORK });
    const { code, message } = await failureIn(signEvm(approve(review, 'pass'), new Uint8Array(32).fill(0x47)));
    expect(code).toBe('refused_by_review');
    expect(message).toContain(PAYER);
  });

  it('fails for an invalid key', async () => {
    expect((await failureIn(signEvm(approvalOf(given()), new Uint8Array(32)))).code).toBe('invalid_input');
  });

  it('fails when the transaction of the approval was changed', async () => {
    const changed = { ...approvalOf(given()), unsigned: given({ value: '2' }) };
    const { code, message } = await failureIn(signEvm(changed, KEY));
    expect(code).toBe('internal');
    expect(message).toContain('the approval is not of this transaction');
  });

  it('fails when the library signs other bytes and recovers the signer that it should be', async () => {
    const key = new SigningKey(KEY);
    const signature = key.sign(`0x${'07'.repeat(32)}`);
    const signing = vi.spyOn(SigningKey.prototype, 'sign').mockReturnValue(signature);
    const recovering = vi.spyOn(SigningKey, 'recoverPublicKey').mockReturnValue(key.publicKey);
    try {
      const { code, message } = await failureIn(signEvm(approvalOf(given()), KEY));
      expect(code).toBe('internal');
      expect(message).toContain('the signed bytes are not the reviewed ones');
      expect(message).toContain(`must be ${PAYER}`);
    } finally {
      signing.mockRestore();
      recovering.mockRestore();
    }
  });

  it('requires an approval, which is frozen', () => {
    const approval = approvalOf(given());
    expect(() => Object.assign(approval.unsigned, { to: USDT })).toThrow(TypeError);
    expect(() => Object.assign(approval, { unsigned: given({ value: '2' }) })).toThrow(TypeError);
  });
});
