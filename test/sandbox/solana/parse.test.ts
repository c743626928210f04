import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { isFailed, loadSolana } from '../../../src/sandbox/solana/package.ts';
import { parseTransaction } from '../../../src/sandbox/solana/parse.ts';

/** A generator of pseudo-random numbers, the same in each run. */
const numbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed;
};

const transfer = (): Uint8Array => {
  const [from, to] = [Keypair.generate(), Keypair.generate()];
  const message = new TransactionMessage({
    payerKey: from.publicKey,
    recentBlockhash: to.publicKey.toBase58(),
    instructions: [SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports: 1n })],
  }).compileToV0Message();
  const transaction = new VersionedTransaction(message);
  transaction.sign([from]);
  return transaction.serialize();
};

test('accepts only bytes that the runtime can parse, in 20,000 random changes of a transaction', () => {
  const binding = loadSolana();
  const svm = new binding.LiteSvm();
  const whole = transfer();
  const next = numbers(7);
  let passed = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const bytes = Uint8Array.from(whole);
    // The counts, the header and the instruction: a wrong byte there changes the meaning of the others.
    const places = [0, 65, 66, 67, 68, 69, bytes.length - 1, next() % bytes.length];
    for (let change = next() % 3; change >= 0; change -= 1) {
      bytes[places[next() % places.length] ?? 0] = next() % 5 === 0 ? next() >>> 24 : next() % 8;
    }
    const end = next() % 6 === 0 ? next() % bytes.length : bytes.length;
    const parsed = parseTransaction(bytes.subarray(0, end));
    if (!parsed.ok) continue;
    passed += 1;
    const result = svm.sendVersionedTransaction(parsed.transaction.bytes);
    expect(isFailed(result)).toBe(true);
  }
  expect(passed).toBeGreaterThan(100);
  expect(parseTransaction(whole).ok).toBe(true);
});
