import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nacl from 'tweetnacl';
import { loadBundle } from './bundle.mjs';
import { median } from './measure.mjs';

const WARM = 100;
const RUNS = 301;

/** The review's own code, bundled as the program has it, and a deposit that web3.js made. */
const loadReview = (folder) =>
  loadBundle(
    folder,
    'review',
    `export { approveSolana } from './src/chain/solana/sign.ts';
        export { parseSolana } from './src/chain/solana/parse.ts';
        export { reviewSolana } from './src/chain/solana/review.ts';
        export { signSolana } from './src/chain/solana/sign.ts';
        export { bytesOf, DEPOSIT, depositSteps, SANDBOX, WALLET, withMinter } from './test/chain/solana/given.ts';`,
  );

/** What tweetnacl takes to verify one signature: each that leaves is verified by it. */
const verifyingTime = () => {
  const { publicKey, secretKey } = nacl.sign.keyPair();
  const message = new Uint8Array(500).fill(7);
  const signature = nacl.sign.detached(message, secretKey);
  const times = Array.from({ length: WARM + RUNS }, () => {
    const start = performance.now();
    nacl.sign.detached.verify(message, signature, publicKey);
    return performance.now() - start;
  });
  return median(times.slice(WARM));
};

/** From base64 to signed base64: parse, review, approve, sign and read back, in a process that has done it before. */
export const benchSolanaReview = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bursar-bench-review-'));
  try {
    const { approveSolana, parseSolana, reviewSolana, signSolana, ...given } = await loadReview(folder);
    const transaction = Buffer.from(given.bytesOf(given.depositSteps(), given.withMinter)).toString('base64');
    const seed = given.WALLET.secretKey.subarray(0, 32);
    const times = Array.from({ length: WARM + RUNS }, () => {
      const start = performance.now();
      const unsigned = parseSolana(transaction);
      const review = reviewSolana({ unsigned, network: given.SANDBOX, requested: given.DEPOSIT });
      signSolana(approveSolana(review, 'pass'), seed);
      return performance.now() - start;
    });
    const whole = median(times.slice(WARM));
    const verifying = verifyingTime();
    const value = whole - verifying;
    return [
      {
        what: 'Solana: review and sign a deposit, warm',
        own: `${whole.toFixed(1)} ms`,
        other: `tweetnacl's verification: ${verifying.toFixed(1)} ms`,
        value,
        unit: 'ms',
        budget: 5,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
