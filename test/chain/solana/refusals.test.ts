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
  instruction,
  LENDER,
  LIVE,
  MINTER,
  memo,
  openAccount,
  type Reviewing,
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
  wrongs,
} from './given.ts';

const SELF = wallet.toBase58();
const OTHER = stranger.toBase58();

/** The deposit that was asked for, and more. */
const depositAnd = (...more: readonly TransactionInstruction[]) => bytesOf([...depositSteps(), ...more], withMinter);

const asDeposit = (bytes: Uint8Array, reviewing: Reviewing = {}) => wrongs(bytes, { requested: DEPOSIT, ...reviewing });

const changed = (at: number, step: TransactionInstruction) =>
  bytesOf(
    depositSteps().map((each, index) => (index === at ? step : each)),
    withMinter,
  );

describe('a transaction that does what was asked', () => {
  it.each(['legacy', 0] as const)('is fine: %s', (version) => {
    expect(asDeposit(bytesOf(depositSteps(), { ...withMinter, version }))).toEqual([]);
    expect(wrongs(bytesOf(withdrawSteps(), { ...withMinter, version }), { requested: WITHDRAW })).toEqual([]);
  });

  it('is fine with a memo, a revoked delegate and an account closed in favour of the wallet', () => {
    expect(asDeposit(depositAnd(memo('hello'), token.revoke(), token.close(wallet)))).toEqual([]);
  });

  it('is fine when the fee that is stated comes beside the amount, and not when it is another', () => {
    const beside = changed(3, token.transferChecked(ata(wallet), ata(VAULT), 100_000_000n));
    expect(asDeposit(beside)).toEqual([]);
    expect(asDeposit(beside, { requested: { ...DEPOSIT, fees: ['0.099999'] } })).toContain('amount refuse');
  });

  it('is fine when it is moved by an instruction that does not name the mint', () => {
    expect(asDeposit(changed(3, token.transfer(ata(wallet), ata(VAULT), 99_900_000n)))).toEqual([]);
  });
});

describe('an instruction that hands over more is refused, whatever the user says', () => {
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
      'the authority of a nonce',
      SystemProgram.nonceAuthorize({ noncePubkey: nonce, authorizedPubkey: wallet, newAuthorizedPubkey: stranger }),
    ],
    [
      'lamports of a nonce account',
      SystemProgram.nonceWithdraw({ noncePubkey: nonce, authorizedPubkey: wallet, toPubkey: stranger, lamports: 1 }),
    ],
    ['Approve to a stranger', token.approve(stranger, 1n)],
    ['ApproveChecked to a stranger', token.approveChecked(stranger, 1n)],
    ['SetAuthority: owner', token.setAuthority(stranger)],
    ['SetAuthority: who may close', token.setAuthority(stranger, 3)],
    ['CloseAccount to a stranger', token.close(stranger)],
    ['FreezeAccount', token.freeze()],
    ['an unknown number of the Token program', instruction(TOKEN, Buffer.of(200), [wallet, 's'])],
    ['an extension of Token-2022', instruction(TOKEN_2022, Buffer.of(26, 1), [wallet, 's'])],
    [
      'an unknown number of the System program',
      instruction(SystemProgram.programId, Buffer.of(99, 0, 0, 0), [wallet, 's']),
    ],
    ['RecoverNested', instruction(ASSOCIATED, Buffer.of(2), [wallet, 's'])],
    ['a deprecated wish about computation', instruction(BUDGET, Buffer.of(0, 1, 0, 0, 0, 1, 0, 0, 0))],
    ['new tokens by the authority of the wallet', token.mintToChecked(ata(stranger), 1n, USDC, wallet, 6)],
  ])('%s', (_, step) => {
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
      'bytes behind a transfer',
      instruction(
        TOKEN,
        Buffer.concat([token.transferChecked(ata(wallet), ata(VAULT), 1n).data, Buffer.of(0)]),
        [ata(wallet), 'w'],
        [USDC, ''],
        [ata(VAULT), 'w'],
        [wallet, 's'],
      ),
    ],
    ['an account more', instruction(TOKEN, Buffer.of(5), [ata(wallet), 'w'], [wallet, 's'], [stranger, ''])],
    ['no bytes', instruction(TOKEN, Buffer.of(), [wallet, 's'])],
    [
      'a token account of another',
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
      'a token program of another',
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
    ['a memo that is no text', memo(Buffer.of(0xff, 0xfe))],
  ])('a known program with what does not belong to it: %s', (_, step) => {
    expect(asDeposit(depositAnd(step))).toContain('call refuse');
  });
});

