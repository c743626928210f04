import {
  Authorized,
  Lockup,
  StakeProgram,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  type Transaction,
  type TransactionInstruction,
  VoteInit,
  VoteProgram,
} from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { approveSolana } from '../../../src/chain/solana/sign.ts';
import { isFailure } from '../../../src/core/failure.ts';
import {
  ASSOCIATED,
  ata,
  BUDGET,
  bytesOf,
  DEPOSIT,
  instruction,
  keyOf,
  openAccount,
  type ReviewOptions,
  review,
  stranger,
  TOKEN,
  token,
  USDC,
  unitLimit,
  unitPrice,
  wallet,
} from './given.ts';

const other = keyOf('an account').publicKey;
const base = { fromPubkey: wallet, basePubkey: wallet, seed: 'seed', lamports: 42 };
const stake = { stakePubkey: other, authorizedPubkey: wallet };
const vote = { votePubkey: other, authorizedPubkey: wallet };
const authorized = new Authorized(wallet, wallet);
const coinTransfer = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: stranger, lamports: 1 });
const nonce = SystemProgram.nonceAdvance({ noncePubkey: other, authorizedPubkey: wallet });
const delegate = StakeProgram.delegate({ ...stake, votePubkey: stranger });
const createAccount = SystemProgram.createAccount({
  ...{ fromPubkey: wallet, newAccountPubkey: other, lamports: 42, space: 165, programId: TOKEN },
});
const stakes = { fromPubkey: wallet, stakePubkey: other, authorized, lamports: 42 };
const init = new VoteInit(wallet, wallet, wallet, 10);
const authorizationType = (kind: number) => ({ index: kind });
const openWithRentSysvar = (): TransactionInstruction => {
  const opening = openAccount(wallet, USDC, wallet, []);
  return Object.assign(opening, {
    keys: [...opening.keys, { pubkey: SYSVAR_RENT_PUBKEY, isSigner: false, isWritable: false }],
  });
};
const voteData = (kind: number, ...more: readonly number[]) =>
  instruction(VoteProgram.programId, Buffer.from([kind, 0, 0, 0, ...more]), [other, 'w'], [wallet, 's']);

type InstructionSource = TransactionInstruction | Transaction;

/**
 * The kinds of transactions in the fuzzing corpus of LedgerHQ/app-solana (fuzzing/corpus), built by web3.js. The review
 * of the original files has the same results.
 */
