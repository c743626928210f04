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
])('an EVM wallet %s becomes the one with its checksum, and the challenge names it', async (_, wallet) => {
  const { post } = await startEphemeral();
  const { http, body } = await post('/security/wallet/challenge', { wallet });
  expect([http, body.status]).toEqual([201, 'challenge_created']);
  expect(body.data).toMatchObject({ wallet: EVM, wallet_chain: 'evm' });
  expect(body.data.message).toContain(EVM);
  expect(body.data.message).toMatch(/^[\x20-\x7e\n]+$/);
});

test('a Solana wallet is known as one', async () => {
  const { post } = await startEphemeral();
  const { wallet } = solanaOwner();
  const { body } = await post('/security/wallet/challenge', { wallet, purpose: 'kyc' });
  expect(body.data).toMatchObject({ wallet, wallet_chain: 'solana' });
  expect(body.data.message).toContain(wallet);
});

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['a wrong checksum', '0xDb00079cad3e665853Bf766eFe26F4C38cdbdCDA'],
  ['a short EVM address', EVM.slice(0, -1)],
  ['the zero address', `0x${'0'.repeat(40)}`],
  ['31 bytes of base58', bs58.encode(new Uint8Array(31).fill(7))],
  ['33 bytes of base58', bs58.encode(new Uint8Array(33).fill(7))],
  ['the system program', '1'.repeat(32)],
  ['text outside base58', '0OIl'.repeat(9)],
  ['a number', 5],
])('%s is invalid_wallet', async (_, wallet) => {
  const { http, body } = await (await startEphemeral()).post('/security/wallet/challenge', { wallet });
  expect([http, body.status]).toEqual([400, 'invalid_wallet']);
});

test.each([
  ['EVM', evmOwner],
  ['Solana', solanaOwner],
])('the owner of an %s wallet is prepared once, and known by it', async (_, newOwner) => {
  const sandbox = await startEphemeral();
  const owner = newOwner();
  const first = await prepareWallet(sandbox, owner);
  const user = { email_verified: false, wallet_verified: true, kyc_approved: false, kyc_status: 'pending' };
  expect([first.http, first.body.status, first.body.data]).toEqual([201, 'user_prepared', user]);
  const again = await prepareWallet(sandbox, owner);
  expect([again.http, again.body.status, again.body.data]).toEqual([200, 'user_already_prepared', user]);
  expect((await statusOfUser(sandbox, { wallet: owner.wallet })).body.status).toBe('kyc_status_retrieved');
});

test('an EVM signature counts with or without 0x, for the wallet in any case', async () => {
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
])('what does not prove an %s wallet is invalid_signature, and the challenge stays open', async (_, newOwner) => {
  const sandbox = await startEphemeral();
  const [owner, stranger] = [newOwner(), newOwner()];
  const { wallet } = owner;
  const message = await challengeFor(sandbox, wallet);
  const good = await owner.sign(message);
  const own = 'A text of my own';
  const attempts = [
    { signed_bytes: await stranger.sign(message) },
    { signed_bytes: await owner.sign(`${message} `) },
    { message: `${message} `, signed_bytes: await owner.sign(`${message} `) },
    { message: own, signed_bytes: await owner.sign(own) },
    { signed_bytes: good.slice(0, -2) },
    { signed_bytes: `${good}00` },
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
      signed_bytes: good,
      ...attempt,
    });
    expect([JSON.stringify(attempt).slice(0, 80), http, body.status]).toEqual([
      JSON.stringify(attempt).slice(0, 80),
      401,
      'invalid_signature',
    ]);
  }
  const proven = await sandbox.post('/kyc/prepare-wallet', { wallet, message, signed_bytes: good });
  expect(proven.body.status).toBe('user_prepared');
});

/** The order of ed25519's group (RFC 8032): S and S + L are the same number to a careless verifier. */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

const withAnotherS = (signature: string): string => {
  const bytes = bs58.decode(signature);
  const s = BigInt(`0x${Buffer.from(bytes.slice(32)).reverse().toString('hex')}`) + GROUP_ORDER;
  bytes.set(Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse(), 32);
  return bs58.encode(bytes);
};

test('a Solana signature that one of two implementations takes is no proof: another S, a key of small order', async () => {
  const sandbox = await startEphemeral();
  const { wallet, sign } = solanaOwner();
  const forged = { wallet, sign: async (message: string) => withAnotherS(await sign(message)) };
  const nobody = new Uint8Array(32);
  nobody[0] = 1;
  const anyone = { wallet: bs58.encode(nobody), sign: async () => bs58.encode([...nobody, ...new Uint8Array(32)]) };
  for (const owner of [forged, anyone]) {
    const { http, body } = await prepareWallet(sandbox, owner);
    expect([http, body.status]).toEqual([401, 'invalid_signature']);
  }
  expect((await prepareWallet(sandbox, { wallet, sign })).http).toBe(201);
});

test('a signature of a transaction hash or of raw bytes is no personal message', async () => {
  const sandbox = await startEphemeral();
  const key = Wallet.createRandom();
  const message = await challengeFor(sandbox, key.address);
  const raw = key.signingKey.sign(`0x${'11'.repeat(32)}`).serialized;
  const { body } = await sandbox.post('/kyc/prepare-wallet', { wallet: key.address, message, signed_bytes: raw });
  expect(body.status).toBe('invalid_signature');
});

