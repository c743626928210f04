import bs58 from 'bs58';
import { Wallet } from 'ethers/wallet';
import { expect, test } from 'vitest';
import {
  advance,
  challengeFor,
  decide,
  evmOwner,
  prepareWallet,
  proveEmail,
  solanaOwner,
  statusOfUser,
} from './identity.ts';
import { startEphemeral } from './sandbox.ts';

const EMAIL = 'payer@example.com';
const EVM = '0xdB00079cad3e665853Bf766eFe26F4C38cdbdCDA';

test.each([
  ['in lower case', EVM.toLowerCase()],
  ['in upper case', `0x${EVM.slice(2).toUpperCase()}`],
  ['with its checksum', EVM],
  ['with spaces around', ` ${EVM} `],
])('returns a challenge with the checksummed address for an EVM wallet %s', async (_, wallet) => {
  const { post } = await startEphemeral();
  const { http, body } = await post('/security/wallet/challenge', { wallet });
  expect([http, body.status]).toEqual([201, 'challenge_created']);
  expect(body.data).toMatchObject({ wallet: EVM, wallet_chain: 'evm' });
  expect(body.data.message).toContain(EVM);
  expect(body.data.message).toMatch(/^[\x20-\x7e\n]+$/);
});

test('returns a challenge with wallet_chain solana for a Solana wallet', async () => {
  const { post } = await startEphemeral();
  const { wallet } = solanaOwner();
  const { body } = await post('/security/wallet/challenge', { wallet, purpose: 'kyc' });
  expect(body.data).toMatchObject({ wallet, wallet_chain: 'solana' });
  expect(body.data.message).toContain(wallet);
});

test.each([
  ['no wallet', undefined],
  ['an empty text', ''],
  ['a wrong checksum', '0xDb00079cad3e665853Bf766eFe26F4C38cdbdCDA'],
  ['a short EVM address', EVM.slice(0, -1)],
  ['the zero address', `0x${'0'.repeat(40)}`],
  ['31 bytes of base58', bs58.encode(new Uint8Array(31).fill(7))],
  ['33 bytes of base58', bs58.encode(new Uint8Array(33).fill(7))],
  ['the system program', '1'.repeat(32)],
  ['text outside base58', '0OIl'.repeat(9)],
  ['a number', 5],
])('returns invalid_wallet for %s', async (_, wallet) => {
  const { http, body } = await (await startEphemeral()).post('/security/wallet/challenge', { wallet });
  expect([http, body.status]).toEqual([400, 'invalid_wallet']);
});

test.each([
  ['EVM', evmOwner],
  ['Solana', solanaOwner],
])('prepares the owner of a wallet (%s) once, and finds the owner by the wallet', async (_, newOwner) => {
  const sandbox = await startEphemeral();
  const owner = newOwner();
  const first = await prepareWallet(sandbox, owner);
  const user = { email_verified: false, wallet_verified: true, kyc_approved: false, kyc_status: 'pending' };
  expect([first.http, first.body.status, first.body.data]).toEqual([201, 'user_prepared', user]);
  const again = await prepareWallet(sandbox, owner);
  expect([again.http, again.body.status, again.body.data]).toEqual([200, 'user_already_prepared', user]);
  expect((await statusOfUser(sandbox, { wallet: owner.wallet })).body.status).toBe('kyc_status_retrieved');
});

test('accepts an EVM signature without 0x for a wallet in lower case', async () => {
  const sandbox = await startEphemeral();
  const { wallet, sign } = evmOwner();
  const message = await challengeFor(sandbox, wallet.toLowerCase());
  const signed_bytes = (await sign(message)).slice(2);
  const body = { wallet: wallet.toLowerCase(), message, signed_bytes };
  expect((await sandbox.post('/kyc/prepare-wallet', body)).http).toBe(201);
  expect((await statusOfUser(sandbox, { wallet })).http).toBe(200);
});

