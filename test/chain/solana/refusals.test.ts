import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import type { RequestedOperation } from '../../../src/chain/solana/context.ts';
import { approveSolana } from '../../../src/chain/solana/sign.ts';
import {
  ASSOCIATED,
  ata,
  BUDGET,
  bytesOf,
  DEPOSIT,
  depositSteps,
  FEES,
  failedChecks,
  instruction,
  LENDER,
  LIVE,
  MINTER,
  memo,
  openAccount,
  type ReviewOptions,
  review,
  SHARES,
  SHARES_OF_USDT,
  stranger,
  TOKEN,
  TOKEN_2022,
  token,
  USDC,
  USDT,
  unitLimit,
  unitPrice,
  VAULT,
  VAULT_B,
  WALLET,
  WITHDRAW,
  wallet,
  withdrawSteps,
  withMinter,
} from './given.ts';

const SELF = wallet.toBase58();
const OTHER = stranger.toBase58();

/** The requested deposit with extra instructions. */
const depositAnd = (...more: readonly TransactionInstruction[]) => bytesOf([...depositSteps(), ...more], withMinter);

/** The failed checks of a review with DEPOSIT as the request. */
const depositChecks = (bytes: Uint8Array, options: ReviewOptions = {}) =>
  failedChecks(bytes, { requested: DEPOSIT, ...options });

/** The requested deposit with one instruction replaced. */
const depositWith = (at: number, step: TransactionInstruction) =>
  bytesOf(
    depositSteps().map((original, index) => (index === at ? step : original)),
    withMinter,
  );

describe('a transaction as requested passes', () => {
  it.each(['legacy', 0] as const)('for a deposit and a withdrawal: version %s', (version) => {
    expect(depositChecks(bytesOf(depositSteps(), { ...withMinter, version }))).toEqual([]);
    expect(failedChecks(bytesOf(withdrawSteps(), { ...withMinter, version }), { requested: WITHDRAW })).toEqual([]);
  });

  it('with a memo, a revoked delegate and an account closed to the wallet', () => {
    expect(depositChecks(depositAnd(memo('hello'), token.revoke(), token.close(wallet)))).toEqual([]);
  });

  it('with the stated fee in addition to the amount, but not with another stated fee', () => {
    const withFeeAdded = depositWith(3, token.transferChecked(ata(wallet), ata(VAULT), 100_000_000n));
    expect(depositChecks(withFeeAdded)).toEqual([]);
    expect(depositChecks(withFeeAdded, { requested: { ...DEPOSIT, fees: ['0.099999'] } })).toContain('amount refuse');
  });

  it('with a transfer that does not name the mint', () => {
    expect(depositChecks(depositWith(3, token.transfer(ata(wallet), ata(VAULT), 99_900_000n)))).toEqual([]);
  });
});

