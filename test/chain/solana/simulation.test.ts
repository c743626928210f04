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

/** A deposit by a program that is allowed and not understood, on the real chain. */
const opaque = bytesOf([instruction(LENDER, Buffer.of(1), [wallet, 'sw'], [ata(wallet), 'w'])]);
const overrides = { allowPrograms: [LENDER.toBase58()] };
const live: RequestedOperation = { ...DEPOSIT, providerIn: 'kamino' };

/** What the lender keeps of the wallet, which gains by it. */
const POSITION = change(LENDER, undefined, {
  lamports: 1n,
  owner: LENDER.toBase58(),
  data: Buffer.concat([Buffer.from('position'), wallet.toBytes()]),
});

const wrongsOf = (all: readonly AccountChange[], asked = live, error?: string, position = [POSITION]) =>
  review(opaque, {
    requested: asked,
    network: LIVE,
    overrides,
    facts: { simulation: { error, accounts: [...all, ...position] } },
  })
    .checks.filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

describe('a simulation settles what a program that is not understood takes', () => {
  it('as requested: fine, the stated fee inside the amount or beside it', () => {
    expect(wrongsOf([own(), paid(500_000_000n, 400_000_000n)])).toEqual([]);
    expect(wrongsOf([own(), paid(500_000_000n, 399_900_000n)])).toEqual([]);
  });

  it.each<[string, readonly AccountChange[], string]>([
    ['more', [own(), paid(500_000_000n, 399_899_999n)], 'simulation refuse'],
    ['less', [own(), paid(500_000_000n, 400_000_001n)], 'simulation refuse'],
    ['nothing', [own()], 'simulation refuse'],
    [
      'another token as well',
      [
        own(),
        paid(500_000_000n, 400_000_000n),
        change(ata(wallet, USDT), holding({ mint: USDT, units: 9n }), holding({ mint: USDT, units: 8n })),
      ],
      'simulation refuse',
    ],
    [
      'from a second account of the wallet',
      [own(), paid(500_000_000n, 400_000_000n), change(stranger, holding({ units: 100_001n }), holding({ units: 0n }))],
      'simulation refuse',
    ],
    [
      'an account that is gone',
      [own(), change(ata(wallet), holding({ units: 500_000_000n }), undefined)],
      'simulation refuse',
    ],
    ['coin beyond fee and rent', [own(10n ** 9n, 0n), paid(500_000_000n, 400_000_000n)], 'simulation confirm'],
    ['the wallet, unseen', [paid(500_000_000n, 400_000_000n)], 'simulation refuse'],
  ])('it takes %s', (_, accounts, wrong) => {
    expect(wrongsOf(accounts)).toContain(wrong);
  });

  it.each<[string, readonly AccountChange[]]>([
    [
      'the wallet, by Assign',
      [change(wallet, coin(9n), coin(9n, LENDER.toBase58())), paid(500_000_000n, 400_000_000n)],
    ],
    ['a new owner', [own(), paid(500_000_000n, 400_000_000n, { owner: stranger })]],
    ['a delegate', [own(), paid(500_000_000n, 400_000_000n, { delegate: stranger })]],
    ['somebody who may close it', [own(), paid(500_000_000n, 400_000_000n, { closer: stranger })]],
  ])('nothing moves, but somebody else may dispose afterwards: %s', (_, accounts) => {
    expect(wrongsOf(accounts)).toContain('ownership refuse');
  });

  it('as much as a fee that the service states as it likes: refused, though the balances are as stated', () => {
    const stated = { ...live, fees: ['400'] };
    expect(wrongsOf([own(), paid(500_000_000n, 0n)], stated)).toEqual(['stated_fee refuse']);
    expect(wrongsOf([own(), paid(500_000_000n, 390_000_000n)], { ...live, fees: ['10'] })).toEqual([
      'stated_fee confirm',
    ]);
  });

  it('a delegate that was there before is no news', () => {
    const before = holding({ units: 500_000_000n, delegate: stranger });
    const after = holding({ units: 400_000_000n, delegate: stranger });
    expect(wrongsOf([own(), change(ata(wallet), before, after)])).toEqual([]);
  });

  it('a withdrawal: what comes in, and a token that goes and may be shares, which a person must say', () => {
    const asked: RequestedOperation = { ...WITHDRAW, providerOut: 'kamino' };
    const shares = (units: bigint) => holding({ mint: SHARES, units });
    const gone = change(stranger, shares(60n), shares(1n));
    expect(wrongsOf([own(), paid(0n, 50_000_000n)], asked)).toEqual([]);
    expect(wrongsOf([own(), paid(0n, 50_000_000n), gone], asked)).toEqual(['simulation confirm']);
    expect(wrongsOf([own(), paid(0n, 49_999_999n)], asked)).toContain('simulation refuse');
  });

  it('what would fail on the chain is refused, in words that act on no terminal', () => {
    expect(wrongsOf([own()], live, 'InsufficientFunds')).toContain('simulation refuse');
    const { checks } = review(bytesOf([memo('x')]), { facts: { simulation: { error: 'a\u001b[2J', accounts: [] } } });
    expect(checks[0]?.message).toContain('\\u{1b}');
  });

  it('also speaks where all is understood', () => {
    const usdc = (units: bigint) => holding({ mint: SANDBOX_USDC, units });
    const accounts = [own(), change(ata(wallet), usdc(500_000_000n), usdc(300_000_000n))];
    const result = review(bytesOf(depositSteps(), withMinter), {
      requested: DEPOSIT,
      facts: { simulation: { accounts } },
    });
    expect(result.checks[0]).toMatchObject({ id: 'simulation', verdict: 'refuse' });
  });
});

