import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { verifyMessage } from 'ethers/hash';
import nacl from 'tweetnacl';
import { describe, expect, it } from 'vitest';
import { type ChallengeInput, reviewChallenge, signChallenge } from '../../../src/chain/message/challenge.ts';
import { failureOf, KEY, PAYER } from '../evm/given.ts';
import { bytesOf, memo, stranger, WALLET, wallet } from '../solana/given.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOST = 'pay.example.com';
const EVM = { chain: 'evm', address: PAYER } as const;
const SOLANA = { chain: 'solana', address: wallet.toBase58() } as const;

const review = (message: string, more: Partial<ChallengeInput> = {}) =>
  reviewChallenge({ message, key: EVM, now: NOW, host: HOST, ...more });

/** The ids of the checks that are not fine, each with its verdict. */
const wrongs = (message: string, more: Partial<ChallengeInput> = {}) =>
  review(message, more)
    .checks.filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

const signIn = (account: string, address: string, more = ''): string =>
  [
    `pay.example.com wants you to sign in with your ${account} account:`,
    address,
    '',
    'Prove that this wallet is yours.',
    '',
    'URI: https://pay.example.com/kyc',
    'Version: 1',
    'Chain ID: 1',
    'Nonce: 9Q4NFmt5Vx8jNbVRLpW4appujLW5Q27XFFxN61q2RWRf',
    `Issued At: 2026-11-21T07:59:00Z${more}`,
  ].join('\n');

describe('a challenge that is what it should be is fine', () => {
  it.each<[string, string, Partial<ChallengeInput>]>([
    ['several lines', `Prove it.\n\nWallet: ${PAYER}\nChain: evm\nNonce: 00ff\n`, {}],
    ['several lines of Windows, with tabs', `Prove it.\r\n\tWallet: ${PAYER}\r\n`, {}],
    ['JSON', `{"wallet":"${PAYER.toLowerCase()}","nonce":"${'a'.repeat(32)}","purpose":"kyc"}`, {}],
    ['one line in another script', 'Доказательство владения кошельком ✓', {}],
    ['Ethereum', signIn('Ethereum', PAYER), { host: 'pay.example.com' }],
    ['Solana', signIn('Solana', wallet.toBase58()), { key: SOLANA, host: 'api.pay.example.com' }],
    ['Solana in plain words', `Wallet: ${wallet.toBase58()}\nChain: solana`, { key: SOLANA, walletChain: 'solana' }],
  ])('%s', (_, message, more) => {
    expect(wrongs(message, { wallet: more.key?.address ?? PAYER, ...more })).toEqual([]);
  });

  it('its domain and its expiry are shown where the text has them', () => {
    const text = signIn('Ethereum', PAYER, '\nExpiration Time: 2026-11-21T08:10:00Z');
    expect(review(text)).toMatchObject({ domain: 'pay.example.com', expires: '2026-11-21T08:10:00Z', verdict: 'pass' });
    expect(review('Prove it.\nExpires: 2026-11-21T08:10:00.000Z')).toMatchObject({
      expires: '2026-11-21T08:10:00.000Z',
    });
    expect(review('Prove it.')).not.toHaveProperty('expires');
  });
});

