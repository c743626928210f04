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
 * A hostile service calls an honest lending program that the user allowed. The review cannot decode the program and has
 * only the simulation.
 */

const opaque = bytesOf([instruction(LENDER, Buffer.of(1), [wallet, 'sw'], [ata(wallet), 'w'])]);
const overrides = { allowPrograms: [LENDER.toBase58()] };
const deposit: RequestedOperation = { ...DEPOSIT, providerIn: 'kamino', fees: undefined };
const withdrawal: RequestedOperation = { ...deposit, kind: 'withdraw', providerIn: undefined, providerOut: 'kamino' };
const rebalance: RequestedOperation = { ...deposit, kind: 'rebalance', providerOut: 'other' };

const HUNDRED_USDC = 100_000_000n;
const [AUTHORITY, VAULT, RESERVE, MARKET] = ['authority', 'liquidity', 'reserve', 'second reserve']
  .map((name) => keyOf(name))
  .map(({ publicKey }) => publicKey) as [PublicKey, PublicKey, PublicKey, PublicKey];
const [OWN_POSITION, OTHER_POSITION] = [keyOf('own position').publicKey, keyOf('position of a thief').publicKey];

/** The state of an account of the lender before and after. The first eight bytes are the kind of the account. */
const lenderAccount = (kind: string, size: number, ...holds: readonly PublicKey[]) => {
  const state = (version: number): AccountState => {
    const data = Buffer.alloc(size, version);
    data.set(Buffer.from(kind.padEnd(8).slice(0, 8)), 0);
    for (const [at, key] of holds.entries()) data.set(key.toBytes(), 8 + 32 * at);
    return { lamports: 2_000_000n, owner: LENDER.toBase58(), data };
  };
  return { before: state(1), after: state(2) };
};

const changedAccount = (address: PublicKey, { before, after }: ReturnType<typeof lenderAccount>): AccountChange =>
  change(address, before, after);
const createdAccount = (address: PublicKey, { after }: ReturnType<typeof lenderAccount>): AccountChange =>
  change(address, undefined, after);

const position = lenderAccount('obligate', 120, wallet);
const reserve = lenderAccount('reserves', 200, VAULT);

/** The wallet pays 100 USDC. */
const paying = [own(), paid(500_000_000n, 400_000_000n)];
const toVault = (units = HUNDRED_USDC): AccountChange =>
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

const honest = [...paying, toVault(), changedAccount(RESERVE, reserve)];

const failedChecks = (accounts: readonly AccountChange[], more: Partial<SolanaReviewInput> = {}) =>
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

describe('an honest deposit passes', () => {
  it('when a position of the wallet changes beside reserves of the lender that get shares', () => {
    const collateral = shares(HUNDRED_USDC, AUTHORITY);
    const other = changedAccount(MARKET, lenderAccount('reserves', 200, keyOf('another vault').publicKey));
    expect(failedChecks([...honest, changedAccount(OWN_POSITION, position), collateral, other])).toEqual([]);
    expect(failedChecks([...honest, createdAccount(OWN_POSITION, position)])).toEqual([]);
  });

  it('when the wallet gets more than half as many shares as it pays tokens', () => {
    expect(failedChecks([...honest, shares(95_000_000n), mintOf(6)])).toEqual([]);
    expect(failedChecks([...honest, shares(51_000_000n), mintOf(6)])).toEqual([]);
    expect(failedChecks([...honest, shares(90_000_000_000n), mintOf(9)])).toEqual([]);
    const feeOfLender = shares(4_000_000n, keyOf('treasury').publicKey);
    expect(failedChecks([...honest, shares(95_000_000n), mintOf(6), feeOfLender])).toEqual([]);
  });
});

describe('a deposit that credits another owner requires a confirmation', () => {
  it('even if the wallet gets a few shares', () => {
    expect(failedChecks([...honest, shares(1n), mintOf(6)])).toEqual(['gain confirm']);
    expect(failedChecks([...honest, shares(49_000_000n), mintOf(6)])).toEqual(['gain confirm']);
    const half = [...honest, shares(50_000_000n), mintOf(6), shares(50_000_000n, stranger)];
    expect(failedChecks(half)).toEqual(['receivers confirm']);
  });

  it('even if the shares pass through an account of the wallet', () => {
    const passing = change(
      ata(wallet, SHARES),
      holding({ mint: SHARES, units: 0n }),
      holding({ mint: SHARES, units: 0n }),
    );
    expect(failedChecks([...honest, passing, mintOf(6), shares(HUNDRED_USDC, stranger)])).toEqual(
      expect.arrayContaining(['gain confirm', 'receivers confirm']),
    );
  });

  it('in shares, even if the position of the wallet changes, because anybody can refresh a position', () => {
    expect(failedChecks([...honest, changedAccount(OWN_POSITION, position), shares(HUNDRED_USDC, stranger)])).toEqual([
      'receivers confirm',
    ]);
  });

  it('in a position, even if an account of any kind with the key of the wallet changes', () => {
    const profile = createdAccount(OWN_POSITION, lenderAccount('profiles', 80, wallet));
    const foreign = changedAccount(OTHER_POSITION, lenderAccount('obligate', 120, stranger));
    expect(failedChecks([...honest, profile, foreign])).toEqual(['gain confirm']);
    expect(failedChecks([...honest, changedAccount(OWN_POSITION, position), foreign]), 'of the same kind').toEqual([
      'gain confirm',
    ]);
  });

  it('even if the lamports of an existing position of the wallet change', () => {
    const { before } = position;
    expect(failedChecks([...honest, change(OWN_POSITION, before, { ...before, lamports: 9_000_000n })])).toEqual([
      'gain confirm',
    ]);
  });

  it('even if a position of the wallet is closed', () => {
    expect(failedChecks([...honest, change(OWN_POSITION, position.before, undefined)])).toContain('gain confirm');
  });

  it('even without a request to compare with', () => {
    const policy: PolicyInForce = { policies: [], refusals: [], challengeHosts: undefined, hasMandate: true };
    const unstated = { requested: undefined, policy, unstated: [] };
    expect(failedChecks([...honest, shares(HUNDRED_USDC, stranger)], unstated)).toEqual(
      expect.arrayContaining(['gain confirm', 'receivers confirm']),
    );
    expect(failedChecks([...honest, shares(95_000_000n), mintOf(6)], unstated)).not.toContain('gain confirm');
  });
});

