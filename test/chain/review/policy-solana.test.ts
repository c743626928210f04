import { Keypair, type PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import type { Outflow, Policy } from '../../../src/chain/review/policy.ts';
import type { AccountState, Simulation } from '../../../src/chain/solana/accounts.ts';
import { parseSolana } from '../../../src/chain/solana/parse.ts';
import { reviewSolana } from '../../../src/chain/solana/review.ts';
import { approveSolana } from '../../../src/chain/solana/sign.ts';
import { inForce } from '../../support/policy.ts';
import { failureOf } from '../evm/given.ts';
import {
  ata,
  bytesOf,
  DEPOSIT,
  depositSteps,
  FEES,
  instruction,
  keyOf,
  LENDER,
  memo,
  openAccount,
  type ReviewOptions,
  SANDBOX,
  SHARES,
  stranger,
  TOKEN,
  token,
  USDC,
  VAULT,
  VAULT_B,
  WITHDRAW,
  wallet,
  withdrawSteps,
  withMinter,
} from '../solana/given.ts';

const review = (bytes: Uint8Array, policy: Policy, rest: ReviewOptions = {}, moved: readonly Outflow[] = []) =>
  reviewSolana({
    unsigned: parseSolana(bytes),
    network: SANDBOX,
    policy: inForce(policy, { moved }),
    ...rest,
  });

/** The policy checks that do not pass, each with its verdict. */
const failedPolicyChecks = (...args: Parameters<typeof review>) =>
  review(...args)
    .checks.filter(({ id, verdict }) => id.startsWith('policy') && verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

const deposit = () => bytesOf(depositSteps(), withMinter);
const withdrawal = () => bytesOf(withdrawSteps(), withMinter);
const VAULTS = [VAULT.toBase58(), FEES.toBase58()];

/** A transaction that calls a program that cannot be decoded, with the signature of the wallet. */
const opaque = (...more: Parameters<typeof bytesOf>[0]) =>
  bytesOf([instruction(LENDER, Buffer.of(1), [wallet, 'sw'], [ata(wallet), 'w'], [ata(stranger), 'w']), ...more]);

const holding = (mint: PublicKey, owner: PublicKey, units: bigint): AccountState => {
  const data = Buffer.alloc(165);
  data.set(mint.toBytes(), 0);
  data.set(owner.toBytes(), 32);
  data.writeBigUInt64LE(units, 64);
  data.writeUInt8(1, 108);
  return { lamports: 2_039_280n, owner: TOKEN.toBase58(), data };
};
const walletState = (lamports: bigint): AccountState => ({
  lamports,
  owner: '11111111111111111111111111111111',
  data: new Uint8Array(),
});

/** A simulation in which the wallet loses USDC to the stranger, and lamports. */
const lossToStranger = (units: bigint, lamports = 5_000n): Simulation => ({
  accounts: [
    { address: wallet.toBase58(), before: walletState(10n ** 9n), after: walletState(10n ** 9n - lamports) },
    {
      address: ata(wallet).toBase58(),
      before: holding(USDC, wallet, 500_000_000n),
      after: holding(USDC, wallet, 500_000_000n - units),
    },
    { address: ata(stranger).toBase58(), before: holding(USDC, stranger, 0n), after: holding(USDC, stranger, units) },
  ],
});
const withSimulation = (units: bigint, lamports?: bigint): ReviewOptions => ({
  facts: { simulation: lossToStranger(units, lamports) },
});

describe('a policy for a Solana transaction', () => {
  it.each<[string, Uint8Array, Policy, ReviewOptions?]>([
    ['the chain solana', deposit(), { chains: ['solana'] }, { requested: DEPOSIT }],
    ['a token by symbol', deposit(), { tokens: ['usdc'] }, { requested: DEPOSIT }],
    ['a token by mint', deposit(), { tokens: [USDC.toBase58()] }, { requested: DEPOSIT }],
    ['the listed vault and receiver of the fee', deposit(), { recipients: VAULTS }, { requested: DEPOSIT }],
    [
      'a vault listed by its token account',
      deposit(),
      { recipients: [ata(VAULT).toBase58(), ata(FEES).toBase58()] },
      { requested: DEPOSIT },
    ],
    ['programs of the system that are not listed', deposit(), { programs: [] }, { requested: DEPOSIT }],
    [
      'an amount equal to the limits, including the stated fee',
      deposit(),
      { most_per_transaction: { USDC: '100' }, most_per_day: { USDC: '100' } },
      { requested: DEPOSIT },
    ],
    [
      'a withdrawal to the wallet with limits of 0',
      withdrawal(),
      { tokens: ['USDC'], recipients: [], most_per_transaction: { USDC: '0' }, most_per_day: { USDC: '0' } },
      { requested: WITHDRAW },
    ],
    [
      'a listed program whose effect the simulation shows',
      opaque(),
      {
        programs: [LENDER.toBase58()],
        blind_signing: 'never',
        most_per_transaction: { USDC: '5' },
        recipients: [stranger.toBase58()],
      },
      withSimulation(5_000_000n),
    ],
    ['a memo', bytesOf([memo('hello')]), { programs: [], blind_signing: 'never' }],
  ])('allows %s', (_, bytes, policy, rest) => {
    expect(failedPolicyChecks(bytes, policy, rest)).toEqual([]);
    expect(review(bytes, policy, rest).checks.map(({ id }) => id)).toContain('policy');
  });

  it.each<[string, Uint8Array, Policy, string, ReviewOptions?]>([
    ['a chain that is not listed', deposit(), { chains: ['polygon'] }, 'policy.chains'],
    ['a token that is not listed', deposit(), { tokens: ['USDT', 'SOL'] }, 'policy.tokens'],
    [
      'a token whose listed mint differs only in case',
      deposit(),
      { tokens: [USDC.toBase58().toLowerCase()] },
      'policy.tokens',
    ],
    [
      'a vault that is not listed',
      deposit(),
      { recipients: [VAULT_B.toBase58(), FEES.toBase58()] },
      'policy.recipients',
    ],
    [
      'rent for a token account of an owner who is not a listed recipient',
      bytesOf([openAccount(stranger)]),
      { recipients: VAULTS },
      'policy.recipients',
    ],
    [
      'a program that is not listed',
      opaque(),
      { programs: [keyOf('another').publicKey.toBase58()] },
      'policy.programs',
      withSimulation(1n),
    ],
    [
      'a program that cannot be decoded with blind_signing never',
      opaque(),
      { blind_signing: 'never' },
      'policy.blind_signing',
      withSimulation(1n),
    ],
    [
      'a listed program without a simulation with blind_signing never',
      opaque(),
      { blind_signing: 'never', programs: [LENDER.toBase58()] },
      'policy.blind_signing',
    ],
    ['an unknown loss with a limit', opaque(), { most_per_day: { USDT: '1' } }, 'policy'],
    [
      'an amount one unit above most_per_transaction',
      deposit(),
      { most_per_transaction: { USDC: '99.999999' } },
      'policy.most_per_transaction',
    ],
    [
      'a token loss in the simulation above most_per_transaction',
      opaque(),
      { most_per_transaction: { USDC: '4.999999' } },
      'policy.most_per_transaction',
      withSimulation(5_000_000n),
    ],
    [
      'a coin loss in the simulation above most_per_transaction',
      opaque(),
      { most_per_transaction: { SOL: '0.01' } },
      'policy.most_per_transaction',
      withSimulation(1n, 30_000_000n),
    ],
    [
      'a receiver in the simulation that is not listed',
      opaque(),
      { recipients: VAULTS },
      'policy.recipients',
      withSimulation(1n),
    ],
    [
      'shares that are burnt without a return',
      bytesOf([token.burnChecked(5n, SHARES, 9)]),
      { most_per_transaction: { USDC: '1' } },
      'policy.most_per_transaction',
    ],
    [
      'shares that are not a listed token, without a request to compare with',
      withdrawal(),
      { tokens: ['USDC'] },
      'policy.tokens',
      {},
    ],
  ])('refuses %s', (_, bytes, policy, id, rest = { requested: DEPOSIT }) => {
    const overrides = { allowPrograms: [LENDER.toBase58()], allowRecipients: [stranger.toBase58()] };
    const result = review(bytes, policy, { ...rest, overrides });
    expect(failedPolicyChecks(bytes, policy, { ...rest, overrides })).toContain(`${id} refuse`);
    expect(failureOf(() => approveSolana(result, 'confirmed')).code).toBe('refused_by_review');
  });

  it('adds earlier outflows to the outflow of a deposit, and counts no outflow for a withdrawal', () => {
    const policy: Policy = { most_per_day: { USDC: '150' } };
    const earlier = (amount: string) => [{ token: 'USDC', amount, address: USDC.toBase58() }];
    expect(failedPolicyChecks(deposit(), policy, { requested: DEPOSIT }, earlier('50'))).toEqual([]);
    expect(failedPolicyChecks(deposit(), policy, { requested: DEPOSIT }, earlier('50.000001'))).toEqual([
      'policy.most_per_day refuse',
    ]);
    expect(review(deposit(), policy, { requested: DEPOSIT }).outflows).toEqual([
      { token: 'USDC', amount: '100', address: USDC.toBase58() },
    ]);
    expect(review(withdrawal(), policy, { requested: WITHDRAW }).outflows).toEqual([]);
  });

  it('that lists a program needs no --allow-program, and still requires a confirmation of an unknown loss', () => {
    const bare = reviewSolana({ unsigned: parseSolana(opaque()), network: SANDBOX });
    expect(bare.checks.some(({ allow_with }) => allow_with?.startsWith('--allow-program'))).toBe(true);
    const listed = review(opaque(), { programs: [LENDER.toBase58()] });
    expect(listed.checks.some(({ allow_with }) => allow_with?.startsWith('--allow-program'))).toBe(false);
    expect(listed.verdict, 'the loss is unknown').toBe('confirm');
  });

  it('does not let a deposit to another receiver pass', () => {
    const steps = depositSteps().map((step, at) =>
      at === 3 ? token.transferChecked(ata(wallet), ata(Keypair.generate().publicKey), 99_900_000n) : step,
    );
    const bytes = bytesOf(steps, withMinter);
    expect(review(bytes, { chains: ['solana'] }, { requested: DEPOSIT }).verdict).not.toBe('pass');
  });
});
