import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import type { RequestedOperation } from '../../../src/chain/solana/context.ts';
import { parseSolana } from '../../../src/chain/solana/parse.ts';
import { reviewSolana, type SolanaReview } from '../../../src/chain/solana/review.ts';
import { approveSolana, signSolana } from '../../../src/chain/solana/sign.ts';
import { SANDBOX_SOLANA } from '../../../src/contract/chains.ts';
import { digitsOf } from '../../../src/core/json.ts';
import { makeVaults } from '../../../src/sandbox/solana/tokens.ts';
import { broadcast, deposit, newWallet, rebalance, sendOff, startYield, withdraw } from '../../sandbox/yield/wallet.ts';
import { SANDBOX } from './given.ts';

type Kind = RequestedOperation['kind'];

/** Starts a sandbox with a wallet that has positions, and builds a transaction of each kind with its request. */
const start = async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const wallet = key.publicKey.toBase58();
  const first = (await deposit(sandbox, key)).body.data;
  const fees = [first.charged_platform_fee_amount, first.charged_whitelabel_fee_amount].map(
    (fee) => digitsOf(fee) ?? '',
  );
  await sendOff(sandbox, key, await deposit(sandbox, key));
  const built: Readonly<Record<Kind, string>> = {
    deposit: first.transaction,
    withdraw: (await withdraw(sandbox, key, { amount: '50' })).body.data.transaction,
    rebalance: (await rebalance(sandbox, key, { amount: '40' })).body.data.transaction,
  };
  const requests: Readonly<Record<Kind, RequestedOperation>> = {
    deposit: { kind: 'deposit', wallet, asset: 'USDC', amount: '100', providerIn: 'provider_a', fees },
    withdraw: { kind: 'withdraw', wallet, asset: 'USDC', amount: '50', providerOut: 'provider_a' },
    rebalance: {
      ...{ kind: 'rebalance', wallet, asset: 'USDC', amount: '40' },
      ...{ providerOut: 'provider_a', providerIn: 'provider_b' },
    },
  };
  const reviewOf = (transaction: string, requested: RequestedOperation | undefined) =>
    reviewSolana({ unsigned: parseSolana(transaction), network: SANDBOX, requested, signer: wallet });
  /** The review of the transaction of a kind, with a changed request. */
  const review = (kind: Kind, change: Partial<RequestedOperation> = {}) =>
    reviewOf(built[kind], { ...requests[kind], ...change });
  return { sandbox, key, wallet, built, requests, review, reviewOf };
};

const KINDS: readonly Kind[] = ['deposit', 'withdraw', 'rebalance'];

const failedChecks = ({ checks }: SolanaReview) => checks.filter(({ verdict }) => verdict !== 'pass');

test('the transactions of the sandbox pass with and without a request, and the review shows their moves', async () => {
  const { review, reviewOf, built, wallet } = await start();
  for (const kind of KINDS) {
    expect([kind, failedChecks(review(kind))]).toEqual([kind, []]);
    expect([kind, failedChecks(reviewOf(built[kind], undefined))]).toEqual([kind, []]);
  }
  expect(review('deposit')).toMatchObject({
    verdict: 'pass',
    chain: 'solana',
    from: wallet,
    fee: { coin: 'SOL' },
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    moves: [
      { token: 'USDC', amount: '99.9', to: SANDBOX_SOLANA.vaults.provider_a, to_name: 'the vault of provider_a' },
      { token: 'USDC', amount: '0.1', to: SANDBOX_SOLANA.fees, to_name: 'the receiver of the fee' },
      { token: 'USDC shares of provider_a', to: wallet, label: 'comes in' },
      { token: 'SOL', amount: '0.00203928' },
    ],
  });
});

test('a transaction of the sandbox is refused for a request with another amount, mint, wallet, kind, provider or fee', async () => {
  const { review, reviewOf, built, requests } = await start();
  const changes: readonly Partial<RequestedOperation>[] = [
    { amount: '99.89' },
    { amount: '1' },
    { amount: '100.000001' },
    { asset: 'USDT' },
    { asset: SANDBOX_SOLANA.mints.EURC },
    { wallet: Keypair.generate().publicKey.toBase58() },
  ];
  for (const kind of KINDS) {
    for (const change of changes) {
      const result = review(kind, change);
      expect([kind, change, result.verdict]).toEqual([kind, change, 'refuse']);
      expect(() => approveSolana(result, 'confirmed')).toThrow();
    }
  }
  for (const kind of KINDS) {
    for (const other of KINDS.filter((candidate) => candidate !== kind)) {
      const same = { ...requests[other], amount: requests[kind].amount };
      expect([kind, other, reviewOf(built[kind], same).verdict]).toEqual([kind, other, 'refuse']);
    }
  }
  expect(review('deposit', { providerIn: 'provider_b' }).verdict).toBe('refuse');
  expect(review('withdraw', { providerOut: 'provider_b' }).verdict).toBe('refuse');
  expect(review('deposit', { fees: ['0.09'] }).checks[0]).toMatchObject({ id: 'stated_fee', verdict: 'refuse' });
});

test('the two transactions of a rebalance pass as a withdrawal and a deposit', async () => {
  const { sandbox, key, requests, reviewOf } = await start();
  await sendOff(sandbox, key, await deposit(sandbox, key, { asset: 'EURC' }));
  const [first, second] = (await rebalance(sandbox, key, { asset: 'EURC', amount: '50' })).body.data.transactions;
  const same = { ...requests.rebalance, asset: 'EURC', amount: '50' };
  expect(failedChecks(reviewOf(first, { ...same, kind: 'withdraw' }))).toEqual([]);
  expect(failedChecks(reviewOf(second, { ...same, kind: 'deposit' }))).toEqual([]);
  expect(reviewOf(first, same).verdict).toBe('refuse');
});

test('the chain accepts the signed transactions, and the signature of bursar is their hash', async () => {
  const { sandbox, key, review } = await start();
  for (const kind of KINDS) {
    const signed = signSolana(approveSolana(review(kind), 'pass'), key.secretKey.subarray(0, 32));
    const { body } = await broadcast(sandbox, signed.signed_transaction);
    expect([kind, body.data]).toMatchObject([kind, { status: 1, transactionHash: signed.hash }]);
  }
});

test('the markets of the review are the vaults and shares of the sandbox', () => {
  const sandboxMarkets = makeVaults().map(({ provider, token, shareMint, shareDecimals, authority, market }) => ({
    provider,
    token: { mint: token.mint },
    vault: authority.address,
    share: { mint: shareMint ?? market, decimals: shareDecimals },
  }));
  expect(SANDBOX.markets).toMatchObject(sandboxMarkets);
});