describe('a dangerous instruction is refused', () => {
  const nonce = Keypair.generate().publicKey;
  const assign = SystemProgram.assign({ accountPubkey: wallet, programId: LENDER });
  it.each<[string, TransactionInstruction]>([
    ['Assign', assign],
    [
      'Assign with a seed',
      SystemProgram.assign({ accountPubkey: nonce, basePubkey: wallet, seed: 'x', programId: LENDER }),
    ],
    ['Allocate', SystemProgram.allocate({ accountPubkey: wallet, space: 10 })],
    ['a durable nonce', SystemProgram.nonceAdvance({ noncePubkey: nonce, authorizedPubkey: wallet })],
    [
      'a new authority of a nonce account',
      SystemProgram.nonceAuthorize({ noncePubkey: nonce, authorizedPubkey: wallet, newAuthorizedPubkey: stranger }),
    ],
    [
      'a withdrawal from a nonce account',
      SystemProgram.nonceWithdraw({ noncePubkey: nonce, authorizedPubkey: wallet, toPubkey: stranger, lamports: 1 }),
    ],
    ['Approve to a stranger', token.approve(stranger, 1n)],
    ['ApproveChecked to a stranger', token.approveChecked(stranger, 1n)],
    ['SetAuthority for the owner', token.setAuthority(stranger)],
    ['SetAuthority for the close authority', token.setAuthority(stranger, 3)],
    ['CloseAccount to a stranger', token.close(stranger)],
    ['FreezeAccount', token.freeze()],
    ['an unknown instruction of the Token program', instruction(TOKEN, Buffer.of(200), [wallet, 's'])],
    ['an extension of Token-2022', instruction(TOKEN_2022, Buffer.of(26, 1), [wallet, 's'])],
    [
      'an unknown instruction of the System program',
      instruction(SystemProgram.programId, Buffer.of(99, 0, 0, 0), [wallet, 's']),
    ],
    ['RecoverNested', instruction(ASSOCIATED, Buffer.of(2), [wallet, 's'])],
    [
      'a deprecated instruction of the Compute Budget program',
      instruction(BUDGET, Buffer.of(0, 1, 0, 0, 0, 1, 0, 0, 0)),
    ],
    ['MintTo with the authority of the wallet', token.mintToChecked(ata(stranger), 1n, USDC, wallet, 6)],
  ])('%s, even with overrides', (_, step) => {
    const result = review(depositAnd(step), {
      requested: DEPOSIT,
      overrides: { allowPrograms: [LENDER.toBase58(), TOKEN.toBase58()], allowRecipients: [OTHER] },
    });
    expect(result.checks[0]).toMatchObject({ id: 'call', verdict: 'refuse' });
    expect(() => approveSolana(result, 'confirmed')).toThrow();
    expect(review(bytesOf([step])).verdict).toBe('refuse');
  });

  it.each<[string, TransactionInstruction]>([
    [
      'a transfer with an extra byte',
      instruction(
        TOKEN,
        Buffer.concat([token.transferChecked(ata(wallet), ata(VAULT), 1n).data, Buffer.of(0)]),
        [ata(wallet), 'w'],
        [USDC, ''],
        [ata(VAULT), 'w'],
        [wallet, 's'],
      ),
    ],
    [
      'a Revoke with an extra account',
      instruction(TOKEN, Buffer.of(5), [ata(wallet), 'w'], [wallet, 's'], [stranger, '']),
    ],
    ['an instruction without data', instruction(TOKEN, Buffer.of(), [wallet, 's'])],
    [
      'an opening of an account that is not the associated account of the wallet',
      instruction(
        ASSOCIATED,
        Buffer.of(1),
        [wallet, 'sw'],
        [stranger, 'w'],
        [wallet, ''],
        [USDC, ''],
        [SystemProgram.programId, ''],
        [TOKEN, ''],
      ),
    ],
    [
      'an opening with an unknown token program',
      instruction(
        ASSOCIATED,
        Buffer.of(1),
        [wallet, 'sw'],
        [ata(wallet, USDC, LENDER), 'w'],
        [wallet, ''],
        [USDC, ''],
        [SystemProgram.programId, ''],
        [LENDER, ''],
      ),
    ],
    ['a memo that is not UTF-8', memo(Buffer.of(0xff, 0xfe))],
  ])('%s, as a malformed call of a known program', (_, step) => {
    expect(depositChecks(depositAnd(step))).toContain('call refuse');
  });
});