describe('money that was not asked for is refused', () => {
  it.each<[string, Uint8Array, string]>([
    ['more', changed(3, token.transferChecked(ata(wallet), ata(VAULT), 100_000_001n)), 'amount refuse'],
    ['less', changed(3, token.transferChecked(ata(wallet), ata(VAULT), 99_899_999n)), 'amount refuse'],
    ['a higher fee', changed(4, token.transferChecked(ata(wallet), ata(FEES), 100_001n)), 'stated_fee refuse'],
    [
      'another mint',
      changed(3, token.transferChecked(ata(wallet, USDT), ata(VAULT, USDT), 99_900_000n, USDT)),
      'token refuse',
    ],
    [
      'another mint as well',
      depositAnd(token.transferChecked(ata(wallet, USDT), ata(VAULT, USDT), 1n, USDT)),
      'token refuse',
    ],
    [
      'another mint that is not named',
      depositAnd(token.transfer(ata(wallet, USDT), ata(VAULT, USDT), 1n)),
      'token refuse',
    ],
    ['a token that cannot be told', depositAnd(token.transfer(stranger, ata(stranger), 1n)), 'token refuse'],
    [
      'coin as well',
      depositAnd(SystemProgram.transfer({ fromPubkey: wallet, toPubkey: new PublicKey(OTHER), lamports: 1 })),
      'token refuse',
    ],
    ['shares that are burnt', depositAnd(token.burnChecked(1n, SHARES, 9)), 'token refuse'],
    [
      'from an account that only the authority shows to be the wallet’s',
      depositAnd(token.transferChecked(stranger, ata(VAULT), 100_001n)),
      'amount refuse',
    ],
    [
      'with other decimals',
      changed(3, token.transferChecked(ata(wallet), ata(VAULT), 99_900_000n, USDC, 9)),
      'token refuse',
    ],
    [
      'by the wrong token program',
      depositAnd(token.transfer(ata(wallet, USDC, TOKEN_2022), ata(VAULT, USDC, TOKEN_2022), 1n, wallet, TOKEN_2022)),
      'token refuse',
    ],
    ['no shares in return', bytesOf(depositSteps().slice(0, 5)), 'shares refuse'],
    [
      'shares for somebody else',
      changed(5, token.mintToChecked(ata(stranger, SHARES), 95_000_000_000n, SHARES, MINTER.publicKey)),
      'shares refuse',
    ],
    [
      'shares in another token',
      changed(5, token.mintToChecked(ata(wallet, SHARES_OF_USDT), 95_000_000_000n, SHARES_OF_USDT, MINTER.publicKey)),
      'shares refuse',
    ],
  ])('%s', (_, bytes, wrong) => {
    expect(asDeposit(bytes)).toContain(wrong);
  });

  const withdrawal = (at: number, step: TransactionInstruction) =>
    bytesOf(
      withdrawSteps().map((each, index) => (index === at ? step : each)),
      withMinter,
    );
  const pays = (to: PublicKey, units: bigint) =>
    token.transferChecked(ata(VAULT), ata(to), units, USDC, 6, MINTER.publicKey);
  it.each<[string, Uint8Array, string]>([
    ['less', withdrawal(2, pays(wallet, 49_999_999n)), 'amount refuse'],
    ['more', withdrawal(2, pays(wallet, 50_000_001n)), 'amount refuse'],
    ['nothing, but to a stranger', withdrawal(2, pays(stranger, 50_000_000n)), 'amount refuse'],
    ['for shares worth more', withdrawal(1, token.burnChecked(50_000_000_001n, SHARES, 9)), 'shares refuse'],
    ['for shares in another token', withdrawal(1, token.burnChecked(1n, SHARES_OF_USDT, 9)), 'token refuse'],
    [
      'for shares that are not burnt but go away',
      withdrawal(1, token.transferChecked(ata(wallet, SHARES), ata(stranger, SHARES), 1n, SHARES, 9)),
      'token refuse',
    ],
    [
      'from the wallet itself',
      withdrawal(2, token.transferChecked(stranger, ata(wallet), 50_000_000n)),
      'amount refuse',
    ],
  ])('a withdrawal that pays %s', (_, bytes, wrong) => {
    expect(wrongs(bytes, { requested: WITHDRAW })).toContain(wrong);
  });

  it('an amount finer than the token is a mistake of the caller', () => {
    expect(() => review(depositAnd(), { requested: { ...DEPOSIT, amount: '0.0000001' } })).toThrow(/decimals/);
  });
});