test.each([
  ['EVM', evmOwner],
  ['Solana', solanaOwner],
])(
  'returns invalid_signature for a wrong proof of a wallet (%s), and keeps the challenge open',
  async (_, newOwner) => {
    const sandbox = await startEphemeral();
    const [owner, stranger] = [newOwner(), newOwner()];
    const { wallet } = owner;
    const message = await challengeFor(sandbox, wallet);
    const rightSignature = await owner.sign(message);
    const ownText = 'A text of my own';
    const attempts = [
      { signed_bytes: await stranger.sign(message) },
      { signed_bytes: await owner.sign(`${message} `) },
      { message: `${message} `, signed_bytes: await owner.sign(`${message} `) },
      { message: ownText, signed_bytes: await owner.sign(ownText) },
      { signed_bytes: rightSignature.slice(0, -2) },
      { signed_bytes: `${rightSignature}00` },
      { signed_bytes: '0x' },
      { signed_bytes: 'é'.repeat(50) },
      { signed_bytes: '1'.repeat(100_000) },
      { wallet: stranger.wallet, signed_bytes: await stranger.sign(message) },
      { wallet: 'nobody' },
    ];
    for (const attempt of attempts) {
      const { http, body } = await sandbox.post('/kyc/prepare-wallet', {
        wallet,
        message,
        signed_bytes: rightSignature,
        ...attempt,
      });
      expect([JSON.stringify(attempt).slice(0, 80), http, body.status]).toEqual([
        JSON.stringify(attempt).slice(0, 80),
        401,
        'invalid_signature',
      ]);
    }
    const accepted = await sandbox.post('/kyc/prepare-wallet', { wallet, message, signed_bytes: rightSignature });
    expect(accepted.body.status).toBe('user_prepared');
  },
);

/** The order L of ed25519's group (RFC 8032). A verifier that does not check S < L also accepts S + L. */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

const withAnotherS = (signature: string): string => {
  const bytes = bs58.decode(signature);
  const s = BigInt(`0x${Buffer.from(bytes.slice(32)).reverse().toString('hex')}`) + GROUP_ORDER;
  bytes.set(Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse(), 32);
  return bs58.encode(bytes);
};

test('rejects Solana signatures that some ed25519 verifiers accept: S + L, and a key of small order', async () => {
  const sandbox = await startEphemeral();
  const { wallet, sign } = solanaOwner();
  const forged = { wallet, sign: async (message: string) => withAnotherS(await sign(message)) };
  const neutral = new Uint8Array(32);
  neutral[0] = 1;
  const smallOrder = {
    wallet: bs58.encode(neutral),
    sign: async () => bs58.encode([...neutral, ...new Uint8Array(32)]),
  };
  for (const owner of [forged, smallOrder]) {
    const { http, body } = await prepareWallet(sandbox, owner);
    expect([http, body.status]).toEqual([401, 'invalid_signature']);
  }
  expect((await prepareWallet(sandbox, { wallet, sign })).http).toBe(201);
});

test('returns invalid_signature for a signature of raw bytes instead of the message', async () => {
  const sandbox = await startEphemeral();
  const key = Wallet.createRandom();
  const message = await challengeFor(sandbox, key.address);
  const raw = key.signingKey.sign(`0x${'11'.repeat(32)}`).serialized;
  const { body } = await sandbox.post('/kyc/prepare-wallet', { wallet: key.address, message, signed_bytes: raw });
  expect(body.status).toBe('invalid_signature');
});

test('returns invalid_signature for a Solana wallet of small order, for which anyone can forge signatures', async () => {
  const sandbox = await startEphemeral();
  const neutral = Uint8Array.of(1, ...new Uint8Array(31));
  const wallet = bs58.encode(neutral);
  const message = await challengeFor(sandbox, wallet);
  const signed_bytes = bs58.encode(Uint8Array.of(...neutral, ...new Uint8Array(32)));
  const { http, body } = await sandbox.post('/kyc/prepare-wallet', { wallet, message, signed_bytes });
  expect([http, body.status]).toEqual([401, 'invalid_signature']);
});

test('accepts a challenge once when its signature is sent ten times at the same time', async () => {
  const sandbox = await startEphemeral();
  const { wallet, sign } = solanaOwner();
  const message = await challengeFor(sandbox, wallet);
  const body = { wallet, message, signed_bytes: await sign(message) };
  const answers = await Promise.all(Array.from({ length: 10 }, () => sandbox.post('/kyc/prepare-wallet', body)));
  expect(answers.filter(({ http }) => http === 201)).toHaveLength(1);
  expect(answers.filter(({ body: { status } }) => status === 'invalid_signature')).toHaveLength(9);
});