describe('a transaction that moves other money than requested is refused', () => {
  it.each<[string, Uint8Array, string]>([
    ['a larger amount', depositWith(3, token.transferChecked(ata(wallet), ata(VAULT), 100_000_001n)), 'amount refuse'],
    ['a smaller amount', depositWith(3, token.transferChecked(ata(wallet), ata(VAULT), 99_899_999n)), 'amount refuse'],
    ['a higher fee', depositWith(4, token.transferChecked(ata(wallet), ata(FEES), 100_001n)), 'stated_fee refuse'],
    [
      'another mint',
      depositWith(3, token.transferChecked(ata(wallet, USDT), ata(VAULT, USDT), 99_900_000n, USDT)),
      'token refuse',
    ],
    ['a second mint', depositAnd(token.transferChecked(ata(wallet, USDT), ata(VAULT, USDT), 1n, USDT)), 'token refuse'],
    [
      'a second mint that the instruction does not name',
      depositAnd(token.transfer(ata(wallet, USDT), ata(VAULT, USDT), 1n)),
      'token refuse',
    ],
    ['an account of an unknown token', depositAnd(token.transfer(stranger, ata(stranger), 1n)), 'token refuse'],
    [
      'coin in addition',
      depositAnd(SystemProgram.transfer({ fromPubkey: wallet, toPubkey: new PublicKey(OTHER), lamports: 1 })),
      'token refuse',
    ],
    ['shares that are burnt in addition', depositAnd(token.burnChecked(1n, SHARES, 9)), 'token refuse'],
    [
      'money from another account with the wallet as its authority',
      depositAnd(token.transferChecked(stranger, ata(VAULT), 100_001n)),
      'amount refuse',
    ],
    [
      'wrong decimals',
      depositWith(3, token.transferChecked(ata(wallet), ata(VAULT), 99_900_000n, USDC, 9)),
      'token refuse',
    ],
    [
      'a transfer by the wrong token program',
      depositAnd(token.transfer(ata(wallet, USDC, TOKEN_2022), ata(VAULT, USDC, TOKEN_2022), 1n, wallet, TOKEN_2022)),
      'token refuse',
    ],
    ['no shares in return', bytesOf(depositSteps().slice(0, 5)), 'shares refuse'],
    [
      'shares for another owner',
      depositWith(5, token.mintToChecked(ata(stranger, SHARES), 95_000_000_000n, SHARES, MINTER.publicKey)),
      'shares refuse',
    ],
    [
      'shares of another token',
      depositWith(
        5,
        token.mintToChecked(ata(wallet, SHARES_OF_USDT), 95_000_000_000n, SHARES_OF_USDT, MINTER.publicKey),
      ),
      'shares refuse',
    ],
  ])('a deposit with %s', (_, bytes, expected) => {
    expect(depositChecks(bytes)).toContain(expected);
  });

  const withdrawalWith = (at: number, step: TransactionInstruction) =>
    bytesOf(
      withdrawSteps().map((original, index) => (index === at ? step : original)),
      withMinter,
    );
  const payOut = (to: PublicKey, units: bigint) =>
    token.transferChecked(ata(VAULT), ata(to), units, USDC, 6, MINTER.publicKey);
  it.each<[string, Uint8Array, string]>([
    ['a smaller payment', withdrawalWith(2, payOut(wallet, 49_999_999n)), 'amount refuse'],
    ['a larger payment', withdrawalWith(2, payOut(wallet, 50_000_001n)), 'amount refuse'],
    ['a payment to a stranger', withdrawalWith(2, payOut(stranger, 50_000_000n)), 'amount refuse'],
    ['too many burnt shares', withdrawalWith(1, token.burnChecked(50_000_000_001n, SHARES, 9)), 'shares refuse'],
    ['burnt shares of another token', withdrawalWith(1, token.burnChecked(1n, SHARES_OF_USDT, 9)), 'token refuse'],
    [
      'shares transferred to a stranger instead of burnt',
      withdrawalWith(1, token.transferChecked(ata(wallet, SHARES), ata(stranger, SHARES), 1n, SHARES, 9)),
      'token refuse',
    ],
    [
      'a payment from another account of the wallet',
      withdrawalWith(2, token.transferChecked(stranger, ata(wallet), 50_000_000n)),
      'amount refuse',
    ],
  ])('a withdrawal with %s', (_, bytes, expected) => {
    expect(failedChecks(bytes, { requested: WITHDRAW })).toContain(expected);
  });

  it('a request with more decimals than the token has throws', () => {
    expect(() => review(depositAnd(), { requested: { ...DEPOSIT, amount: '0.0000001' } })).toThrow(/decimals/);
  });
});

