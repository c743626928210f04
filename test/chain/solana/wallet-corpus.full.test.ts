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
  type Reviewing,
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
const owners = new Authorized(wallet, wallet);
const pays = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: stranger, lamports: 1 });
const nonce = SystemProgram.nonceAdvance({ noncePubkey: other, authorizedPubkey: wallet });
const delegate = StakeProgram.delegate({ ...stake, votePubkey: stranger });
const makesAccount = SystemProgram.createAccount({
  ...{ fromPubkey: wallet, newAccountPubkey: other, lamports: 42, space: 165, programId: TOKEN },
});
const stakes = { fromPubkey: wallet, stakePubkey: other, authorized: owners, lamports: 42 };
const init = new VoteInit(wallet, wallet, wallet, 10);
const authorizing = (kind: number) => ({ index: kind });
const oldOpening = (): TransactionInstruction => {
  const made = openAccount(wallet, USDC, wallet, []);
  return Object.assign(made, {
    keys: [...made.keys, { pubkey: SYSVAR_RENT_PUBKEY, isSigner: false, isWritable: false }],
  });
};
const voteData = (kind: number, ...more: readonly number[]) =>
  instruction(VoteProgram.programId, Buffer.from([kind, 0, 0, 0, ...more]), [other, 'w'], [wallet, 's']);

type Made = TransactionInstruction | Transaction;

/**
 * The transactions that LedgerHQ/app-solana fuzzes its parser with (fuzzing/corpus), one by one, as web3.js writes
 * them. Its own files agree: none of them, and none that differs in a byte, is fine for what was asked.
 */
