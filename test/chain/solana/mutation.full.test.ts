import {
  StakeProgram,
  SYSVAR_CLOCK_PUBKEY,
  SystemProgram,
  type TransactionInstruction,
  VoteProgram,
} from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSolana } from '../../../src/chain/solana/parse.ts';
import { isFailure } from '../../../src/core/failure.ts';
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
  memo,
  openAccount,
  type Reviewing,
  review,
  SANDBOX,
  SHARES,
  stranger,
  TOKEN,
  TOKEN_2022,
  token,
  unitLimit,
  unitPrice,
  VAULT,
  WITHDRAW,
  wallet,
  withdrawSteps,
  withMinter,
} from './given.ts';

/** A review, or nothing for bytes that are no transaction. Anything else that is thrown is a fault. */
const tryReview = (bytes: Uint8Array, reviewing: Reviewing) => {
  try {
    return review(bytes, reviewing);
  } catch (error) {
    if (isFailure(error, 'refused_by_review')) return undefined;
    throw error;
  }
};

/** What a transaction means for the user: who pays what to whom, and at most which fee. Less rent is no harm. */
const meaningOf = ({ from, moves, fee }: ReturnType<typeof review>) => ({
  from,
  moves: moves.filter(({ label }) => label !== 'rent, at most'),
  fee,
});

/** Every change of one byte that leaves a review fine; where it does, the meaning must have stayed. */
const survivors = (bytes: Uint8Array, reviewing: Reviewing, changes: readonly number[]) => {
  const before = JSON.stringify(meaningOf(review(bytes, reviewing)));
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    for (const change of changes) {
      const changed = Uint8Array.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ change;
      const after = tryReview(changed, reviewing);
      if (after?.verdict === 'pass' && JSON.stringify(meaningOf(after)) !== before) found.push(`${at} ^ ${change}`);
    }
  }
  return found;
};