describe('the money that the lender holds for the wallet', () => {
  const right = [...honest, changedAccount(OWN_POSITION, position)];

  it('requires a confirmation when it goes to another owner beside a deposit as requested', () => {
    expect(failedChecks([...right, toThief(40_000_000n)])).toEqual(['receivers confirm']);
    expect(failedChecks([...right, toThief(300_000_000n)])).toContain('receivers confirm');
    expect(failedChecks([...right, toThief(1n, USDT)])).toEqual(['receivers confirm']);
    expect(failedChecks([...right, toThief(5_000_000n)]), 'a usual fee').toEqual([]);
    const allowed = { ...overrides, allowRecipients: [stranger.toBase58()] };
    expect(failedChecks([...right, toThief(300_000_000n)], { overrides: allowed })).toEqual([]);
  });

  it('requires a confirmation when it goes to another owner beside a withdrawal as requested', () => {
    const coming = [own(), paid(0n, HUNDRED_USDC), changedAccount(OWN_POSITION, position)];
    expect(failedChecks(coming, { requested: withdrawal })).toEqual([]);
    expect(failedChecks([...coming, toThief(HUNDRED_USDC)], { requested: withdrawal })).toEqual(['receivers confirm']);
    expect(failedChecks([...coming, toThief(4_000_000n)], { requested: withdrawal })).toEqual([]);
  });

  it('requires a confirmation when a rebalance moves more than the requested amount', () => {
    const moved = [
      own(),
      changedAccount(OWN_POSITION, position),
      createdAccount(OTHER_POSITION, position),
      changedAccount(RESERVE, reserve),
    ];
    expect(failedChecks([...moved, toVault()], { requested: rebalance })).toEqual([]);
    expect(failedChecks([...moved, toVault(2n * HUNDRED_USDC)], { requested: rebalance })).toEqual([
      'receivers confirm',
    ]);
  });

  it('counts for the limits of every policy, even with --allow-recipient', () => {
    const allowed = { ...overrides, allowRecipients: [stranger.toBase58()] };
    const under = (policy: Policy, accounts: readonly AccountChange[], operation = deposit) =>
      failedChecks(accounts, { requested: operation, overrides: allowed, policy: inForce(policy) });
    const limited: Policy = { most_per_transaction: { USDC: '100' } };
    expect(under(limited, right)).toEqual([]);
    expect(under(limited, [...right, toThief(300_000_000n)])).toEqual(['policy.most_per_transaction refuse']);
    const listed: Policy = { recipients: [AUTHORITY.toBase58()] };
    expect(under(listed, right)).toEqual([]);
    expect(under(listed, [...right, toThief(40_000_000n)])).toEqual(['policy.recipients refuse']);
    expect(under({ tokens: ['USDC'] }, [...right, shares(HUNDRED_USDC, AUTHORITY)])).toEqual([]);
    expect(under({ tokens: ['USDC'] }, [...right, shares(HUNDRED_USDC, stranger)])).toEqual(['policy.tokens refuse']);
    const coming = [own(), paid(0n, HUNDRED_USDC), changedAccount(OWN_POSITION, position), toThief(HUNDRED_USDC)];
    expect(under({ most_per_transaction: { USDC: '50' } }, coming, withdrawal)).toEqual([
      'policy.most_per_transaction refuse',
    ]);
  });

  it('includes the rent of a closed position, which must return to the wallet', () => {
    const closed = change(OWN_POSITION, position.before, undefined);
    const coming = (lamports: bigint) => [own(10_000_000n, lamports), paid(0n, HUNDRED_USDC), closed];
    expect(failedChecks(coming(11_995_000n), { requested: withdrawal })).toEqual([]);
    expect(failedChecks(coming(9_995_000n), { requested: withdrawal })).toEqual(['simulation confirm']);
    const account = change(ata(wallet, SHARES), holding({ mint: SHARES, units: 0n }), undefined);
    const gone = [own(), paid(0n, HUNDRED_USDC), account, change(stranger, coin(1n), coin(2_039_281n))];
    expect(failedChecks(gone, { requested: withdrawal })).toEqual(['simulation confirm']);
  });

  it('requires a statement of the operation when only a position changes', () => {
    const unstated = [
      {
        fact: 'operation',
        subject: 'The kind of operation is',
        value: undefined,
        by: 'the transaction',
        option: '--kind',
      },
    ] as const;
    expect(failedChecks([own(), changedAccount(OWN_POSITION, position)], { requested: undefined, unstated })).toContain(
      'stated.operation confirm',
    );
  });
});
