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
  type Reviewing,
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

const review = (bytes: Uint8Array, policy: Policy, rest: Reviewing = {}, moved: readonly Outflow[] = []) =>
  reviewSolana({
    unsigned: parseSolana(bytes),
    network: SANDBOX,
    policy: inForce(policy, { moved }),
    ...rest,
  });

const wrong = (...args: Parameters<typeof review>) =>
  review(...args)
    .checks.filter(({ id, verdict }) => id.startsWith('policy') && verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

const deposit = () => bytesOf(depositSteps(), withMinter);
const withdrawal = () => bytesOf(withdrawSteps(), withMinter);
const VAULTS = [VAULT.toBase58(), FEES.toBase58()];

/** A program that nobody understands, with the wallet's signature. */
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
const purse = (lamports: bigint): AccountState => ({
  lamports,
  owner: '11111111111111111111111111111111',
  data: new Uint8Array(),
});

/** Takes some USDC of the wallet to the stranger, and some lamports beside. */
const taking = (units: bigint, lamports = 5_000n): Simulation => ({
  accounts: [
    { address: wallet.toBase58(), before: purse(10n ** 9n), after: purse(10n ** 9n - lamports) },
    {
      address: ata(wallet).toBase58(),
      before: holding(USDC, wallet, 500_000_000n),
      after: holding(USDC, wallet, 500_000_000n - units),
    },
    { address: ata(stranger).toBase58(), before: holding(USDC, stranger, 0n), after: holding(USDC, stranger, units) },
  ],
});
const seen = (units: bigint, lamports?: bigint): Reviewing => ({ facts: { simulation: taking(units, lamports) } });

describe('a policy over a Solana transaction', () => {
  it.each<[string, Uint8Array, Policy, Reviewing?]>([
    ['the chain solana', deposit(), { chains: ['solana'] }, { requested: DEPOSIT }],
    ['a token by its symbol', deposit(), { tokens: ['usdc'] }, { requested: DEPOSIT }],
    ['a token by its mint', deposit(), { tokens: [USDC.toBase58()] }, { requested: DEPOSIT }],
    ['the vault and the receiver of the fee', deposit(), { recipients: VAULTS }, { requested: DEPOSIT }],
    [
      'a vault by its token account',
      deposit(),
      { recipients: [ata(VAULT).toBase58(), ata(FEES).toBase58()] },
      { requested: DEPOSIT },
    ],
    ['programs of the system without an entry', deposit(), { programs: [] }, { requested: DEPOSIT }],
    [
      'exactly the most, the stated fee in it',
      deposit(),
      { most_per_transaction: { USDC: '100' }, most_per_day: { USDC: '100' } },
      { requested: DEPOSIT },
    ],
    [
      'a withdrawal to the wallet, which takes nothing out',
      withdrawal(),
      { tokens: ['USDC'], recipients: [], most_per_transaction: { USDC: '0' }, most_per_day: { USDC: '0' } },
      { requested: WITHDRAW },
    ],
    [
      'a listed program whose taking a simulation shows',
      opaque(),
      {
        programs: [LENDER.toBase58()],
        blind_signing: 'never',
        most_per_transaction: { USDC: '5' },
        recipients: [stranger.toBase58()],
      },
      seen(5_000_000n),
    ],
    ['a memo', bytesOf([memo('hello')]), { programs: [], blind_signing: 'never' }],
  ])('lets pass %s', (_, bytes, policy, rest) => {
    expect(wrong(bytes, policy, rest)).toEqual([]);
    expect(review(bytes, policy, rest).checks.map(({ id }) => id)).toContain('policy');
  });

  it.each<[string, Uint8Array, Policy, string, Reviewing?]>([
    ['the chain', deposit(), { chains: ['polygon'] }, 'policy.chains'],
    ['another token', deposit(), { tokens: ['USDT', 'SOL'] }, 'policy.tokens'],
    [
      'a token whose mint differs in capitals alone',
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
      'a stranger whose account is opened at the cost of the wallet',
      bytesOf([openAccount(stranger)]),
      { recipients: VAULTS },
      'policy.recipients',
    ],
    [
      'a program that is not listed',
      opaque(),
      { programs: [keyOf('another').publicKey.toBase58()] },
      'policy.programs',
      seen(1n),
    ],
    ['a program that is not understood', opaque(), { blind_signing: 'never' }, 'policy.blind_signing', seen(1n)],
    [
      'a listed program that nothing shows',
      opaque(),
      { blind_signing: 'never', programs: [LENDER.toBase58()] },
      'policy.blind_signing',
    ],
    ['what nobody can tell, under a limit', opaque(), { most_per_day: { USDT: '1' } }, 'policy'],
    [
      'a unit more than the most',
      deposit(),
      { most_per_transaction: { USDC: '99.999999' } },
      'policy.most_per_transaction',
    ],
    [
      'what a simulation takes',
      opaque(),
      { most_per_transaction: { USDC: '4.999999' } },
      'policy.most_per_transaction',
      seen(5_000_000n),
    ],
    [
      'coin that a simulation takes',
      opaque(),
      { most_per_transaction: { SOL: '0.01' } },
      'policy.most_per_transaction',
      seen(1n, 30_000_000n),
    ],
    ['who gains by a simulation', opaque(), { recipients: VAULTS }, 'policy.recipients', seen(1n)],
    [
      'shares that leave and are given back for nothing',
      bytesOf([token.burnChecked(5n, SHARES, 9)]),
      { most_per_transaction: { USDC: '1' } },
      'policy.most_per_transaction',
    ],
    [
      'shares for little, where nothing was asked to compare with',
      withdrawal(),
      { tokens: ['USDC'] },
      'policy.tokens',
      {},
    ],
  ])('refuses %s', (_, bytes, policy, id, rest = { requested: DEPOSIT }) => {
    const overrides = { allowPrograms: [LENDER.toBase58()], allowRecipients: [stranger.toBase58()] };
    const result = review(bytes, policy, { ...rest, overrides });
    expect(wrong(bytes, policy, { ...rest, overrides })).toContain(`${id} refuse`);
    expect(failureOf(() => approveSolana(result, 'confirmed')).code).toBe('refused_by_review');
  });

  it('counts a deposit, and both kinds of rebalance alike, with what left before', () => {
    const policy: Policy = { most_per_day: { USDC: '150' } };
    const earlier = (amount: string) => [{ token: 'USDC', amount, address: USDC.toBase58() }];
    expect(wrong(deposit(), policy, { requested: DEPOSIT }, earlier('50'))).toEqual([]);
    expect(wrong(deposit(), policy, { requested: DEPOSIT }, earlier('50.000001'))).toEqual([
      'policy.most_per_day refuse',
    ]);
    expect(review(deposit(), policy, { requested: DEPOSIT }).outflows).toEqual([
      { token: 'USDC', amount: '100', address: USDC.toBase58() },
    ]);
    expect(review(withdrawal(), policy, { requested: WITHDRAW }).outflows).toEqual([]);
  });

  it('that lists a program allows it as the option does, and nothing beside', () => {
    const bare = reviewSolana({ unsigned: parseSolana(opaque()), network: SANDBOX });
    expect(bare.checks.some(({ allow_with }) => allow_with?.startsWith('--allow-program'))).toBe(true);
    const listed = review(opaque(), { programs: [LENDER.toBase58()] });
    expect(listed.checks.some(({ allow_with }) => allow_with?.startsWith('--allow-program'))).toBe(false);
    expect(listed.verdict, 'what it takes is still not known').toBe('confirm');
  });

  it('is no better than the review: a stolen deposit stays refused', () => {
    const steps = depositSteps().map((step, at) =>
      at === 3 ? token.transferChecked(ata(wallet), ata(Keypair.generate().publicKey), 99_900_000n) : step,
    );
    const bytes = bytesOf(steps, withMinter);
    expect(review(bytes, { chains: ['solana'] }, { requested: DEPOSIT }).verdict).not.toBe('pass');
  });
});
