import { describe, expect, it } from 'vitest';
import type { AccountChange } from '../../../src/chain/solana/accounts.ts';
import type { RequestedOperation } from '../../../src/chain/solana/context.ts';
import {
  ata,
  bytesOf,
  DEPOSIT,
  depositSteps,
  instruction,
  LENDER,
  LIVE,
  MINTER,
  memo,
  review,
  USDC as SANDBOX_USDC,
  SHARES,
  stranger,
  token,
  WITHDRAW,
  wallet,
  withMinter,
} from './given.ts';
import { change, coin, type Holding, holding, own, paid, USDC, USDT } from './simulated.ts';

/** A live deposit by a program that the user allowed and that cannot be decoded. */
const opaque = bytesOf([instruction(LENDER, Buffer.of(1), [wallet, 'sw'], [ata(wallet), 'w'])]);
const overrides = { allowPrograms: [LENDER.toBase58()] };
const live: RequestedOperation = { ...DEPOSIT, providerIn: 'kamino' };

/** A new position of the wallet at the lender, which shows that the wallet gains. */
const POSITION = change(LENDER, undefined, {
  lamports: 1n,
  owner: LENDER.toBase58(),
  data: Buffer.concat([Buffer.from('position'), wallet.toBytes()]),
});

const failedChecks = (all: readonly AccountChange[], requested = live, error?: string, position = [POSITION]) =>
  review(opaque, {
    requested,
    network: LIVE,
    overrides,
    facts: { simulation: { error, accounts: [...all, ...position] } },
  })
    .checks.filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

describe('the simulation of a program that cannot be decoded', () => {
  it('passes for a loss as requested, with the stated fee inside the amount or in addition', () => {
    expect(failedChecks([own(), paid(500_000_000n, 400_000_000n)])).toEqual([]);
    expect(failedChecks([own(), paid(500_000_000n, 399_900_000n)])).toEqual([]);
  });

  it.each<[string, readonly AccountChange[], string]>([
    ['a larger amount', [own(), paid(500_000_000n, 399_899_999n)], 'simulation refuse'],
    ['a smaller amount', [own(), paid(500_000_000n, 400_000_001n)], 'simulation refuse'],
    ['no token', [own()], 'simulation refuse'],
    [
      'another token in addition',
      [
        own(),
        paid(500_000_000n, 400_000_000n),
        change(ata(wallet, USDT), holding({ mint: USDT, units: 9n }), holding({ mint: USDT, units: 8n })),
      ],
      'simulation refuse',
    ],
    [
      'tokens of a second account of the wallet',
      [own(), paid(500_000_000n, 400_000_000n), change(stranger, holding({ units: 100_001n }), holding({ units: 0n }))],
      'simulation refuse',
    ],
    [
      'a token account that is closed',
      [own(), change(ata(wallet), holding({ units: 500_000_000n }), undefined)],
      'simulation refuse',
    ],
    ['more coin than fee and rent', [own(10n ** 9n, 0n), paid(500_000_000n, 400_000_000n)], 'simulation confirm'],
    ['tokens, without the state of the wallet', [paid(500_000_000n, 400_000_000n)], 'simulation refuse'],
  ])('does not pass for a loss of %s', (_, accounts, expected) => {
    expect(failedChecks(accounts)).toContain(expected);
  });

  it.each<[string, readonly AccountChange[]]>([
    [
      'an Assign of the wallet',
      [change(wallet, coin(9n), coin(9n, LENDER.toBase58())), paid(500_000_000n, 400_000_000n)],
    ],
    ['a new owner of the token account', [own(), paid(500_000_000n, 400_000_000n, { owner: stranger })]],
    ['a delegate of the token account', [own(), paid(500_000_000n, 400_000_000n, { delegate: stranger })]],
    ['a close authority of the token account', [own(), paid(500_000_000n, 400_000_000n, { closer: stranger })]],
  ])('is refused for %s, which gives others control', (_, accounts) => {
    expect(failedChecks(accounts)).toContain('ownership refuse');
  });

  it('is refused or requires a confirmation for a stated fee that is too high, even if the loss is as stated', () => {
    const stated = { ...live, fees: ['400'] };
    expect(failedChecks([own(), paid(500_000_000n, 0n)], stated)).toEqual(['stated_fee refuse']);
    expect(failedChecks([own(), paid(500_000_000n, 390_000_000n)], { ...live, fees: ['10'] })).toEqual([
      'stated_fee confirm',
    ]);
  });

  it('passes with a delegate that existed before', () => {
    const before = holding({ units: 500_000_000n, delegate: stranger });
    const after = holding({ units: 400_000_000n, delegate: stranger });
    expect(failedChecks([own(), change(ata(wallet), before, after)])).toEqual([]);
  });

  it('passes for a withdrawal as requested, and requires a confirmation for a loss of an unknown token', () => {
    const requested: RequestedOperation = { ...WITHDRAW, providerOut: 'kamino' };
    const shares = (units: bigint) => holding({ mint: SHARES, units });
    const sharesLost = change(stranger, shares(60n), shares(1n));
    expect(failedChecks([own(), paid(0n, 50_000_000n)], requested)).toEqual([]);
    expect(failedChecks([own(), paid(0n, 50_000_000n), sharesLost], requested)).toEqual(['simulation confirm']);
    expect(failedChecks([own(), paid(0n, 49_999_999n)], requested)).toContain('simulation refuse');
  });

  it('is refused when it fails, with an escaped error message', () => {
    expect(failedChecks([own()], live, 'InsufficientFunds')).toContain('simulation refuse');
    const { checks } = review(bytesOf([memo('x')]), { facts: { simulation: { error: 'a\u001b[2J', accounts: [] } } });
    expect(checks[0]?.message).toContain('\\u{1b}');
  });

  it('is compared with the request even if every instruction can be decoded', () => {
    const usdc = (units: bigint) => holding({ mint: SANDBOX_USDC, units });
    const accounts = [own(), change(ata(wallet), usdc(500_000_000n), usdc(300_000_000n))];
    const result = review(bytesOf(depositSteps(), withMinter), {
      requested: DEPOSIT,
      facts: { simulation: { accounts } },
    });
    expect(result.checks[0]).toMatchObject({ id: 'simulation', verdict: 'refuse' });
  });
});