describe('a fee that the service states, which is its own word', () => {
  /** 100 USDC to the vault, and a fee beside. */
  const withFee = (units: bigint) =>
    bytesOf(
      depositSteps().map((step, at) => {
        if (at === 3) return token.transferChecked(ata(wallet), ata(VAULT), 100_000_000n);
        return at === 4 ? token.transferChecked(ata(wallet), ata(FEES), units) : step;
      }),
      withMinter,
    );
  const stating = (...fees: readonly string[]): Reviewing => ({ requested: { ...DEPOSIT, fees } });

  it.each<[string, bigint, readonly string[], readonly string[]]>([
    ['of 5 % is as asked', 5_000_000n, ['5', '0'], []],
    ['above 5 % needs a person', 5_000_001n, ['5.000001'], ['stated_fee confirm']],
    ['above 5 % in two parts needs a person', 6_000_000n, ['3', '3'], ['stated_fee confirm']],
    ['of the whole amount is refused', 100_000_000n, ['100'], ['stated_fee refuse']],
    ['of all that the wallet may hold is refused', 100_000_000_000n, ['100000'], ['stated_fee refuse']],
  ])('%s', (_, units, fees, found) => {
    const overrides = { allowRecipients: [FEES.toBase58()] };
    expect(wrongs(withFee(units), { ...stating(...fees), overrides })).toEqual(found);
  });

  it('is refused when it is too much also inside the amount, where next to nothing would be deposited', () => {
    const steps = depositSteps().map((step, at) => {
      if (at === 3) return token.transferChecked(ata(wallet), ata(VAULT), 0n);
      return at === 4 ? token.transferChecked(ata(wallet), ata(FEES), 100_000_000n) : step;
    });
    expect(wrongs(bytesOf(steps, withMinter), stating('100'))).toContain('stated_fee refuse');
  });

  it('may be a number that was calculated with: 0.1 + 0.2 is 0.3 to the unit', () => {
    expect(wrongs(withFee(300_000n), stating('0.30000000000000004'))).toEqual([]);
    expect(wrongs(withFee(300_000n), stating('0.29999999999999993'))).toEqual([]);
    expect(wrongs(withFee(300_001n), stating('0.30000000000000004'))).toContain('stated_fee refuse');
  });
});

describe('what is given for nothing', () => {
  it('is refused where a known token is burnt, as asked or not: nobody has it', () => {
    const burn = token.burnChecked(99_900_000n, USDC, 6);
    expect(asDeposit(changed(3, burn))).toContain('burnt refuse');
    expect(wrongs(bytesOf([burn]))).toEqual(['burnt refuse']);
  });

  it('needs a person where shares are burnt or a vault is paid and nothing comes in, though nothing was asked', () => {
    expect(wrongs(bytesOf([token.burnChecked(5n, SHARES, 9)]))).toEqual(['burnt confirm']);
    expect(wrongs(bytesOf(withdrawSteps(), withMinter))).toEqual([]);
    expect(wrongs(bytesOf(depositSteps().slice(0, 5)))).toEqual(['shares confirm']);
    expect(wrongs(bytesOf(depositSteps(), withMinter))).toEqual([]);
    // Next to nothing is nothing, and twice the burning needs twice the money.
    const oneUnit = token.mintToChecked(ata(wallet, SHARES), 1n, SHARES, MINTER.publicKey);
    expect(wrongs(changed(5, oneUnit))).toEqual(['shares confirm']);
    const again = token.burnChecked(99_000_000_000n, SHARES, 9);
    expect(wrongs(bytesOf([...withdrawSteps(), again], withMinter))).toEqual(['burnt confirm']);
  });

  it('needs a person where a deposit brings in so few shares that each must have doubled', () => {
    const shares = (units: bigint) =>
      asDeposit(changed(5, token.mintToChecked(ata(wallet, SHARES), units, SHARES, MINTER.publicKey)));
    expect(shares(49_950_000_000n)).toEqual([]);
    expect(shares(49_949_999_999n)).toEqual(['shares confirm']);
    expect(shares(1n)).toEqual(['shares confirm']);
  });
});