test('a Solana wallet of small order, for which everybody can forge a signature, is invalid_signature', async () => {
  const sandbox = await startEphemeral();
  const neutral = Uint8Array.of(1, ...new Uint8Array(31));
  const wallet = bs58.encode(neutral);
  const message = await challengeFor(sandbox, wallet);
  const signed_bytes = bs58.encode(Uint8Array.of(...neutral, ...new Uint8Array(32)));
  const { http, body } = await sandbox.post('/kyc/prepare-wallet', { wallet, message, signed_bytes });
  expect([http, body.status]).toEqual([401, 'invalid_signature']);
});

test('a challenge proves once, also when it is answered ten times at once', async () => {
  const sandbox = await startEphemeral();
  const { wallet, sign } = solanaOwner();
  const message = await challengeFor(sandbox, wallet);
  const body = { wallet, message, signed_bytes: await sign(message) };
  const seen = await Promise.all(Array.from({ length: 10 }, () => sandbox.post('/kyc/prepare-wallet', body)));
  expect(seen.filter(({ http }) => http === 201)).toHaveLength(1);
  expect(seen.filter(({ body: { status } }) => status === 'invalid_signature')).toHaveLength(9);
});

test('a challenge lives ten minutes of the sandbox’s time', async () => {
  const sandbox = await startEphemeral();
  const { wallet, sign } = evmOwner();
  const [one, other] = [await challengeFor(sandbox, wallet), await challengeFor(sandbox, wallet)];
  expect(one).not.toBe(other);
  const answer = async (message: string) =>
    (await sandbox.post('/kyc/prepare-wallet', { wallet, message, signed_bytes: await sign(message) })).body.status;
  await advance(sandbox, '+9m50s');
  expect(await answer(one)).toBe('user_prepared');
  await advance(sandbox, '+10s');
  expect(await answer(other)).toBe('invalid_signature');
});

test('a challenge for another purpose does not prepare, and a purpose cannot write lines of its own', async () => {
  const { post } = await startEphemeral();
  const { wallet, sign } = evmOwner();
  const { message } = (await post('/security/wallet/challenge', { wallet, purpose: 'login' })).body.data;
  const body = { wallet, message, signed_bytes: await sign(message) };
  expect((await post('/kyc/prepare-wallet', body)).body.status).toBe('invalid_signature');
  const forged = await post('/security/wallet/challenge', { wallet, purpose: 'kyc\nWallet: 0x1' });
  expect([forged.http, forged.body.status]).toEqual([400, 'invalid_wallet']);
});

test('missing fields are missing_params', async () => {
  const { post } = await startEphemeral();
  for (const body of [{}, { wallet: EVM }, { wallet: EVM, message: 'm' }, { message: 'm', signed_bytes: 's' }]) {
    const seen = await post('/kyc/prepare-wallet', body);
    expect([seen.http, seen.body.status]).toEqual([400, 'missing_params']);
  }
});

test('a wallet that has an e-mail takes no other one: wallet_already_linked', async () => {
  const sandbox = await startEphemeral();
  const owner = evmOwner();
  expect((await prepareWallet(sandbox, owner, EMAIL)).http).toBe(201);
  expect((await prepareWallet(sandbox, owner, 'PAYER@example.com')).http).toBe(200);
  expect((await prepareWallet(sandbox, owner)).http).toBe(200);
  const seen = await prepareWallet(sandbox, owner, 'other@example.com');
  expect([seen.http, seen.body.status]).toEqual([409, 'wallet_already_linked']);
});

test('an e-mail that has a wallet takes no other one: email_already_linked, and the challenge stays open', async () => {
  const sandbox = await startEphemeral();
  await prepareWallet(sandbox, solanaOwner(), EMAIL);
  const { wallet, sign } = evmOwner();
  const message = await challengeFor(sandbox, wallet);
  const body = { wallet, message, signed_bytes: await sign(message) };
  const seen = await sandbox.post('/kyc/prepare-wallet', { ...body, email: EMAIL });
  expect([seen.http, seen.body.status]).toEqual([409, 'email_already_linked']);
  expect((await statusOfUser(sandbox, { wallet })).body.status).toBe('kyc_not_found');
  expect((await sandbox.post('/kyc/prepare-wallet', body)).body.status).toBe('user_prepared');
});

test('a wallet joins the user that was prepared by e-mail, and is new there', async () => {
  const sandbox = await startEphemeral();
  const owner = solanaOwner();
  await proveEmail(sandbox, EMAIL);
  const seen = await prepareWallet(sandbox, owner, EMAIL);
  expect([seen.http, seen.body.data.email_verified]).toEqual([201, true]);
  await decide(sandbox, 'approve', { email: EMAIL });
  expect((await statusOfUser(sandbox, { wallet: owner.wallet })).body.data.approved).toBe(true);
});

test('two records of one person become one, and the state that is further counts', async () => {
  const sandbox = await startEphemeral();
  const owner = evmOwner();
  await proveEmail(sandbox, EMAIL);
  await decide(sandbox, 'approve', { email: EMAIL });
  await prepareWallet(sandbox, owner);
  const seen = await prepareWallet(sandbox, owner, EMAIL);
  expect([seen.http, seen.body.data]).toEqual([
    200,
    { email_verified: true, wallet_verified: true, kyc_approved: true, kyc_status: 'approved' },
  ]);
  for (const named of [{ email: EMAIL }, { wallet: owner.wallet }]) {
    expect((await statusOfUser(sandbox, named)).body.data.status).toBe('approved');
  }
});
