import { describe, expect, it } from 'vitest';
import { extendNetwork, networkFor } from '../../../src/chain/evm/network.ts';
import { reviewEvm } from '../../../src/chain/evm/review.ts';
import { EVM_CHAINS } from '../../../src/contract/chains.ts';
import { toUnits } from '../../../src/core/decimal.ts';
import { given } from './given.ts';

const NETWORK = extendNetwork(networkFor('live'), [{ name: 'elsewhere', id: 4242, coin: 'ELS' }]);
const ID: Readonly<Record<string, number>> = {
  ...Object.fromEntries(EVM_CHAINS.map(({ name, id }) => [name, id])),
  elsewhere: 4242,
};

const GAS = 1_000_000n;
const GWEI = 1_000_000_000n;

/** The fee checks of a transaction with a million units of gas. Prices are in wei. */
const feeChecks = (chain: string, { price, tip = 0n }: { price: bigint; tip?: bigint }, feeAtMost?: string) => {
  const request = {
    chainId: String(ID[chain]),
    gasLimit: `"${GAS}"`,
    maxFeePerGas: `"${price}"`,
    maxPriorityFeePerGas: `"${tip}"`,
  };
  const unsigned = given(request, { chain_name: `"${chain}"` });
  const { checks } = reviewEvm({ unsigned, network: NETWORK, overrides: { feeAtMost } });
  return checks.filter(({ id }) => id === 'fee');
};
const verdicts = (...args: Parameters<typeof feeChecks>) => feeChecks(...args).map(({ verdict }) => verdict);

/** The gas price at which a million units cost the given millionths of a coin. */
const priceFor = (millionths: bigint) => millionths * 1_000_000n;

describe('the total fee of a transaction', () => {
  it.each<[string, bigint]>([
    ...EVM_CHAINS.map(({ name, usualFee }): [string, bigint] => [name, toUnits(usualFee.total, 6)]),
    ['elsewhere', 5_000n],
  ])(
    'on %s passes up to %d millionths of the coin, requires a confirmation above, and is refused above ten times that',
    (chain, usualMax) => {
      expect(verdicts(chain, { price: priceFor(usualMax) })).toEqual(['pass']);
      expect(verdicts(chain, { price: priceFor(usualMax) + 1n })).toEqual(['confirm']);
      expect(verdicts(chain, { price: priceFor(usualMax) * 10n })).toEqual(['confirm']);
      expect(verdicts(chain, { price: priceFor(usualMax) * 10n + 1n })).toEqual(['refuse']);
    },
  );

  it('has a message with the fee, the usual maximum and the option for another maximum', () => {
    expect(feeChecks('ethereum', { price: priceFor(30_000n) })).toEqual([
      {
        id: 'fee',
        verdict: 'confirm',
        message: 'Fee: at most 0.03 ETH, above the usual maximum of 0.02 ETH on ethereum. --fee-at-most sets another.',
      },
    ]);
  });
});

describe('the tip of a transaction', () => {
  it.each(EVM_CHAINS.map(({ name, usualFee }): [string, bigint] => [name, usualFee.tipGwei]))(
    'on %s passes up to %d gwei, requires a confirmation above, and is refused above ten times that',
    (chain, usualMax) => {
      const withTip = (tip: bigint) =>
        feeChecks(chain, { price: tip, tip }).filter(({ message }) => message.includes('Tip:'));
      expect(withTip(usualMax * GWEI)).toEqual([]);
      expect(withTip(usualMax * GWEI + 1n)).toMatchObject([{ verdict: 'confirm' }]);
      expect(withTip(usualMax * GWEI * 10n)).toMatchObject([{ verdict: 'confirm' }]);
      expect(withTip(usualMax * GWEI * 10n + 1n)).toMatchObject([{ verdict: 'refuse' }]);
    },
  );

  it('has no limit on an unknown chain, where only the total fee has a limit', () => {
    expect(verdicts('elsewhere', { price: priceFor(5_000n), tip: priceFor(5_000n) })).toEqual(['pass']);
  });
});

describe('the maximum of --fee-at-most', () => {
  it('replaces the usual maximum, higher or lower, and also replaces the limit of the tip', () => {
    const price = priceFor(300_000n);
    expect(verdicts('ethereum', { price, tip: price })).toEqual(['refuse', 'refuse']);
    expect(verdicts('ethereum', { price, tip: price }, '0.3')).toEqual(['pass']);
    expect(verdicts('ethereum', { price, tip: price }, '0.299999')).toEqual(['refuse']);
    expect(verdicts('ethereum', { price: priceFor(100n) }, '0.00001')).toEqual(['refuse']);
  });
});