describe('no change of one byte leaves a reviewed transaction fine with another meaning', () => {
  const signedByOther = bytesOf(depositSteps(), withMinter);
  /** Nobody else signs it, so nothing but the review stands between a change and the signature. */
  const alone = bytesOf([
    openAccount(wallet, SHARES),
    token.transferChecked(ata(wallet), ata(VAULT), 99_900_000n),
    token.transferChecked(ata(wallet), ata(FEES), 100_000n),
    memo('for the vault'),
  ]);
  const withoutFees = { ...DEPOSIT, fees: ['0.1'], providerIn: undefined };

  it.each<[string, Uint8Array, Reviewing]>([
    ['a deposit that the vault has signed', signedByOther, { requested: DEPOSIT }],
    ['a withdrawal', bytesOf(withdrawSteps(), withMinter), { requested: WITHDRAW }],
    ['a payment that nobody else signs', alone, { requested: withoutFees }],
  ])('%s', (_, bytes, reviewing) => {
    expect(review(bytes, reviewing).verdict).toBe('pass');
    expect(survivors(bytes, reviewing, [1, 0x80])).toEqual([]);
  });

  it('nor does any byte of an instruction that becomes the number of another account', () => {
    const reviewing = { requested: withoutFees };
    const before = meaningOf(review(alone, reviewing));
    const accounts = parseSolana(alone).message.addresses.length;
    const [signatures, header, address] = [1 + 64, 1 + 3 + 1, 32];
    const instructions = signatures + header + (accounts + 1) * address;
    for (let at = instructions; at < alone.length; at += 1) {
      for (let number = 0; number < accounts; number += 1) {
        const changed = Uint8Array.from(alone, (byte, index) => (index === at ? number : byte));
        const after = tryReview(changed, reviewing);
        if (after?.verdict === 'pass') expect(meaningOf(after), `${at} = ${number}`).toEqual(before);
      }
    }
  });

  it('and where nothing was asked, none that is fine pays somebody else', () => {
    const receivers = (of: ReturnType<typeof review>) =>
      meaningOf(of).moves.map(({ to, token: name }) => `${name} ${to}`);
    const unasked: Reviewing = {
      network: { ...SANDBOX, markets: [] },
      overrides: { allowRecipients: [VAULT.toBase58()] },
    };
    expect(review(alone, unasked).verdict).toBe('pass');
    const before = receivers(review(alone, unasked));
    for (let at = 0; at < alone.length; at += 1) {
      const after = tryReview(
        Uint8Array.from(alone, (byte, index) => (index === at ? byte ^ 1 : byte)),
        unasked,
      );
      if (after?.verdict === 'pass') expect(before).toEqual(expect.arrayContaining([...receivers(after)]));
    }
  });

  it('any change of any byte, at random', () => {
    const place = fc.tuple(fc.nat(alone.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(place, ([at, change]) => {
        const changed = Uint8Array.from(alone, (byte, index) => (index === at ? byte ^ change : byte));
        const after = tryReview(changed, { requested: withoutFees });
        if (after?.verdict !== 'pass') return;
        expect(meaningOf(after)).toEqual(meaningOf(review(alone, { requested: withoutFees })));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('messages over all known programs, whole, cut and changed', () => {
  const who = fc.constantFrom(wallet, stranger, VAULT, FEES, ata(wallet), ata(VAULT), ata(stranger), LENDER);
  const units = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  const data = fc.uint8Array({ maxLength: 40 });
  const steps = fc.array(
    fc.oneof(
      fc.tuple(who, who, units).map(([from, to, amount]) => token.transferChecked(from, to, amount)),
      fc.tuple(who, who, units).map(([from, to, amount]) => token.transfer(from, to, amount)),
      units.map((amount) => token.burnChecked(amount, SHARES, 9)),
      fc.tuple(who, units).map(([to, amount]) => token.mintToChecked(to, amount, SHARES, wallet)),
      fc.tuple(who, units).map(([to, amount]) => token.approve(to, amount)),
      who.map((to) => token.setAuthority(to)),
      who.map((to) => token.close(to)),
      who.map((owner) => openAccount(owner)),
      who.map((toPubkey) => SystemProgram.transfer({ fromPubkey: wallet, toPubkey, lamports: 5 })),
      who.map((programId) => SystemProgram.assign({ accountPubkey: wallet, programId })),
      units.map(unitPrice),
      fc.nat(2_000_000).map(unitLimit),
      fc.string({ maxLength: 40 }).map((text) => memo(text)),
      data.map((bytes) => memo(bytes)),
      fc
        .tuple(fc.constantFrom(...depositSteps()), data)
        .map(
          ([step, bytes]): TransactionInstruction => Object.assign(token.revoke(), step, { data: Buffer.from(bytes) }),
        ),
    ),
    { minLength: 1, maxLength: 4 },
  );
  const version = fc.constantFrom('legacy' as const, 0 as const);

  it('never break the review, and none is fine for a deposit of another amount', () => {
    const asked = { ...DEPOSIT, amount: '123.456789', fees: [] };
    let reviewed = 0;
    fc.assert(
      fc.property(steps, version, fc.nat(1231), fc.nat(255), (made, which, at, change) => {
        const bytes = bytesOf(made, { version: which });
        const cut = bytes.subarray(0, at % (bytes.length + 1));
        const changed = Uint8Array.from(bytes, (byte, index) => (index === at % bytes.length ? byte ^ change : byte));
        for (const each of [bytes, cut, changed]) {
          for (const reviewing of [{ requested: asked }, {}]) {
            const result = tryReview(each, reviewing);
            reviewed += Number(result !== undefined);
            if (reviewing.requested !== undefined) expect(result?.verdict).not.toBe('pass');
            if (result?.verdict === 'pass') expect(JSON.stringify(result.moves)).not.toContain(stranger.toBase58());
          }
        }
        expect(parseSolana(bytes).message.version).toBe(which);
      }),
      { numRuns: 200 },
    );
    expect(reviewed).toBeGreaterThan(400);
  });

  /**
   * Shapes of instructions that wallets are tried with (System with its nonce and seed forms, Stake, Vote, Token, Token-2022,
   * Associated Token, Compute Budget, off-chain messages): a number of each width, then anything.
   */
  const programs = fc.constantFrom(
    SystemProgram.programId,
    StakeProgram.programId,
    VoteProgram.programId,
    TOKEN,
    TOKEN_2022,
    ASSOCIATED,
    BUDGET,
  );
  const kinds = fc.tuple(fc.constantFrom(1, 4), fc.nat(45)).map(([width, kind]) => {
    const number = Buffer.alloc(width);
    number.writeUIntLE(kind, 0, width);
    return number;
  });
  const uses = fc.array(
    fc.tuple(fc.constantFrom(wallet, stranger, ata(wallet), VAULT, SYSVAR_CLOCK_PUBKEY), fc.constantFrom('w', '')),
    { maxLength: 8 },
  );
  const odd = fc
    .tuple(programs, kinds, fc.uint8Array({ maxLength: 72 }), uses, fc.boolean())
    .map(([program, kind, rest, accounts, isFirst]) => {
      const payer = [[wallet, 'sw']] as const;
      const others = accounts.map(([key, how]) => [key, how] as const);
      return instruction(program, Buffer.concat([kind, rest]), ...(isFirst ? payer : []), ...others);
    });

  it('of any number and bytes never crash the review, get no approval for what was asked, and let nobody take anything', () => {
    const asked = { ...DEPOSIT, amount: '123.456789', fees: [] };
    fc.assert(
      fc.property(fc.array(odd, { minLength: 1, maxLength: 3 }), version, fc.nat(), (made, which, cut) => {
        const bytes = bytesOf(made, { version: which });
        const offChain = Buffer.concat([Buffer.from('\xffsolana offchain', 'latin1'), bytes.subarray(65)]);
        for (const each of [bytes, bytes.subarray(0, cut % bytes.length), offChain, Buffer.concat([bytes, bytes])]) {
          expect(tryReview(each, { requested: asked })?.verdict).not.toBe('pass');
          const alone = tryReview(each, {});
          if (alone?.verdict === 'pass') expect(JSON.stringify(alone.moves)).not.toContain(stranger.toBase58());
          if (alone?.verdict === 'pass') expect(alone.remainingApprovals).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
