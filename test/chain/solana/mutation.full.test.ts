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
  type ReviewOptions,
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

/** The review, or `undefined` for bytes that are not a transaction. Other errors are thrown. */
const tryReview = (bytes: Uint8Array, options: ReviewOptions) => {
  try {
    return review(bytes, options);
  } catch (error) {
    if (isFailure(error, 'refused_by_review')) return undefined;
    throw error;
  }
};

/** The payments, their receivers and the maximum fee of a transaction. Rent is left out, because less rent does no harm. */
const effectOf = ({ from, moves, fee }: ReturnType<typeof review>) => ({
  from,
  moves: moves.filter(({ label }) => label !== 'rent, at most'),
  fee,
});

/** The changes of one byte after which the review passes with another effect. */
const undetectedChanges = (bytes: Uint8Array, options: ReviewOptions, changes: readonly number[]) => {
  const before = JSON.stringify(effectOf(review(bytes, options)));
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    for (const change of changes) {
      const changed = Uint8Array.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ change;
      const after = tryReview(changed, options);
      if (after?.verdict === 'pass' && JSON.stringify(effectOf(after)) !== before) found.push(`${at} ^ ${change}`);
    }
  }
  return found;
};

describe('after a change of one byte, no review passes with another effect', () => {
  const signedByOther = bytesOf(depositSteps(), withMinter);
  /** Only the wallet signs, so that only the review can detect a change. */
  const alone = bytesOf([
    openAccount(wallet, SHARES),
    token.transferChecked(ata(wallet), ata(VAULT), 99_900_000n),
    token.transferChecked(ata(wallet), ata(FEES), 100_000n),
    memo('for the vault'),
  ]);
  const withoutFees = { ...DEPOSIT, fees: ['0.1'], providerIn: undefined };

  it.each<[string, Uint8Array, ReviewOptions]>([
    ['for a deposit that the minter has signed', signedByOther, { requested: DEPOSIT }],
    ['for a withdrawal', bytesOf(withdrawSteps(), withMinter), { requested: WITHDRAW }],
    ['for a payment that only the wallet signs', alone, { requested: withoutFees }],
  ])('%s', (_, bytes, options) => {
    expect(review(bytes, options).verdict).toBe('pass');
    expect(undetectedChanges(bytes, options, [1, 0x80])).toEqual([]);
  });

  it('for each byte of the instructions that becomes the index of another account', () => {
    const options = { requested: withoutFees };
    const before = effectOf(review(alone, options));
    const accounts = parseSolana(alone).message.addresses.length;
    const [signatures, header, address] = [1 + 64, 1 + 3 + 1, 32];
    const instructions = signatures + header + (accounts + 1) * address;
    for (let at = instructions; at < alone.length; at += 1) {
      for (let number = 0; number < accounts; number += 1) {
        const changed = Uint8Array.from(alone, (byte, index) => (index === at ? number : byte));
        const after = tryReview(changed, options);
        if (after?.verdict === 'pass') expect(effectOf(after), `${at} = ${number}`).toEqual(before);
      }
    }
  });

  it('for a review without a request: no other receiver', () => {
    const receivers = (of: ReturnType<typeof review>) =>
      effectOf(of).moves.map(({ to, token: name }) => `${name} ${to}`);
    const withoutRequest: ReviewOptions = {
      network: { ...SANDBOX, markets: [] },
      overrides: { allowRecipients: [VAULT.toBase58()] },
    };
    expect(review(alone, withoutRequest).verdict).toBe('pass');
    const before = receivers(review(alone, withoutRequest));
    for (let at = 0; at < alone.length; at += 1) {
      const after = tryReview(
        Uint8Array.from(alone, (byte, index) => (index === at ? byte ^ 1 : byte)),
        withoutRequest,
      );
      if (after?.verdict === 'pass') expect(before).toEqual(expect.arrayContaining([...receivers(after)]));
    }
  });

  it('for a random change of a random byte', () => {
    const place = fc.tuple(fc.nat(alone.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(place, ([at, change]) => {
        const changed = Uint8Array.from(alone, (byte, index) => (index === at ? byte ^ change : byte));
        const after = tryReview(changed, { requested: withoutFees });
        if (after?.verdict !== 'pass') return;
        expect(effectOf(after)).toEqual(effectOf(review(alone, { requested: withoutFees })));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the review of random messages, complete, truncated and changed', () => {
  const addresses = fc.constantFrom(wallet, stranger, VAULT, FEES, ata(wallet), ata(VAULT), ata(stranger), LENDER);
  const units = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  const data = fc.uint8Array({ maxLength: 40 });
  const steps = fc.array(
    fc.oneof(
      fc.tuple(addresses, addresses, units).map(([from, to, amount]) => token.transferChecked(from, to, amount)),
      fc.tuple(addresses, addresses, units).map(([from, to, amount]) => token.transfer(from, to, amount)),
      units.map((amount) => token.burnChecked(amount, SHARES, 9)),
      fc.tuple(addresses, units).map(([to, amount]) => token.mintToChecked(to, amount, SHARES, wallet)),
      fc.tuple(addresses, units).map(([to, amount]) => token.approve(to, amount)),
      addresses.map((to) => token.setAuthority(to)),
      addresses.map((to) => token.close(to)),
      addresses.map((owner) => openAccount(owner)),
      addresses.map((toPubkey) => SystemProgram.transfer({ fromPubkey: wallet, toPubkey, lamports: 5 })),
      addresses.map((programId) => SystemProgram.assign({ accountPubkey: wallet, programId })),
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

  it('never throws, never passes for a deposit of another amount, and never passes with moves to a stranger', () => {
    const request = { ...DEPOSIT, amount: '123.456789', fees: [] };
    let reviewed = 0;
    fc.assert(
      fc.property(steps, version, fc.nat(1231), fc.nat(255), (instructions, messageVersion, at, change) => {
        const bytes = bytesOf(instructions, { version: messageVersion });
        const cut = bytes.subarray(0, at % (bytes.length + 1));
        const changed = Uint8Array.from(bytes, (byte, index) => (index === at % bytes.length ? byte ^ change : byte));
        for (const variant of [bytes, cut, changed]) {
          for (const options of [{ requested: request }, {}]) {
            const result = tryReview(variant, options);
            reviewed += Number(result !== undefined);
            if (options.requested !== undefined) expect(result?.verdict).not.toBe('pass');
            if (result?.verdict === 'pass') expect(JSON.stringify(result.moves)).not.toContain(stranger.toBase58());
          }
        }
        expect(parseSolana(bytes).message.version).toBe(messageVersion);
      }),
      { numRuns: 200 },
    );
    expect(reviewed).toBeGreaterThan(400);
  });

  /**
   * Instructions as in fuzzing corpora of wallets (System with its nonce and seed forms, Stake, Vote, Token, Token-2022,
   * Associated Token, Compute Budget, off-chain messages): an instruction number of 1 or 4 bytes, then random bytes.
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
  const randomInstructions = fc
    .tuple(programs, kinds, fc.uint8Array({ maxLength: 72 }), uses, fc.boolean())
    .map(([program, kind, rest, accounts, isFirst]) => {
      const payer = [[wallet, 'sw']] as const;
      const others = accounts.map(([key, flags]) => [key, flags] as const);
      return instruction(program, Buffer.concat([kind, rest]), ...(isFirst ? payer : []), ...others);
    });

  it('never throws for random instructions, never passes for the request, and never passes with moves or approvals', () => {
    const request = { ...DEPOSIT, amount: '123.456789', fees: [] };
    fc.assert(
      fc.property(
        fc.array(randomInstructions, { minLength: 1, maxLength: 3 }),
        version,
        fc.nat(),
        (instructions, messageVersion, cut) => {
          const bytes = bytesOf(instructions, { version: messageVersion });
          const offChain = Buffer.concat([Buffer.from('\xffsolana offchain', 'latin1'), bytes.subarray(65)]);
          for (const variant of [
            bytes,
            bytes.subarray(0, cut % bytes.length),
            offChain,
            Buffer.concat([bytes, bytes]),
          ]) {
            expect(tryReview(variant, { requested: request })?.verdict).not.toBe('pass');
            const alone = tryReview(variant, {});
            if (alone?.verdict === 'pass') expect(JSON.stringify(alone.moves)).not.toContain(stranger.toBase58());
            if (alone?.verdict === 'pass') expect(alone.remainingApprovals).toEqual([]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