const KINDS: readonly (readonly [string, readonly Made[]])[] = [
  ['wishes about computation and a transfer', [unitLimit(1_000), unitPrice(5n), pays]],
  ['the deprecated wish for units', [instruction(BUDGET, Buffer.of(0, 1, 0, 0, 0, 1, 0, 0, 0)), pays]],
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
    'lamports out of a nonce account',
    [SystemProgram.nonceWithdraw({ noncePubkey: other, authorizedPubkey: wallet, toPubkey: stranger, lamports: 42 })],
  ],
  [
    'another authority of a nonce',
    [SystemProgram.nonceAuthorize({ noncePubkey: other, authorizedPubkey: wallet, newAuthorizedPubkey: stranger })],
  ],
  ['a stake account', [StakeProgram.createAccount({ ...stakes, lockup: new Lockup(1, 2, stranger) })]],
  ['a stake account without a lockup', [StakeProgram.createAccount(stakes)]],
  [
    'a stake account with a seed',
    [StakeProgram.createAccountWithSeed({ ...stakes, basePubkey: wallet, seed: 'seed' })],
  ],
  ['a stake account and its delegation', [StakeProgram.createAccount(stakes), delegate]],
  [
    'a stake with a seed under a nonce',
    [nonce, StakeProgram.createAccountWithSeed({ ...stakes, basePubkey: wallet, seed: 's' })],
  ],
  ['a delegation', [delegate]],
  ['a delegation under a nonce', [nonce, delegate]],
  ['the end of a delegation', [StakeProgram.deactivate(stake)]],
  [
    'another staker',
    [StakeProgram.authorize({ ...stake, newAuthorizedPubkey: stranger, stakeAuthorizationType: authorizing(0) })],
  ],
  [
    'another withdrawer',
    [StakeProgram.authorize({ ...stake, newAuthorizedPubkey: stranger, stakeAuthorizationType: authorizing(1) })],
  ],
  [
    'another withdrawer, by a custodian',
    [
      StakeProgram.authorize({
        ...{ ...stake, newAuthorizedPubkey: stranger, stakeAuthorizationType: authorizing(1), custodianPubkey: wallet },
      }),
    ],
  ],
  ['a merged stake', [StakeProgram.merge({ ...stake, sourceStakePubKey: stranger })]],
  ['a split stake', [StakeProgram.split({ ...stake, splitStakePubkey: stranger, lamports: 42 }, 1)]],
  [
    'a split stake with a seed, under a nonce',
    [
      nonce,
      StakeProgram.splitWithSeed({ ...stake, splitStakePubkey: stranger, basePubkey: wallet, seed: 's', lamports: 42 }),
    ],
  ],
  ['lamports out of a stake', [StakeProgram.withdraw({ ...stake, toPubkey: stranger, lamports: 42 })]],
  [
    'another lockup of a stake',
    [instruction(StakeProgram.programId, Buffer.of(6, 0, 0, 0, 0, 0, 0), [other, 'w'], [wallet, 's'])],
  ],
  [
    'a vote account',
    [VoteProgram.createAccount({ fromPubkey: wallet, votePubkey: other, voteInit: init, lamports: 42 })],
  ],
  [
    'another voter',
    [VoteProgram.authorize({ ...vote, newAuthorizedPubkey: stranger, voteAuthorizationType: authorizing(0) })],
  ],
  [
    'another withdrawer of votes',
    [VoteProgram.authorize({ ...vote, newAuthorizedPubkey: stranger, voteAuthorizationType: authorizing(1) })],
  ],
  ['another commission', [voteData(5, 7)]],
  ['another node of a voter', [voteData(4)]],
  [
    'lamports out of a vote account',
    [VoteProgram.withdraw({ votePubkey: other, authorizedWithdrawerPubkey: wallet, toPubkey: stranger, lamports: 42 })],
  ],
  ['a token account that is opened', [openAccount(wallet)]],
  ['one that is opened as it was before', [oldOpening()]],
  [
    'one that is opened for somebody, and paid',
    [openAccount(stranger), token.transferChecked(ata(wallet), ata(stranger), 42n)],
  ],
  ['one that is not opened at all', [instruction(ASSOCIATED, Buffer.of(2), [wallet, 's'])]],
  ['an approval', [token.approveChecked(stranger, 42n)]],
  ['a burning', [token.burnChecked(42n, USDC, 6)]],
  ['a closed account', [token.close(wallet)]],
  [
    'an account that is set up',
    [makesAccount, instruction(TOKEN, Buffer.of(1), [other, 'w'], [USDC, ''], [wallet, ''], [SYSVAR_RENT_PUBKEY, ''])],
  ],
  [
    'a multisig',
    [makesAccount, instruction(TOKEN, Buffer.of(2, 1), [other, 'w'], [SYSVAR_RENT_PUBKEY, ''], [wallet, ''])],
  ],
  [
    'a token',
    [
      makesAccount,
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
  ['new units', [token.mintToChecked(ata(wallet), 42n, USDC, wallet, 6)]],
  ['what is taken back', [token.revoke()]],
  ['another owner', [token.setAuthority(stranger)]],
  ['a transfer', [token.transferChecked(ata(wallet), ata(stranger), 42n)]],
];

/** Of these nothing leaves the wallet but a fee or its own rent. */
const HARMLESS = ['a token account that is opened', 'a closed account', 'what is taken back'];

const stepsOf = (made: readonly Made[]): readonly TransactionInstruction[] =>
  made.flatMap((each) => ('instructions' in each ? each.instructions : [each]));

const tryReview = (bytes: Uint8Array, reviewing: Reviewing) => {
  try {
    return review(bytes, reviewing);
  } catch (error) {
    if (isFailure(error, 'refused_by_review')) return undefined;
    throw error;
  }
};

describe.each(['legacy', 0] as const)('what hardware wallets are tried with: %s', (version) => {
  it.each(KINDS)('%s', (name, made) => {
    const bytes = bytesOf(stepsOf(made), { version });
    const alone = review(bytes);
    expect(alone.verdict === 'pass').toBe(HARMLESS.includes(name));
    const result = review(bytes, { requested: DEPOSIT });
    expect(result.verdict).not.toBe('pass');
    expect(() => approveSolana(result, 'pass')).toThrow();
    const asked = { ...DEPOSIT, amount: '123.456789' };
    for (let at = 0; at < bytes.length; at += 3) {
      const changed = Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ (at % 2 === 0 ? 1 : 0x80) : byte));
      expect(tryReview(changed, { requested: asked })?.verdict, `byte ${at}`).not.toBe('pass');
      expect(tryReview(bytes.subarray(0, at), {}), `cut at ${at}`).toBeUndefined();
    }
  });
});
