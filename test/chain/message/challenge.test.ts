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

/** The ids of the checks that do not pass, each with its verdict. */
const failedChecks = (message: string, more: Partial<ChallengeInput> = {}) =>
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

describe('the review of a challenge passes', () => {
  it.each<[string, string, Partial<ChallengeInput>]>([
    ['for several lines', `Prove it.\n\nWallet: ${PAYER}\nChain: evm\nNonce: 00ff\n`, {}],
    ['for several lines with CRLF and tabs', `Prove it.\r\n\tWallet: ${PAYER}\r\n`, {}],
    ['for JSON', `{"wallet":"${PAYER.toLowerCase()}","nonce":"${'a'.repeat(32)}","purpose":"kyc"}`, {}],
    ['for one line in Cyrillic', 'Доказательство владения кошельком ✓', {}],
    ['for a sign-in message of Ethereum', signIn('Ethereum', PAYER), { host: 'pay.example.com' }],
    [
      'for a sign-in message of Solana',
      signIn('Solana', wallet.toBase58()),
      { key: SOLANA, host: 'api.pay.example.com' },
    ],
    [
      'for plain text with a Solana wallet',
      `Wallet: ${wallet.toBase58()}\nChain: solana`,
      { key: SOLANA, walletChain: 'solana' },
    ],
  ])('%s', (_, message, more) => {
    expect(failedChecks(message, { wallet: more.key?.address ?? PAYER, ...more })).toEqual([]);
  });

  it('and shows the domain and the expiry of the text, if present', () => {
    const text = signIn('Ethereum', PAYER, '\nExpiration Time: 2026-11-21T08:10:00Z');
    expect(review(text)).toMatchObject({ domain: 'pay.example.com', expires: '2026-11-21T08:10:00Z', verdict: 'pass' });
    expect(review('Prove it.\nExpires: 2026-11-21T08:10:00.000Z')).toMatchObject({
      expires: '2026-11-21T08:10:00.000Z',
    });
    expect(review('Prove it.')).not.toHaveProperty('expires');
  });
});