test('rejects a challenge after ten minutes of the sandbox’s clock', async () => {
  const sandbox = await startEphemeral();
  const { wallet, sign } = evmOwner();
  const [one, other] = [await challengeFor(sandbox, wallet), await challengeFor(sandbox, wallet)];
  expect(one).not.toBe(other);
  const sendSignature = async (message: string) =>
    (await sandbox.post('/kyc/prepare-wallet', { wallet, message, signed_bytes: await sign(message) })).body.status;
  await advance(sandbox, '+9m50s');
  expect(await sendSignature(one)).toBe('user_prepared');
  await advance(sandbox, '+10s');
  expect(await sendSignature(other)).toBe('invalid_signature');
});

test('rejects a challenge for another purpose, and a purpose with a line break', async () => {
  const { post } = await startEphemeral();
  const { wallet, sign } = evmOwner();
  const { message } = (await post('/security/wallet/challenge', { wallet, purpose: 'login' })).body.data;
  const body = { wallet, message, signed_bytes: await sign(message) };
  expect((await post('/kyc/prepare-wallet', body)).body.status).toBe('invalid_signature');
  const forged = await post('/security/wallet/challenge', { wallet, purpose: 'kyc\nWallet: 0x1' });
  expect([forged.http, forged.body.status]).toEqual([400, 'invalid_wallet']);
});

test('returns missing_params for missing fields of prepare-wallet', async () => {
  const { post } = await startEphemeral();
  for (const body of [{}, { wallet: EVM }, { wallet: EVM, message: 'm' }, { message: 'm', signed_bytes: 's' }]) {
    const answer = await post('/kyc/prepare-wallet', body);
    expect([answer.http, answer.body.status]).toEqual([400, 'missing_params']);
  }
});

test('returns wallet_already_linked for another e-mail of a linked wallet', async () => {
  const sandbox = await startEphemeral();
  const owner = evmOwner();
  expect((await prepareWallet(sandbox, owner, EMAIL)).http).toBe(201);
  expect((await prepareWallet(sandbox, owner, 'PAYER@example.com')).http).toBe(200);
  expect((await prepareWallet(sandbox, owner)).http).toBe(200);
  const answer = await prepareWallet(sandbox, owner, 'other@example.com');
  expect([answer.http, answer.body.status]).toEqual([409, 'wallet_already_linked']);
});

test('returns email_already_linked for another wallet of a linked e-mail, and keeps the challenge open', async () => {
  const sandbox = await startEphemeral();
  await prepareWallet(sandbox, solanaOwner(), EMAIL);
  const { wallet, sign } = evmOwner();
  const message = await challengeFor(sandbox, wallet);
  const body = { wallet, message, signed_bytes: await sign(message) };
  const answer = await sandbox.post('/kyc/prepare-wallet', { ...body, email: EMAIL });
  expect([answer.http, answer.body.status]).toEqual([409, 'email_already_linked']);
  expect((await statusOfUser(sandbox, { wallet })).body.status).toBe('kyc_not_found');
  expect((await sandbox.post('/kyc/prepare-wallet', body)).body.status).toBe('user_prepared');
});

test('links a new wallet to the user prepared by e-mail', async () => {
  const sandbox = await startEphemeral();
  const owner = solanaOwner();
  await proveEmail(sandbox, EMAIL);
  const answer = await prepareWallet(sandbox, owner, EMAIL);
  expect([answer.http, answer.body.data.email_verified]).toEqual([201, true]);
  await decide(sandbox, 'approve', { email: EMAIL });
  expect((await statusOfUser(sandbox, { wallet: owner.wallet })).body.data.approved).toBe(true);
});

test('merges an e-mail user and a wallet user, and keeps the more advanced KYC state', async () => {
  const sandbox = await startEphemeral();
  const owner = evmOwner();
  await proveEmail(sandbox, EMAIL);
  await decide(sandbox, 'approve', { email: EMAIL });
  await prepareWallet(sandbox, owner);
  const answer = await prepareWallet(sandbox, owner, EMAIL);
  expect([answer.http, answer.body.data]).toEqual([
    200,
    { email_verified: true, wallet_verified: true, kyc_approved: true, kyc_status: 'approved' },
  ]);
  for (const identity of [{ email: EMAIL }, { wallet: owner.wallet }]) {
    expect((await statusOfUser(sandbox, identity)).body.data.status).toBe('approved');
  }
});