describe('the stated fee of the service', () => {
  /** 100 USDC to the vault and a fee in addition. */
  const withFee = (units: bigint) =>
    bytesOf(
      depositSteps().map((step, at) => {
        if (at === 3) return token.transferChecked(ata(wallet), ata(VAULT), 100_000_000n);
        return at === 4 ? token.transferChecked(ata(wallet), ata(FEES), units) : step;
      }),
      withMinter,
    );
  const requestWithFees = (...fees: readonly string[]): ReviewOptions => ({ requested: { ...DEPOSIT, fees } });

  it.each<[string, bigint, readonly string[], readonly string[]]>([
    ['of 5 % passes', 5_000_000n, ['5', '0'], []],
    ['above 5 % requires a confirmation', 5_000_001n, ['5.000001'], ['stated_fee confirm']],
    ['above 5 % in two parts requires a confirmation', 6_000_000n, ['3', '3'], ['stated_fee confirm']],
    ['of the whole amount is refused', 100_000_000n, ['100'], ['stated_fee refuse']],
    ['of more than the amount is refused', 100_000_000_000n, ['100000'], ['stated_fee refuse']],
  ])('%s', (_, units, fees, expected) => {
    const overrides = { allowRecipients: [FEES.toBase58()] };
    expect(failedChecks(withFee(units), { ...requestWithFees(...fees), overrides })).toEqual(expected);
  });

  it('is refused when the whole amount is the fee and nothing is deposited', () => {
    const steps = depositSteps().map((step, at) => {
      if (at === 3) return token.transferChecked(ata(wallet), ata(VAULT), 0n);
      return at === 4 ? token.transferChecked(ata(wallet), ata(FEES), 100_000_000n) : step;
    });
    expect(failedChecks(bytesOf(steps, withMinter), requestWithFees('100'))).toContain('stated_fee refuse');
  });

  it('is rounded to the unit when it is a floating-point sum such as 0.1 + 0.2', () => {
    expect(failedChecks(withFee(300_000n), requestWithFees('0.30000000000000004'))).toEqual([]);
    expect(failedChecks(withFee(300_000n), requestWithFees('0.29999999999999993'))).toEqual([]);
    expect(failedChecks(withFee(300_001n), requestWithFees('0.30000000000000004'))).toContain('stated_fee refuse');
  });
});

describe('tokens that leave without a return', () => {
  it('are refused when a known token is burnt, with and without a request', () => {
    const burn = token.burnChecked(99_900_000n, USDC, 6);
    expect(depositChecks(depositWith(3, burn))).toContain('burnt refuse');
    expect(failedChecks(bytesOf([burn]))).toEqual(['burnt refuse']);
  });

  it('require a confirmation when shares are burnt or a vault is paid, even without a request', () => {
    expect(failedChecks(bytesOf([token.burnChecked(5n, SHARES, 9)]))).toEqual(['burnt confirm']);
    expect(failedChecks(bytesOf(withdrawSteps(), withMinter))).toEqual([]);
    expect(failedChecks(bytesOf(depositSteps().slice(0, 5)))).toEqual(['shares confirm']);
    expect(failedChecks(bytesOf(depositSteps(), withMinter))).toEqual([]);
    // A return of one unit counts as none, and a second burn needs a second return.
    const oneUnit = token.mintToChecked(ata(wallet, SHARES), 1n, SHARES, MINTER.publicKey);
    expect(failedChecks(depositWith(5, oneUnit))).toEqual(['shares confirm']);
    const again = token.burnChecked(99_000_000_000n, SHARES, 9);
    expect(failedChecks(bytesOf([...withdrawSteps(), again], withMinter))).toEqual(['burnt confirm']);
  });

  it('require a confirmation when a deposit returns less than half as many shares', () => {
    const shares = (units: bigint) =>
      depositChecks(depositWith(5, token.mintToChecked(ata(wallet, SHARES), units, SHARES, MINTER.publicKey)));
    expect(shares(49_950_000_000n)).toEqual([]);
    expect(shares(49_949_999_999n)).toEqual(['shares confirm']);
    expect(shares(1n)).toEqual(['shares confirm']);
  });
});