describe('a challenge that would sign something else is refused', () => {
  const message = Buffer.from(bytesOf([memo('x')])).subarray(65);
  const other = '0x1111111111111111111111111111111111111111';
  it.each<[string, string, Partial<ChallengeInput>, string]>([
    ['empty', '', {}, 'text refuse'],
    ['nothing but blanks', ' \n ', {}, 'text refuse'],
    ['a control character', 'Prove it.\u0007', {}, 'text refuse'],
    ['an escape sequence', 'Prove it.\u001b[8m', {}, 'text refuse'],
    ['a bidi override', 'Prove \u202eit.', {}, 'text refuse'],
    ['an invisible character', 'Prove\u200bit.', {}, 'text refuse'],
    ['half of a character', 'Prove \ud800 it.', {}, 'text refuse'],
    ['a transaction as base64', Buffer.from(bytesOf([memo('x')])).toString('base64'), { key: SOLANA }, 'text refuse'],
    ['a transaction’s message as base58', bs58.encode(message), { key: SOLANA }, 'text refuse'],
    ['a transaction as base64, for an EVM key', Buffer.from(message).toString('base64'), {}, 'text refuse'],
    ['more than anybody reads', `Prove it.\n${'x\n'.repeat(5_000)}`, {}, 'text refuse'],
    ['the wallet of another in the answer', 'Prove it.', { wallet: other }, 'wallet refuse'],
    ['another wallet in the text', `Wallet: ${other}`, {}, 'wallet refuse'],
    ['another wallet after a nonce', `Nonce: 00ff, and ${other} is mine`, {}, 'wallet refuse'],
    ['another wallet beside a nonce', `{\n"nonce": "00ff", "wallet": "${other}"\n}`, {}, 'wallet refuse'],
    ['ours, and another', `${PAYER} gives all to ${other}`, {}, 'wallet refuse'],
    ['a Solana wallet for an EVM key', `Wallet: ${stranger.toBase58()}`, {}, 'wallet refuse'],
    ['another Solana wallet', `{"wallet":"${stranger.toBase58()}"}`, { key: SOLANA }, 'wallet refuse'],
    ['another wallet to sign in', signIn('Ethereum', other), {}, 'wallet refuse'],
    ['no wallet to sign in', signIn('Ethereum', 'somebody'), {}, 'wallet refuse'],
    ['another chain in the answer', 'Prove it.', { walletChain: 'solana' }, 'chain refuse'],
    ['another chain in the text', 'Prove it.\nChain: evm', { key: SOLANA }, 'chain refuse'],
    ['a sign-in of another chain', signIn('Solana', PAYER), {}, 'chain refuse'],
    ['expired', 'Prove it.\nExpires: 2026-11-21T07:59:59Z', {}, 'expiry refuse'],
    ['expired sign-in', signIn('Ethereum', PAYER, '\nExpiration Time: 2026-11-21T08:00:00Z'), {}, 'expiry refuse'],
    ['not valid yet', signIn('Ethereum', PAYER, '\nNot Before: 2026-11-21T08:00:01Z'), {}, 'expiry refuse'],
  ])('%s', (_, text, more, wrong) => {
    expect(wrongs(text, more)).toContain(wrong);
    expect(failureOf(() => signChallenge(review(text, more), 'confirmed', KEY)).code).toBe('refused_by_review');
  });

  it('a sign-in at another site than the one that gave it needs a yes', () => {
    for (const host of ['api.attacker.example', 'example.com.attacker', undefined]) {
      expect(wrongs(signIn('Ethereum', PAYER), { host })).toEqual(['domain confirm', 'domain confirm']);
    }
    const doubtful = review(signIn('Ethereum', PAYER), { host: 'api.attacker.example' });
    expect(failureOf(() => signChallenge(doubtful, 'pass', KEY)).code).toBe('refused_by_review');
    expect(signChallenge(doubtful, 'confirmed', KEY)).toMatch(/^0x/);
  });

  it.each(['attacker.example/.pay.example.com', 'attacker.example?.pay.example.com', 'pay@x.pay.example.com'])(
    'a sign-in at %s needs a yes, for that is no host',
    (domain) => {
      const text = signIn('Ethereum', PAYER).replace('pay.example.com', domain);
      expect(wrongs(text)).toContain('domain confirm');
    },
  );

  it.each([
    'Only sign this request if you initiated the verification of your identity.',
    'Verification of your identity. Never sign this message elsewhere.',
    'Please do not sign this on another site. Verification of your identity, nonce: 1',
  ])('a text that says itself where it may be signed has to name the service: %s', (text) => {
    expect(wrongs(text)).toContain('purpose confirm');
    expect(wrongs(`${text}\nSite: pay.example.com`)).toEqual([]);
    expect(failureOf(() => signChallenge(review(text), 'pass', KEY)).code).toBe('refused_by_review');
  });

  it('an expiry that is no time needs a yes', () => {
    expect(wrongs('Prove that this wallet is yours.\nExpires: later')).toEqual(['expiry confirm']);
  });
});

describe('the signature', () => {
  it('of EVM is a personal message, also where the text looks like hex', () => {
    for (const text of ['Prove that you own it.', '0xdeadbeef']) {
      expect(verifyMessage(text, signChallenge(review(text), 'confirmed', KEY))).toBe(PAYER);
    }
  });

  it('of Solana is a detached ed25519 signature of the bytes, in base58', () => {
    const text = `Prove it: ${wallet.toBase58()}`;
    const signature = signChallenge(review(text, { key: SOLANA }), 'pass', WALLET.secretKey.subarray(0, 32));
    expect(nacl.sign.detached.verify(Buffer.from(text), bs58.decode(signature), wallet.toBytes())).toBe(true);
  });

  it('is not given by the key of somebody else', () => {
    const other = Keypair.generate().secretKey.subarray(0, 32);
    expect(failureOf(() => signChallenge(review('Prove it.', { key: SOLANA }), 'pass', other)).code).toBe(
      'refused_by_review',
    );
    expect(failureOf(() => signChallenge(review('Prove it.'), 'pass', new Uint8Array(32).fill(9))).code).toBe(
      'refused_by_review',
    );
  });
});