describe('the evidence of a gain by a program that cannot be decoded', () => {
  const paidAll = [own(), paid(500_000_000n, 400_000_000n)];
  const lenderAccount = (data: Uint8Array, owner = LENDER, before?: Uint8Array) => {
    const state = (bytes: Uint8Array) => ({ lamports: 1n, owner: owner.toBase58(), data: bytes });
    return change(LENDER, before && state(before), state(data));
  };
  const withKey = Buffer.concat([Buffer.alloc(40, 1), wallet.toBytes(), Buffer.alloc(8, 2)]);
  const share = (units: bigint) =>
    change(stranger, holding({ mint: SHARES, units: 0n }), holding({ mint: SHARES, units }));

  it.each<[string, readonly AccountChange[], boolean]>([
    ['no account', [], false],
    ['a new account with the key of the wallet', [lenderAccount(withKey)], true],
    [
      'a changed account with the key of the wallet',
      [lenderAccount(withKey, LENDER, Buffer.concat([withKey.subarray(0, 72), Buffer.alloc(8, 3)]))],
      true,
    ],
    ['an unchanged account with the key of the wallet', [lenderAccount(withKey, LENDER, withKey)], false],
    ['a new account without the key of the wallet', [lenderAccount(Buffer.alloc(80, 1))], false],
    ['an account of a program that is not allowed', [lenderAccount(withKey, stranger)], false],
    [
      'an empty token account of the wallet',
      [change(ata(wallet, USDT), undefined, holding({ mint: USDT, units: 0n }))],
      false,
    ],
    ['a gain of an unknown token', [share(9n)], true],
    ['an unchanged balance of an unknown token', [share(0n)], false],
  ])('%s is accepted: %s', (_, more, isEnough) => {
    expect(failedChecks([...paidAll, ...more], live, undefined, [])).toEqual(isEnough ? [] : ['gain confirm']);
  });

  it('an account that also contains the key of another signer is not accepted', () => {
    const bytes = bytesOf(
      [instruction(LENDER, Buffer.of(1), [wallet, 'sw'], [ata(wallet), 'w'], [MINTER.publicKey, 's'])],
      withMinter,
    );
    const gainWith = (data: Uint8Array) =>
      review(bytes, {
        requested: live,
        network: LIVE,
        overrides,
        facts: { simulation: { error: undefined, accounts: [...paidAll, lenderAccount(data)] } },
      }).checks.find(({ id }) => id === 'gain')?.verdict;
    expect(gainWith(withKey)).toBe('pass');
    expect(gainWith(Buffer.concat([withKey, MINTER.publicKey.toBytes()]))).toBe('confirm');
  });
});

describe('the approvals that remain after a Solana transaction', () => {
  const approvalsAfter = (more: Partial<Holding>, accounts: readonly AccountChange[] = [own()]) =>
    review(opaque, {
      requested: live,
      network: LIVE,
      overrides,
      facts: { simulation: { error: undefined, accounts: [...accounts, paid(500n, 400n, more)] } },
    }).remainingApprovals;
  const account = ata(wallet, USDC).toBase58();

  it('are empty when no other address gets rights over the accounts of the wallet', () => {
    expect(approvalsAfter({})).toEqual([]);
    expect(review(bytesOf(depositSteps(), withMinter)).remainingApprovals).toEqual([]);
  });

  it('name each right of another address over an account of the wallet', () => {
    const who = stranger.toBase58();
    expect(approvalsAfter({ delegate: stranger })).toEqual([
      { who, message: `may take 0.000005 USDC of the token account ${account}` },
    ]);
    expect(approvalsAfter({ closer: stranger })).toEqual([{ who, message: `may close the token account ${account}` }]);
    expect(approvalsAfter({ closer: wallet })).toEqual([]);
    expect(approvalsAfter({ owner: stranger })).toEqual([{ who, message: `owns the token account ${account}` }]);
    const program = LENDER.toBase58();
    expect(approvalsAfter({}, [change(wallet, coin(9n), coin(9n, program))])).toEqual([
      { who: program, message: 'is the program that owns the wallet itself' },
    ]);
  });

  it('are "not known" without a simulation of an unknown program, and for a dangerous call', () => {
    const unseen = review(opaque, { requested: live, network: LIVE, overrides }).remainingApprovals;
    expect(unseen).toEqual([
      { message: expect.stringMatching(/^not known: a program that acts for the wallet cannot be decoded/) },
    ]);
    const approving = review(bytesOf([...depositSteps(), token.approve(stranger, 1n)], withMinter)).remainingApprovals;
    expect(approving).toEqual([
      { message: expect.stringMatching(/^not known: the transaction calls the Token program, Approve/) },
    ]);
  });
});