describe('an unknown receiver requires a confirmation', () => {
  const toStranger = depositWith(3, token.transferChecked(ata(wallet), ata(stranger), 99_900_000n));
  it('with --allow-recipient for the address of the owner or the token account', () => {
    const { checks } = review(toStranger, { requested: DEPOSIT });
    expect(checks[0]).toMatchObject({ id: 'receivers', allow_with: `--allow-recipient ${ata(stranger).toBase58()}` });
    for (const address of [OTHER, ata(stranger).toBase58()]) {
      expect(depositChecks(toStranger, { overrides: { allowRecipients: [address] } })).toEqual([]);
    }
  });

  it('when it is the vault of another provider', () => {
    const other = depositWith(3, token.transferChecked(ata(wallet), ata(VAULT_B), 99_900_000n));
    expect(depositChecks(other)).toEqual(['receivers confirm']);
  });

  it('for coin and tokens, even without a request', () => {
    expect(failedChecks(toStranger)).toEqual(['receivers confirm']);
    const coin = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: stranger, lamports: 5 });
    expect(failedChecks(bytesOf([coin]))).toEqual(['receivers confirm']);
  });

  it('when the wallet pays the rent of its token account, unless the owner is the vault or the fee receiver', () => {
    expect(depositChecks(depositAnd(openAccount(stranger)))).toEqual(['rent confirm']);
    expect(depositChecks(depositAnd(openAccount(FEES), openAccount(VAULT)))).toEqual([]);
  });
});

describe('the signers of a transaction', () => {
  it('a fee payer that is not the wallet is refused', () => {
    const bytes = bytesOf(depositSteps(), { payer: stranger, signers: [MINTER] });
    expect(depositChecks(bytes)).toContain('fee_payer refuse');
    expect(failedChecks(bytesOf([memo('x')], { payer: stranger }), { signer: SELF })).toContain('fee_payer refuse');
  });

  it('a missing or invalid signature of another signer is refused', () => {
    expect(depositChecks(bytesOf(depositSteps()))).toEqual(['signatures refuse']);
    const signed = bytesOf(depositSteps(), withMinter);
    for (const at of [1 + 64, 1 + 64 + 63]) {
      const damaged = Uint8Array.from(signed, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(depositChecks(damaged)).toEqual(['signatures refuse']);
    }
  });

  it('an existing signature of the wallet passes if it is valid, and is refused otherwise', () => {
    const both = bytesOf(depositSteps(), { signers: [MINTER, WALLET] });
    expect(depositChecks(both)).toEqual([]);
    expect(depositChecks(Uint8Array.from(both, (byte, at) => (at === 1 ? byte ^ 1 : byte)))).toEqual([
      'signatures refuse',
    ]);
  });
});

describe('a program that cannot be decoded', () => {
  const lend = (...uses: Parameters<typeof instruction>[2][]) => instruction(LENDER, Buffer.of(1, 2, 3), ...uses);
  const allowPrograms = [LENDER.toBase58()];
  it('requires --allow-program, and still a confirmation of the loss when the wallet signs the call', () => {
    const bytes = bytesOf([lend([wallet, 'sw'], [ata(wallet), 'w'])]);
    expect(failedChecks(bytes, { requested: DEPOSIT, network: LIVE })).toContain('program confirm');
    const allowed = review(bytes, {
      requested: { ...DEPOSIT, providerIn: 'kamino' },
      network: LIVE,
      overrides: { allowPrograms },
    });
    expect(allowed.checks.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id)).toEqual(['debit', 'gain']);
    expect(() => approveSolana(allowed, 'pass')).toThrow();
    expect(approveSolana(allowed, 'confirmed').digest).toBe(allowed.digest);
  });

  it('requires no confirmation of the loss when the wallet is not an account of the call', () => {
    expect(depositChecks(depositAnd(lend([stranger, 'w'])), { overrides: { allowPrograms } })).toEqual([]);
  });

  it('does not prevent the refusal of decoded instructions that move too much', () => {
    const tooMuch = token.transferChecked(ata(wallet), ata(VAULT), 100_100_001n);
    const bytes = bytesOf([lend([wallet, 'sw']), tooMuch]);
    expect(failedChecks(bytes, { requested: DEPOSIT, overrides: { allowPrograms } })).toContain('amount refuse');
  });
});

