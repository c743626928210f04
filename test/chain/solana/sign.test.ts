import { createPublicKey, verify } from 'node:crypto';
import { VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { describe, expect, it } from 'vitest';
import { parseSolana } from '../../../src/chain/solana/parse.ts';
import { approveSolana, signSolana } from '../../../src/chain/solana/sign.ts';
import { failureOf } from '../evm/given.ts';
import { bytesOf, DEPOSIT, depositSteps, MINTER, review, STRANGER, WALLET, wallet, withMinter } from './given.ts';

const SEED = WALLET.secretKey.subarray(0, 32);
const approvalOf = (bytes: Uint8Array = bytesOf(depositSteps(), withMinter)) =>
  approveSolana(review(bytes, { requested: DEPOSIT }), 'pass');

describe('a signed Solana transaction', () => {
  it.each(['legacy', 0] as const)('is the same as from web3.js and keeps other signatures: version %s', (version) => {
    const bytes = bytesOf(depositSteps(), { ...withMinter, version });
    const { signed_transaction, hash, from } = signSolana(approvalOf(bytes), SEED);
    const theirs = VersionedTransaction.deserialize(bytes);
    theirs.sign([WALLET]);
    expect(signed_transaction).toBe(Buffer.from(theirs.serialize()).toString('base64'));
    expect([hash, from]).toEqual([bs58.encode(theirs.signatures[0] ?? new Uint8Array()), wallet.toBase58()]);
    expect(theirs.signatures[1]).toEqual(VersionedTransaction.deserialize(bytes).signatures[1]);
  });

  it('has a signature of the received bytes that node:crypto and tweetnacl verify', () => {
    const unsigned = parseSolana(bytesOf(depositSteps(), withMinter));
    const signature = bs58.decode(signSolana(approvalOf(), SEED).hash);
    const x = Buffer.from(wallet.toBytes()).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(null, unsigned.messageBytes, key, signature)).toBe(true);
    expect(nacl.sign.detached.verify(unsigned.messageBytes, signature, wallet.toBytes())).toBe(true);
  });

  it('is the same when the signed bytes are signed again', () => {
    const first = signSolana(approvalOf(), SEED);
    const again = approvalOf(Buffer.from(first.signed_transaction, 'base64'));
    expect(signSolana(again, SEED)).toEqual(first);
  });
});

describe('signing a Solana transaction', () => {
  it('is refused for a key that is not the wallet, and fails for 64 bytes without showing them', () => {
    const other = failureOf(() => signSolana(approvalOf(), STRANGER.secretKey.subarray(0, 32)));
    expect([other.code, other.message]).toEqual(['refused_by_review', expect.stringContaining(wallet.toBase58())]);
    const whole = failureOf(() => signSolana(approvalOf(), WALLET.secretKey));
    expect(whole.code).toBe('invalid_input');
    expect(whole.message).not.toContain(bs58.encode(WALLET.secretKey));
  });

  it('fails when the bytes differ from the approved bytes', () => {
    const changed = { ...approvalOf(), unsigned: parseSolana(bytesOf(depositSteps().slice(0, 3), withMinter)) };
    expect(failureOf(() => signSolana(changed, SEED)).code).toBe('internal');
    const changedLater = approvalOf();
    changedLater.unsigned.messageBytes.fill(7, 40, 41);
    expect(failureOf(() => signSolana(changedLater, SEED)).code).toBe('internal');
  });

  it('fails when the review is of other bytes or refused', () => {
    const passing = review(bytesOf(depositSteps(), withMinter), { requested: DEPOSIT });
    const other = review(bytesOf(depositSteps().slice(0, 4), { signers: [MINTER] }), { requested: DEPOSIT });
    expect(failureOf(() => approveSolana({ ...passing, unsigned: other.unsigned }, 'confirmed')).code).toBe('internal');
    expect(failureOf(() => approveSolana(other, 'confirmed')).code).toBe('refused_by_review');
  });
});