describe('a receiver that nothing vouches for needs the word of the user', () => {
  const toStranger = changed(3, token.transferChecked(ata(wallet), ata(stranger), 99_900_000n));
  it('and the word names it', () => {
    const { checks } = review(toStranger, { requested: DEPOSIT });
    expect(checks[0]).toMatchObject({ id: 'receivers', allow_with: `--allow-recipient ${ata(stranger).toBase58()}` });
    for (const address of [OTHER, ata(stranger).toBase58()]) {
      expect(asDeposit(toStranger, { overrides: { allowRecipients: [address] } })).toEqual([]);
    }
  });

  it('the vault of another provider is such a one', () => {
    const other = changed(3, token.transferChecked(ata(wallet), ata(VAULT_B), 99_900_000n));
    expect(asDeposit(other)).toEqual(['receivers confirm']);
  });

  it('also where nothing was asked, for coin and tokens', () => {
    expect(wrongs(toStranger)).toEqual(['receivers confirm']);
    const coin = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: stranger, lamports: 5 });
    expect(wrongs(bytesOf([coin]))).toEqual(['receivers confirm']);
  });

  it('who would have a token account paid for', () => {
    expect(asDeposit(depositAnd(openAccount(stranger)))).toEqual(['rent confirm']);
    expect(asDeposit(depositAnd(openAccount(FEES), openAccount(VAULT)))).toEqual([]);
  });
});

describe('who signs', () => {
  it('a fee payer that is not the wallet is refused', () => {
    const bytes = bytesOf(depositSteps(), { payer: stranger, signers: [MINTER] });
    expect(asDeposit(bytes)).toContain('fee_payer refuse');
    expect(wrongs(bytesOf([memo('x')], { payer: stranger }), { signer: SELF })).toContain('fee_payer refuse');
  });

  it('a required signature that is missing or of other bytes is refused', () => {
    expect(asDeposit(bytesOf(depositSteps()))).toEqual(['signatures refuse']);
    const signed = bytesOf(depositSteps(), withMinter);
    for (const at of [1 + 64, 1 + 64 + 63]) {
      const wrong = Uint8Array.from(signed, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(asDeposit(wrong)).toEqual(['signatures refuse']);
    }
  });

  it('a signature of the wallet that is not one of these bytes is refused, one that holds is kept', () => {
    const both = bytesOf(depositSteps(), { signers: [MINTER, WALLET] });
    expect(asDeposit(both)).toEqual([]);
    expect(asDeposit(Uint8Array.from(both, (byte, at) => (at === 1 ? byte ^ 1 : byte)))).toEqual(['signatures refuse']);
  });
});

describe('a program that is not understood', () => {
  const lend = (...uses: Parameters<typeof instruction>[2][]) => instruction(LENDER, Buffer.of(1, 2, 3), ...uses);
  const allowPrograms = [LENDER.toBase58()];
  it('needs the word made for it, and with the signature of the wallet the debit is in doubt all the same', () => {
    const bytes = bytesOf([lend([wallet, 'sw'], [ata(wallet), 'w'])]);
    expect(wrongs(bytes, { requested: DEPOSIT, network: LIVE })).toContain('program confirm');
    const allowed = review(bytes, {
      requested: { ...DEPOSIT, providerIn: 'kamino' },
      network: LIVE,
      overrides: { allowPrograms },
    });
    expect(allowed.checks.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id)).toEqual(['debit', 'gain']);
    expect(() => approveSolana(allowed, 'pass')).toThrow();
    expect(approveSolana(allowed, 'confirmed').digest).toBe(allowed.digest);
  });

  it('leaves no doubt about the debit where the wallet takes no part', () => {
    expect(asDeposit(depositAnd(lend([stranger, 'w'])), { overrides: { allowPrograms } })).toEqual([]);
  });

  it('cannot hide that too much leaves by what is understood', () => {
    const much = token.transferChecked(ata(wallet), ata(VAULT), 100_100_001n);
    const bytes = bytesOf([lend([wallet, 'sw']), much]);
    expect(wrongs(bytes, { requested: DEPOSIT, overrides: { allowPrograms } })).toContain('amount refuse');
  });
});