describe('the review of a challenge refuses', () => {
  const message = Buffer.from(bytesOf([memo('x')])).subarray(65);
  const other = '0x1111111111111111111111111111111111111111';
  it.each<[string, string, Partial<ChallengeInput>, string]>([
    ['an empty text', '', {}, 'text refuse'],
    ['blanks', ' \n ', {}, 'text refuse'],
    ['a control character', 'Prove it.\u0007', {}, 'text refuse'],
    ['an escape sequence', 'Prove it.\u001b[8m', {}, 'text refuse'],
    ['a bidi override', 'Prove \u202eit.', {}, 'text refuse'],
    ['an invisible character', 'Prove\u200bit.', {}, 'text refuse'],
    ['a lone surrogate', 'Prove \ud800 it.', {}, 'text refuse'],
    ['a transaction as base64', Buffer.from(bytesOf([memo('x')])).toString('base64'), { key: SOLANA }, 'text refuse'],
    ['a transaction’s message as base58', bs58.encode(message), { key: SOLANA }, 'text refuse'],
    ['a transaction as base64, for an EVM key', Buffer.from(message).toString('base64'), {}, 'text refuse'],
    ['a text of 5,000 lines', `Prove it.\n${'x\n'.repeat(5_000)}`, {}, 'text refuse'],
    ['another wallet in the response', 'Prove it.', { wallet: other }, 'wallet refuse'],
    ['another wallet in the text', `Wallet: ${other}`, {}, 'wallet refuse'],
    ['another wallet after a nonce', `Nonce: 00ff, and ${other} is mine`, {}, 'wallet refuse'],
    ['another wallet beside a nonce', `{\n"nonce": "00ff", "wallet": "${other}"\n}`, {}, 'wallet refuse'],
    ['the wallet of the key beside another wallet', `${PAYER} gives all to ${other}`, {}, 'wallet refuse'],
    ['a Solana wallet for an EVM key', `Wallet: ${stranger.toBase58()}`, {}, 'wallet refuse'],
    ['another Solana wallet', `{"wallet":"${stranger.toBase58()}"}`, { key: SOLANA }, 'wallet refuse'],
    ['a sign-in message with another wallet', signIn('Ethereum', other), {}, 'wallet refuse'],
    ['a sign-in message without a wallet', signIn('Ethereum', 'somebody'), {}, 'wallet refuse'],
    ['another chain in the response', 'Prove it.', { walletChain: 'solana' }, 'chain refuse'],
    ['another chain in the text', 'Prove it.\nChain: evm', { key: SOLANA }, 'chain refuse'],
    ['a sign-in message of another chain', signIn('Solana', PAYER), {}, 'chain refuse'],
    ['an expired text', 'Prove it.\nExpires: 2026-11-21T07:59:59Z', {}, 'expiry refuse'],
    [
      'an expired sign-in message',
      signIn('Ethereum', PAYER, '\nExpiration Time: 2026-11-21T08:00:00Z'),
      {},
      'expiry refuse',
    ],
    [
      'a sign-in message that is not valid yet',
      signIn('Ethereum', PAYER, '\nNot Before: 2026-11-21T08:00:01Z'),
      {},
      'expiry refuse',
    ],
  ])('%s', (_, text, more, expected) => {
    expect(failedChecks(text, more)).toContain(expected);
    expect(failureOf(() => signChallenge(review(text, more), 'confirmed', KEY)).code).toBe('refused_by_review');
  });

  it('a sign-in message for another site, until the user confirms', () => {
    for (const host of ['api.attacker.example', 'example.com.attacker', undefined]) {
      expect(failedChecks(signIn('Ethereum', PAYER), { host })).toEqual(['domain confirm', 'domain confirm']);
    }
    const doubtful = review(signIn('Ethereum', PAYER), { host: 'api.attacker.example' });
    expect(failureOf(() => signChallenge(doubtful, 'pass', KEY)).code).toBe('refused_by_review');
    expect(signChallenge(doubtful, 'confirmed', KEY)).toMatch(/^0x/);
  });

  it.each(['attacker.example/.pay.example.com', 'attacker.example?.pay.example.com', 'pay@x.pay.example.com'])(
    'a sign-in message for %s, which is not a host, until the user confirms',
    (domain) => {
      const text = signIn('Ethereum', PAYER).replace('pay.example.com', domain);
      expect(failedChecks(text)).toContain('domain confirm');
    },
  );

  it.each([
    'Only sign this request if you initiated the verification of your identity.',
    'Verification of your identity. Never sign this message elsewhere.',
    'Please do not sign this on another site. Verification of your identity, nonce: 1',
  ])('a text that limits where it may be signed and does not name the service, until the user confirms: %s', (text) => {
    expect(failedChecks(text)).toContain('purpose confirm');
    expect(failedChecks(`${text}\nSite: pay.example.com`)).toEqual([]);
    expect(failureOf(() => signChallenge(review(text), 'pass', KEY)).code).toBe('refused_by_review');
  });

  it('an expiry that is not a time, until the user confirms', () => {
    expect(failedChecks('Prove that this wallet is yours.\nExpires: later')).toEqual(['expiry confirm']);
  });
});

describe('the signature of a challenge', () => {
  it('with an EVM key is that of a personal message, even for a text that looks like hex', () => {
    for (const text of ['Prove that you own it.', '0xdeadbeef']) {
      expect(verifyMessage(text, signChallenge(review(text), 'confirmed', KEY))).toBe(PAYER);
    }
  });

  it('with a Solana key is a detached ed25519 signature of the bytes in base58', () => {
    const text = `Prove it: ${wallet.toBase58()}`;
    const signature = signChallenge(review(text, { key: SOLANA }), 'pass', WALLET.secretKey.subarray(0, 32));
    expect(nacl.sign.detached.verify(Buffer.from(text), bs58.decode(signature), wallet.toBytes())).toBe(true);
  });

  it('is refused for a key that is not the reviewed wallet', () => {
    const other = Keypair.generate().secretKey.subarray(0, 32);
    expect(failureOf(() => signChallenge(review('Prove it.', { key: SOLANA }), 'pass', other)).code).toBe(
      'refused_by_review',
    );
    expect(failureOf(() => signChallenge(review('Prove it.'), 'pass', new Uint8Array(32).fill(9))).code).toBe(
      'refused_by_review',
    );
  });
});