describe('lookup tables', () => {
  const table = Keypair.generate().publicKey;
  const addresses = [FEES, VAULT, ata(VAULT), ata(FEES), USDC, SHARES];
  const lookupTable = new AddressLookupTableAccount({
    key: table,
    state: { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses },
  });
  const bytes = bytesOf(depositSteps(), { ...withMinter, tables: [lookupTable] });
  const tables = (list: readonly PublicKey[]) => ({
    tables: { [table.toBase58()]: list.map((address) => address.toBase58()) },
  });

  it('that are not resolved, or only in part, are refused', () => {
    expect(depositChecks(bytes)).toContain('lookup_tables refuse');
    expect(depositChecks(bytes, { facts: tables(addresses.slice(0, 3)) })).toContain('lookup_tables refuse');
    expect(failedChecks(bytes)).toContain('lookup_tables refuse');
  });

  it('that a node resolved are used for the review', () => {
    expect(depositChecks(bytes, { facts: tables(addresses) })).toEqual([]);
    const other = addresses.map((address) => (address.equals(ata(VAULT)) ? ata(stranger) : address));
    expect(depositChecks(bytes, { facts: tables(other) })).toContain('receivers confirm');
  });

  it('that contain an account of the transaction again are refused', () => {
    expect(depositChecks(bytes, { facts: tables([FEES, VAULT, ata(wallet), ata(FEES), USDC, SHARES]) })).toContain(
      'lookup_tables refuse',
    );
  });
});

describe('the fee of a Solana transaction', () => {
  const withUnitPrice = (price: bigint) => depositWith(1, unitPrice(price));

  it('requires a confirmation above 0.005 SOL and is refused above ten times that, without rent', () => {
    expect(depositChecks(withUnitPrice(24_950_000n))).toEqual([]);
    expect(review(withUnitPrice(24_950_000n), { requested: DEPOSIT }).fee).toEqual({ at_most: '0.005', coin: 'SOL' });
    expect(depositChecks(withUnitPrice(24_950_001n))).toEqual(['fee confirm']);
    expect(depositChecks(withUnitPrice(249_950_000n))).toEqual(['fee confirm']);
    expect(depositChecks(withUnitPrice(249_950_001n))).toEqual(['fee refuse']);
    expect(depositChecks(withUnitPrice(2n ** 64n - 1n))).toEqual(['fee refuse']);
  });

  it('has the maximum of --fee-at-most, higher or lower than the usual maximum', () => {
    const checksFor = (price: bigint, feeAtMost: string) =>
      depositChecks(withUnitPrice(price), { overrides: { feeAtMost } });
    expect(checksFor(499_950_000n, '0.1')).toEqual([]);
    expect(checksFor(499_950_001n, '0.1')).toEqual(['fee refuse']);
    expect(checksFor(1n, '0.000005')).toEqual(['fee refuse']);
  });

  it('is calculated with the largest unit limit when the transaction states none', () => {
    expect(review(bytesOf([unitPrice(1_000_000n)])).fee.at_most).toBe('0.001405');
    expect(review(bytesOf([unitPrice(1_000_000n), unitLimit(2_000_000)])).fee.at_most).toBe('0.001405');
  });

  it('is refused when the unit price is stated twice', () => {
    expect(depositChecks(depositAnd(unitPrice(1n)))).toEqual(['fee refuse']);
  });
});

it('a request with an unknown token requires a confirmation', () => {
  const requested: RequestedOperation = { ...DEPOSIT, asset: 'PYUSD' };
  expect(failedChecks(bytesOf([token.transferChecked(ata(wallet), ata(VAULT), 1n)]), { requested })).toContain(
    'token confirm',
  );
});