describe('lookup tables', () => {
  const table = Keypair.generate().publicKey;
  const addresses = [FEES, VAULT, ata(VAULT), ata(FEES), USDC, SHARES];
  const found = new AddressLookupTableAccount({
    key: table,
    state: { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses },
  });
  const bytes = bytesOf(depositSteps(), { ...withMinter, tables: [found] });
  const tables = (list: readonly PublicKey[]) => ({
    tables: { [table.toBase58()]: list.map((each) => each.toBase58()) },
  });

  it('that nobody resolved are refused', () => {
    expect(asDeposit(bytes)).toContain('lookup_tables refuse');
    expect(asDeposit(bytes, { facts: tables(addresses.slice(0, 3)) })).toContain('lookup_tables refuse');
    expect(wrongs(bytes)).toContain('lookup_tables refuse');
  });

  it('that were read from the chain are followed', () => {
    expect(asDeposit(bytes, { facts: tables(addresses) })).toEqual([]);
    const other = addresses.map((each) => (each.equals(ata(VAULT)) ? ata(stranger) : each));
    expect(asDeposit(bytes, { facts: tables(other) })).toContain('receivers confirm');
  });

  it('that bring in an account a second time are refused', () => {
    expect(asDeposit(bytes, { facts: tables([FEES, VAULT, ata(wallet), ata(FEES), USDC, SHARES]) })).toContain(
      'lookup_tables refuse',
    );
  });
});

describe('what it costs', () => {
  const dear = (price: bigint) => changed(1, unitPrice(price));

  it('a fee above 0.005 SOL is for the user to decide, and above ten times that refused; rent is not counted', () => {
    expect(asDeposit(dear(24_950_000n))).toEqual([]);
    expect(review(dear(24_950_000n), { requested: DEPOSIT }).fee).toEqual({ at_most: '0.005', coin: 'SOL' });
    expect(asDeposit(dear(24_950_001n))).toEqual(['fee confirm']);
    expect(asDeposit(dear(249_950_000n))).toEqual(['fee confirm']);
    expect(asDeposit(dear(249_950_001n))).toEqual(['fee refuse']);
    expect(asDeposit(dear(2n ** 64n - 1n))).toEqual(['fee refuse']);
  });

  it('a maximum that the user states takes the place of the usual one, in both directions', () => {
    const at = (price: bigint, feeAtMost: string) => asDeposit(dear(price), { overrides: { feeAtMost } });
    expect(at(499_950_000n, '0.1')).toEqual([]);
    expect(at(499_950_001n, '0.1')).toEqual(['fee refuse']);
    expect(at(1n, '0.000005')).toEqual(['fee refuse']);
  });

  it('a limit that is not named counts as the largest', () => {
    expect(review(bytesOf([unitPrice(1_000_000n)])).fee.at_most).toBe('0.001405');
    expect(review(bytesOf([unitPrice(1_000_000n), unitLimit(2_000_000)])).fee.at_most).toBe('0.001405');
  });

  it('a wish about the fee that is there twice is refused', () => {
    expect(asDeposit(depositAnd(unitPrice(1n)))).toEqual(['fee refuse']);
  });
});

it('a token that nobody knows cannot be compared', () => {
  const asked: RequestedOperation = { ...DEPOSIT, asset: 'PYUSD' };
  expect(wrongs(bytesOf([token.transferChecked(ata(wallet), ata(VAULT), 1n)]), { requested: asked })).toContain(
    'token confirm',
  );
});