const KINDS: readonly (readonly [string, readonly InstructionSource[]])[] = [
  ['a transfer with compute budget', [unitLimit(1_000), unitPrice(5n), coinTransfer]],
  [
    'a transfer with the deprecated compute budget',
    [instruction(BUDGET, Buffer.of(0, 1, 0, 0, 0, 1, 0, 0, 0)), coinTransfer],
  ],
  ['a nonce account', [SystemProgram.createNonceAccount({ ...base, noncePubkey: other, authorizedPubkey: wallet })]],
  [
    'a nonce account without a seed',
    [
      SystemProgram.createNonceAccount({
        fromPubkey: wallet,
        noncePubkey: other,
        authorizedPubkey: wallet,
        lamports: 42,
      }),
    ],
  ],
  [
    'a withdrawal from a nonce account',
    [SystemProgram.nonceWithdraw({ noncePubkey: other, authorizedPubkey: wallet, toPubkey: stranger, lamports: 42 })],
  ],
  [
    'a new authority of a nonce account',
    [SystemProgram.nonceAuthorize({ noncePubkey: other, authorizedPubkey: wallet, newAuthorizedPubkey: stranger })],
  ],
  ['a stake account', [StakeProgram.createAccount({ ...stakes, lockup: new Lockup(1, 2, stranger) })]],
  ['a stake account without a lockup', [StakeProgram.createAccount(stakes)]],
  [
    'a stake account with a seed',
    [StakeProgram.createAccountWithSeed({ ...stakes, basePubkey: wallet, seed: 'seed' })],
  ],
  ['a stake account with a delegation', [StakeProgram.createAccount(stakes), delegate]],
  [
    'a stake account with a seed and a durable nonce',
    [nonce, StakeProgram.createAccountWithSeed({ ...stakes, basePubkey: wallet, seed: 's' })],
  ],
  ['a delegation', [delegate]],
  ['a delegation with a durable nonce', [nonce, delegate]],
  ['a deactivated stake', [StakeProgram.deactivate(stake)]],
  [
    'a new staker',
    [StakeProgram.authorize({ ...stake, newAuthorizedPubkey: stranger, stakeAuthorizationType: authorizationType(0) })],
  ],
  [
    'a new withdrawer of a stake',
    [StakeProgram.authorize({ ...stake, newAuthorizedPubkey: stranger, stakeAuthorizationType: authorizationType(1) })],
  ],
  [
    'a new withdrawer of a stake with a custodian',
    [
      StakeProgram.authorize({
        ...{
          ...stake,
          newAuthorizedPubkey: stranger,
          stakeAuthorizationType: authorizationType(1),
          custodianPubkey: wallet,
        },
      }),
    ],
  ],
  ['a merged stake', [StakeProgram.merge({ ...stake, sourceStakePubKey: stranger })]],
  ['a split stake', [StakeProgram.split({ ...stake, splitStakePubkey: stranger, lamports: 42 }, 1)]],
  [
    'a split stake with a seed and a durable nonce',
    [
      nonce,
      StakeProgram.splitWithSeed({ ...stake, splitStakePubkey: stranger, basePubkey: wallet, seed: 's', lamports: 42 }),
    ],
  ],
  ['a withdrawal from a stake account', [StakeProgram.withdraw({ ...stake, toPubkey: stranger, lamports: 42 })]],
  [
    'a new lockup of a stake',
    [instruction(StakeProgram.programId, Buffer.of(6, 0, 0, 0, 0, 0, 0), [other, 'w'], [wallet, 's'])],
  ],
  [
    'a vote account',
    [VoteProgram.createAccount({ fromPubkey: wallet, votePubkey: other, voteInit: init, lamports: 42 })],
  ],
  [
    'a new voter',
    [VoteProgram.authorize({ ...vote, newAuthorizedPubkey: stranger, voteAuthorizationType: authorizationType(0) })],
  ],
  [
    'a new withdrawer of a vote account',
    [VoteProgram.authorize({ ...vote, newAuthorizedPubkey: stranger, voteAuthorizationType: authorizationType(1) })],
  ],
  ['a new commission', [voteData(5, 7)]],
  ['a new node of a vote account', [voteData(4)]],
  [
    'a withdrawal from a vote account',
    [VoteProgram.withdraw({ votePubkey: other, authorizedWithdrawerPubkey: wallet, toPubkey: stranger, lamports: 42 })],
  ],
  ['an opened token account', [openAccount(wallet)]],
  ['an opened token account in the form with the rent sysvar', [openWithRentSysvar()]],
  [
    'an opened token account of a stranger with a transfer',
    [openAccount(stranger), token.transferChecked(ata(wallet), ata(stranger), 42n)],
  ],
  ['RecoverNested of a token account', [instruction(ASSOCIATED, Buffer.of(2), [wallet, 's'])]],
  ['an approval', [token.approveChecked(stranger, 42n)]],
  ['burnt tokens', [token.burnChecked(42n, USDC, 6)]],
  ['a closed token account', [token.close(wallet)]],
  [
    'an initialised token account',
    [createAccount, instruction(TOKEN, Buffer.of(1), [other, 'w'], [USDC, ''], [wallet, ''], [SYSVAR_RENT_PUBKEY, ''])],
  ],
  [
    'a multisig',
    [createAccount, instruction(TOKEN, Buffer.of(2, 1), [other, 'w'], [SYSVAR_RENT_PUBKEY, ''], [wallet, ''])],
  ],
  [
    'an initialised mint',
    [
      createAccount,
      instruction(
        TOKEN,
        Buffer.concat([Buffer.of(0, 6), wallet.toBytes(), Buffer.of(0)]),
        [other, 'w'],
        [SYSVAR_RENT_PUBKEY, ''],
      ),
    ],
  ],
  ['a frozen account', [token.freeze()]],
  ['a thawed account', [instruction(TOKEN, Buffer.of(11), [ata(wallet), 'w'], [USDC, ''], [wallet, 's'])]],
  ['minted tokens', [token.mintToChecked(ata(wallet), 42n, USDC, wallet, 6)]],
  ['a revoked delegate', [token.revoke()]],
  ['a new owner of a token account', [token.setAuthority(stranger)]],
  ['a token transfer', [token.transferChecked(ata(wallet), ata(stranger), 42n)]],
];

/** Transactions in which only a fee or the rent of its own account leaves the wallet. */
const HARMLESS = ['an opened token account', 'a closed token account', 'a revoked delegate'];

const instructionsOf = (sources: readonly InstructionSource[]): readonly TransactionInstruction[] =>
  sources.flatMap((source) => ('instructions' in source ? source.instructions : [source]));

const tryReview = (bytes: Uint8Array, options: ReviewOptions) => {
  try {
    return review(bytes, options);
  } catch (error) {
    if (isFailure(error, 'refused_by_review')) return undefined;
    throw error;
  }
};

describe.each(['legacy', 0] as const)(
  'the review of a transaction from the corpus of a hardware wallet, version %s',
  (version) => {
    it.each(KINDS)('does not pass for the request, also changed or truncated: %s', (name, sources) => {
      const bytes = bytesOf(instructionsOf(sources), { version });
      const alone = review(bytes);
      expect(alone.verdict === 'pass').toBe(HARMLESS.includes(name));
      const result = review(bytes, { requested: DEPOSIT });
      expect(result.verdict).not.toBe('pass');
      expect(() => approveSolana(result, 'pass')).toThrow();
      const requested = { ...DEPOSIT, amount: '123.456789' };
      for (let at = 0; at < bytes.length; at += 3) {
        const changed = Uint8Array.from(bytes, (byte, index) =>
          index === at ? byte ^ (at % 2 === 0 ? 1 : 0x80) : byte,
        );
        expect(tryReview(changed, { requested })?.verdict, `byte ${at}`).not.toBe('pass');
        expect(tryReview(bytes.subarray(0, at), {}), `truncated at ${at}`).toBeUndefined();
      }
    });
  },
);