describe('what shows that the wallet gains by a program that is not understood', () => {
  const paidAll = [own(), paid(500_000_000n, 400_000_000n)];
  const kept = (data: Uint8Array, owner = LENDER, before?: Uint8Array) => {
    const state = (bytes: Uint8Array) => ({ lamports: 1n, owner: owner.toBase58(), data: bytes });
    return change(LENDER, before && state(before), state(data));
  };
  const withKey = Buffer.concat([Buffer.alloc(40, 1), wallet.toBytes(), Buffer.alloc(8, 2)]);
  const share = (units: bigint) =>
    change(stranger, holding({ mint: SHARES, units: 0n }), holding({ mint: SHARES, units }));

  it.each<[string, readonly AccountChange[], boolean]>([
    ['nothing', [], false],
    ['a new account with the key of the wallet', [kept(withKey)], true],
    ['one that changes', [kept(withKey, LENDER, Buffer.concat([withKey.subarray(0, 72), Buffer.alloc(8, 3)]))], true],
    ['one that stays as it was', [kept(withKey, LENDER, withKey)], false],
    ['one without the key', [kept(Buffer.alloc(80, 1))], false],
    ['one of a program that is not allowed', [kept(withKey, stranger)], false],
    [
      'a token account of the wallet',
      [change(ata(wallet, USDT), undefined, holding({ mint: USDT, units: 0n }))],
      false,
    ],
    ['more of a token that is no money', [share(9n)], true],
    ['none of it', [share(0n)], false],
  ])('%s', (_, more, isEnough) => {
    expect(wrongsOf([...paidAll, ...more], live, undefined, [])).toEqual(isEnough ? [] : ['gain confirm']);
  });

  it('is no account that holds the key of somebody else who signs', () => {
    const bytes = bytesOf(
      [instruction(LENDER, Buffer.of(1), [wallet, 'sw'], [ata(wallet), 'w'], [MINTER.publicKey, 's'])],
      withMinter,
    );
    const gainWith = (data: Uint8Array) =>
      review(bytes, {
        requested: live,
        network: LIVE,
        overrides,
        facts: { simulation: { error: undefined, accounts: [...paidAll, kept(data)] } },
      }).checks.find(({ id }) => id === 'gain')?.verdict;
    expect(gainWith(withKey)).toBe('pass');
    expect(gainWith(Buffer.concat([withKey, MINTER.publicKey.toBytes()]))).toBe('confirm');
  });
});

describe('what a transaction leaves behind', () => {
  const leftBy = (more: Partial<Holding>, accounts: readonly AccountChange[] = [own()]) =>
    review(opaque, {
      requested: live,
      network: LIVE,
      overrides,
      facts: { simulation: { error: undefined, accounts: [...accounts, paid(500n, 400n, more)] } },
    }).remainingApprovals;
  const account = ata(wallet, USDC).toBase58();

  it('is nothing where the accounts stay the wallet\u2019s alone', () => {
    expect(leftBy({})).toEqual([]);
    expect(review(bytesOf(depositSteps(), withMinter)).remainingApprovals).toEqual([]);
  });

  it('is every right of somebody else over an account of the wallet', () => {
    const who = stranger.toBase58();
    expect(leftBy({ delegate: stranger })).toEqual([
      { who, message: `may take 0.000005 USDC of the token account ${account}` },
    ]);
    expect(leftBy({ closer: stranger })).toEqual([{ who, message: `may close the token account ${account}` }]);
    expect(leftBy({ closer: wallet })).toEqual([]);
    expect(leftBy({ owner: stranger })).toEqual([{ who, message: `owns the token account ${account}` }]);
    const program = LENDER.toBase58();
    expect(leftBy({}, [change(wallet, coin(9n), coin(9n, program))])).toEqual([
      { who: program, message: 'is the program that owns the wallet itself' },
    ]);
  });

  it('is not known, never nothing, where nothing shows what a program does or a dangerous call is made', () => {
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
