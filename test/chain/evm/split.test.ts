import { AbiCoder } from 'ethers/abi';
import { describe, expect, it } from 'vitest';
import { SELECTORS } from '../../../src/chain/evm/decode.ts';
import { reviewEvm } from '../../../src/chain/evm/review.ts';
import { fromUnits } from '../../../src/core/decimal.ts';
import { givenCall, NETWORK, PAYER, SPLITTER, seeded, USDT } from './given.ts';

const coder = AbiCoder.defaultAbiCoder();
const CHAINS = { polygon: { id: '1000137', decimals: 6 }, bsc: { id: '1000056', decimals: 18 } } as const;
type ChainName = keyof typeof CHAINS;

const wallet = (index: number) => `0x${String(index + 1).repeat(40)}`;

/** The verdict and the failed checks when the splitter pays `paid` for a payment of `total` with `percents`. */
const reviewSplit = (chainName: ChainName, total: bigint, percents: readonly string[], paid: readonly bigint[]) => {
  const { id, decimals } = CHAINS[chainName];
  const wallets = percents.map((_, index) => wallet(index));
  const data = coder.encode(['address', 'address[]', 'uint256[]'], [USDT, wallets, paid]).slice(2);
  const chain = { chain_name: `"${chainName}"` };
  const unsigned = givenCall(
    SPLITTER,
    SELECTORS.splitToken + data,
    { chainId: id, maxFeePerGas: '"3000000000"' },
    chain,
  );
  const receivers = percents.map((percent, index) => ({ wallet: wallet(index), percent }));
  const expected = { tokenSymbol: 'USDT', amount: fromUnits(total, decimals), receivers };
  const { verdict, checks } = reviewEvm({ unsigned, expected, network: NETWORK, signer: PAYER });
  return { verdict, failedChecks: checks.filter((check) => check.verdict !== 'pass').map((check) => check.id) };
};

const PASS = { verdict: 'pass', failedChecks: [] };

describe('a split with percentages that do not divide the amount', () => {
  const thirds = ['33.33', '33.33', '33.34'];

  it.each<[string, ChainName, bigint, readonly bigint[]]>([
    ['10 USDT of 6 decimals', 'polygon', 10_000_000n, [3_333_000n, 3_333_000n, 3_334_000n]],
    ['0.000100 USDT, remainder to the first', 'polygon', 100n, [34n, 33n, 33n]],
    ['0.000100 USDT, remainder to the last', 'polygon', 100n, [33n, 33n, 34n]],
    ['1 smallest unit, remainder to the second', 'polygon', 1n, [0n, 1n, 0n]],
    [
      '10.000000000000000001 USDT of 18 decimals',
      'bsc',
      10n ** 19n + 1n,
      [3_333n * 10n ** 15n, 3_333n * 10n ** 15n + 1n, 3_334n * 10n ** 15n],
    ],
  ])('passes whichever receiver gets the remainder: %s', (_, chain, total, paid) => {
    expect(reviewSplit(chain, total, thirds, paid)).toEqual(PASS);
  });

  it('fails when a receiver gets a thousandth of a percent too much', () => {
    expect(reviewSplit('polygon', 10_000_000n, thirds, [3_333_100n, 3_332_900n, 3_334_000n]).failedChecks).toContain(
      'shares',
    );
    const e15 = 10n ** 15n;
    expect(
      reviewSplit('bsc', 10_000n * e15, thirds, [3_333n * e15 + 4n, 3_333n * e15 - 4n, 3_334n * e15]).failedChecks,
    ).toEqual(['shares', 'shares']);
  });

  it('fails when the total is one unit short', () => {
    expect(reviewSplit('polygon', 10_000_000n, thirds, [3_333_000n, 3_333_000n, 3_333_999n]).failedChecks).toEqual([
      'amount',
    ]);
  });
});

describe('a random split', () => {
  it('passes with the remainder for any receiver, and fails when more than the remainder is moved', () => {
    const random = seeded(100);
    for (let round = 0; round < 60; round += 1) {
      const chain = random.below(2) === 0 ? 'polygon' : 'bsc';
      const count = 2 + random.below(4);
      // Percentages in ten-thousandths of a percent, which sum to 1,000,000, that is 100.0000 %.
      const parts = Array.from({ length: count - 1 }, () => 1n + BigInt(random.below(Math.floor(1_000_000 / count))));
      const all = [...parts, 1_000_000n - parts.reduce((sum, part) => sum + part, 0n)];
      const percents = all.map((part) => fromUnits(part, 4));
      const total = 1_000_000n + random.bits(20 + random.below(60));
      const paid = all.map((part) => (total * part) / 1_000_000n);
      const remainder = total - paid.reduce((sum, units) => sum + units, 0n);
      const remainderIndex = random.below(count);
      const whole = paid.map((units, index) => (index === remainderIndex ? units + remainder : units));
      const context = [chain, total, ...percents, ...whole].join(' ');
      expect(reviewSplit(chain, total, percents, whole), context).toEqual(PASS);

      const moved = BigInt(2 * count + 1) + random.bits(16);
      const [from, to] = [remainderIndex, (remainderIndex + 1) % count];
      if ((whole[from] ?? 0n) < moved) continue;
      const stolen = whole.map((units, index) => units + (index === to ? moved : 0n) - (index === from ? moved : 0n));
      expect(reviewSplit(chain, total, percents, stolen).failedChecks, context).toContain('shares');
    }
  });
});
