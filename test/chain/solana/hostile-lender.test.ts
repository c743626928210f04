import type { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import type { Policy, PolicyInForce } from '../../../src/chain/review/policy.ts';
import type { AccountChange, AccountState } from '../../../src/chain/solana/accounts.ts';
import type { RequestedOperation, SolanaReviewInput } from '../../../src/chain/solana/context.ts';
import { parseSolana } from '../../../src/chain/solana/parse.ts';
import { reviewSolana } from '../../../src/chain/solana/review.ts';
import { inForce } from '../../support/policy.ts';
import { ata, bytesOf, DEPOSIT, instruction, keyOf, LENDER, LIVE, SHARES, stranger, TOKEN, wallet } from './given.ts';
import { change, coin, holding, own, paid, USDC, USDT } from './simulated.ts';

/*
 * A service that is hostile calls a lending program that is honest, and that the user allowed: it is not understood here,
 * and what a simulation shows is all that a review has.
 */

const opaque = bytesOf([instruction(LENDER, Buffer.of(1), [wallet, 'sw'], [ata(wallet), 'w'])]);
const overrides = { allowPrograms: [LENDER.toBase58()] };
const deposit: RequestedOperation = { ...DEPOSIT, providerIn: 'kamino', fees: undefined };
const withdrawal: RequestedOperation = { ...deposit, kind: 'withdraw', providerIn: undefined, providerOut: 'kamino' };
const rebalance: RequestedOperation = { ...deposit, kind: 'rebalance', providerOut: 'other' };

const HUNDRED = 100_000_000n;
const [AUTHORITY, VAULT, RESERVE, MARKET] = ['authority', 'liquidity', 'reserve', 'second reserve']
  .map((name) => keyOf(name))
  .map(({ publicKey }) => publicKey) as [PublicKey, PublicKey, PublicKey, PublicKey];
const [OWN, THIEVES] = [keyOf('own position').publicKey, keyOf('position of a thief').publicKey];

/** What the lender keeps: eight bytes say of which kind it is. */
const kept = (kind: string, size: number, ...holds: readonly PublicKey[]) => {
  const state = (version: number): AccountState => {
    const data = Buffer.alloc(size, version);
    data.set(Buffer.from(kind.padEnd(8).slice(0, 8)), 0);
    for (const [at, key] of holds.entries()) data.set(key.toBytes(), 8 + 32 * at);
    return { lamports: 2_000_000n, owner: LENDER.toBase58(), data };
  };
  return { before: state(1), after: state(2) };
};

const changed = (address: PublicKey, { before, after }: ReturnType<typeof kept>): AccountChange =>
  change(address, before, after);
const made = (address: PublicKey, { after }: ReturnType<typeof kept>): AccountChange =>
  change(address, undefined, after);

const position = kept('obligate', 120, wallet);
const reserve = kept('reserves', 200, VAULT);

/** The money of the wallet goes to the vault of the lender. */
const paying = [own(), paid(500_000_000n, 400_000_000n)];
const toVault = (units = HUNDRED): AccountChange =>
  change(VAULT, holding({ owner: AUTHORITY, units: 5n }), holding({ owner: AUTHORITY, units: 5n + units }));
const toThief = (units: bigint, mint = USDC): AccountChange =>
  change(ata(stranger, mint), holding({ mint, owner: stranger, units: 0n }), holding({ mint, owner: stranger, units }));
const shares = (units: bigint, owner = wallet): AccountChange =>
  change(ata(owner, SHARES), undefined, holding({ mint: SHARES, owner, units }));

const mintOf = (decimals: number): AccountChange => {
  const data = Buffer.alloc(82);
  data.set([decimals, 1], 44);
  const state = { lamports: 1n, owner: TOKEN.toBase58(), data };
  return change(SHARES, state, state);
};

const honest = [...paying, toVault(), changed(RESERVE, reserve)];

const wrongs = (accounts: readonly AccountChange[], more: Partial<SolanaReviewInput> = {}) =>
  reviewSolana({
    unsigned: parseSolana(opaque),
    network: LIVE,
    requested: deposit,
    overrides,
    facts: { simulation: { accounts } },
    ...more,
  })
    .checks.filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

describe('a deposit by an honest service passes', () => {
  it('where a position of the wallet changes beside the reserves of the lender, which keep shares of their own', () => {
    const collateral = shares(HUNDRED, AUTHORITY);
    const other = changed(MARKET, kept('reserves', 200, keyOf('another vault').publicKey));
    expect(wrongs([...honest, changed(OWN, position), collateral, other])).toEqual([]);
    expect(wrongs([...honest, made(OWN, position)])).toEqual([]);
  });

  it('where the wallet gets about as many shares as it puts in', () => {
    expect(wrongs([...honest, shares(95_000_000n), mintOf(6)])).toEqual([]);
    expect(wrongs([...honest, shares(51_000_000n), mintOf(6)])).toEqual([]);
    expect(wrongs([...honest, shares(90_000_000_000n), mintOf(9)])).toEqual([]);
    const feeOfLender = shares(4_000_000n, keyOf('treasury').publicKey);
    expect(wrongs([...honest, shares(95_000_000n), mintOf(6), feeOfLender])).toEqual([]);
  });
});

describe('a deposit that credits a stranger', () => {
  it('is not hidden by a few shares for the wallet', () => {
    expect(wrongs([...honest, shares(1n), mintOf(6)])).toEqual(['gain confirm']);
    expect(wrongs([...honest, shares(49_000_000n), mintOf(6)])).toEqual(['gain confirm']);
    const half = [...honest, shares(50_000_000n), mintOf(6), shares(50_000_000n, stranger)];
    expect(wrongs(half)).toEqual(['receivers confirm']);
  });

  it('is not hidden by shares that are made and moved on in the same transaction', () => {
    const passing = change(
      ata(wallet, SHARES),
      holding({ mint: SHARES, units: 0n }),
      holding({ mint: SHARES, units: 0n }),
    );
    expect(wrongs([...honest, passing, mintOf(6), shares(HUNDRED, stranger)])).toEqual(
      expect.arrayContaining(['gain confirm', 'receivers confirm']),
    );
  });

  it('by shares is not hidden by a change of the position of the wallet, which anybody can refresh', () => {
    expect(wrongs([...honest, changed(OWN, position), shares(HUNDRED, stranger)])).toEqual(['receivers confirm']);
  });

  it('by a position is not hidden by an account of another kind that has the key of the wallet', () => {
    const profile = made(OWN, kept('profiles', 80, wallet));
    const foreign = changed(THIEVES, kept('obligate', 120, stranger));
    expect(wrongs([...honest, profile, foreign])).toEqual(['gain confirm']);
    expect(wrongs([...honest, changed(OWN, position), foreign]), 'of the same kind').toEqual(['gain confirm']);
  });

  it('is not hidden by an account that was there and of which only the coin changes', () => {
    const { before } = position;
    expect(wrongs([...honest, change(OWN, before, { ...before, lamports: 9_000_000n })])).toEqual(['gain confirm']);
  });

  it('is not hidden by a position of the wallet that is closed', () => {
    expect(wrongs([...honest, change(OWN, position.before, undefined)])).toContain('gain confirm');
  });

  it('is found also where nobody stated what the transaction is for', () => {
    const policy: PolicyInForce = { policies: [], refusals: [], challengeHosts: undefined, hasMandate: true };
    const unstated = { requested: undefined, policy, unstated: [] };
    expect(wrongs([...honest, shares(HUNDRED, stranger)], unstated)).toEqual(
      expect.arrayContaining(['gain confirm', 'receivers confirm']),
    );
    expect(wrongs([...honest, shares(95_000_000n), mintOf(6)], unstated)).not.toContain('gain confirm');
  });
});

describe('what the lender keeps for the wallet', () => {
  const right = [...honest, changed(OWN, position)];

  it('goes to nobody else beside a deposit that is as asked', () => {
    expect(wrongs([...right, toThief(40_000_000n)])).toEqual(['receivers confirm']);
    expect(wrongs([...right, toThief(300_000_000n)])).toContain('receivers confirm');
    expect(wrongs([...right, toThief(1n, USDT)])).toEqual(['receivers confirm']);
    expect(wrongs([...right, toThief(5_000_000n)]), 'a usual fee').toEqual([]);
    const allowed = { ...overrides, allowRecipients: [stranger.toBase58()] };
    expect(wrongs([...right, toThief(300_000_000n)], { overrides: allowed })).toEqual([]);
  });

  it('goes to nobody else beside a withdrawal that is as asked', () => {
    const coming = [own(), paid(0n, HUNDRED), changed(OWN, position)];
    expect(wrongs(coming, { requested: withdrawal })).toEqual([]);
    expect(wrongs([...coming, toThief(HUNDRED)], { requested: withdrawal })).toEqual(['receivers confirm']);
    expect(wrongs([...coming, toThief(4_000_000n)], { requested: withdrawal })).toEqual([]);
  });

  it('goes on to no more than the amount of a rebalance', () => {
    const moved = [own(), changed(OWN, position), made(THIEVES, position), changed(RESERVE, reserve)];
    expect(wrongs([...moved, toVault()], { requested: rebalance })).toEqual([]);
    expect(wrongs([...moved, toVault(2n * HUNDRED)], { requested: rebalance })).toEqual(['receivers confirm']);
  });

  it('counts for every policy, whatever option allows the stranger', () => {
    const allowed = { ...overrides, allowRecipients: [stranger.toBase58()] };
    const under = (policy: Policy, accounts: readonly AccountChange[], asked = deposit) =>
      wrongs(accounts, { requested: asked, overrides: allowed, policy: inForce(policy) });
    const most: Policy = { most_per_transaction: { USDC: '100' } };
    expect(under(most, right)).toEqual([]);
    expect(under(most, [...right, toThief(300_000_000n)])).toEqual(['policy.most_per_transaction refuse']);
    const listed: Policy = { recipients: [AUTHORITY.toBase58()] };
    expect(under(listed, right)).toEqual([]);
    expect(under(listed, [...right, toThief(40_000_000n)])).toEqual(['policy.recipients refuse']);
    expect(under({ tokens: ['USDC'] }, [...right, shares(HUNDRED, AUTHORITY)])).toEqual([]);
    expect(under({ tokens: ['USDC'] }, [...right, shares(HUNDRED, stranger)])).toEqual(['policy.tokens refuse']);
    const coming = [own(), paid(0n, HUNDRED), changed(OWN, position), toThief(HUNDRED)];
    expect(under({ most_per_transaction: { USDC: '50' } }, coming, withdrawal)).toEqual([
      'policy.most_per_transaction refuse',
    ]);
  });

  it('includes the rent of a position that is closed: it comes back to the wallet, and to nobody else', () => {
    const closed = change(OWN, position.before, undefined);
    const coming = (lamports: bigint) => [own(10_000_000n, lamports), paid(0n, HUNDRED), closed];
    expect(wrongs(coming(11_995_000n), { requested: withdrawal })).toEqual([]);
    expect(wrongs(coming(9_995_000n), { requested: withdrawal })).toEqual(['simulation confirm']);
    const account = change(ata(wallet, SHARES), holding({ mint: SHARES, units: 0n }), undefined);
    const gone = [own(), paid(0n, HUNDRED), account, change(stranger, coin(1n), coin(2_039_281n))];
    expect(wrongs(gone, { requested: withdrawal })).toEqual(['simulation confirm']);
  });

  it('is a reason to ask what a transaction is for, though no balance of the wallet changes', () => {
    const unstated = [
      {
        fact: 'operation',
        subject: 'The kind of operation is',
        value: undefined,
        by: 'the transaction',
        option: '--kind',
      },
    ] as const;
    expect(wrongs([own(), changed(OWN, position)], { requested: undefined, unstated })).toContain(
      'stated.operation confirm',
    );
  });
});
