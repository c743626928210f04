import { expect, test } from 'vitest';
import { status as endpoint } from '../../src/contract/kyc/status.ts';
import {
  advance,
  decide,
  evmOwner,
  openSession,
  prepareWallet,
  proveEmail,
  solanaOwner,
  statusOfUser,
} from './identity.ts';
import { sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from './sandbox.ts';

const EMAIL = 'payer@example.com';

const startWithVerifiedEmail = async (): Promise<TestSandbox> => {
  const sandbox = await startEphemeral();
  await proveEmail(sandbox, EMAIL);
  return sandbox;
};

const stateOf = async (sandbox: TestSandbox, identity = { email: EMAIL }) =>
  endpoint.success.kyc_status_retrieved.data.parse((await statusOfUser(sandbox, identity)).body.data);

const sessionIdOf = async (sandbox: TestSandbox, identity: { email?: string; wallet?: string } = { email: EMAIL }) =>
  (await openSession(sandbox, identity)).body.data.session.session_id;

test('opens a session for a verified e-mail and shows its approval', async () => {
  const sandbox = await startWithVerifiedEmail();
  expect(await stateOf(sandbox)).toEqual({ status: 'pending', approved: false, ip_info: [], is_blocklisted: false });
  const { http, body } = await openSession(sandbox, { email: EMAIL });
  expect([http, body.status, body.data.success]).toEqual([201, 'kyc_session_created', true]);
  const { session_id, session_url } = body.data.session;
  expect(session_url).toBe(`${sandbox.address.url}/kyc/sessions/${session_id}`);
  expect(await stateOf(sandbox)).toMatchObject({
    status: 'pending',
    session_id,
    session_url,
    session_status: 'pending',
  });
  await decide(sandbox, 'approve', { email: EMAIL });
  const approved = await stateOf(sandbox);
  expect(approved).toMatchObject({ status: 'approved', approved: true, session_status: 'approved' });
  expect(approved).not.toHaveProperty('session_url');
  expect(approved.ip_info).toEqual([expect.objectContaining({ country: 'BR', is_vpn: false, is_data_center: false })]);
});

test.each([
  ['EVM', evmOwner],
  ['Solana', solanaOwner],
])('opens a session for a wallet (%s) whose e-mail is not verified', async (_, newOwner) => {
  const sandbox = await startEphemeral();
  const owner = newOwner();
  await prepareWallet(sandbox, owner, EMAIL);
  const opened = await openSession(sandbox, { wallet: owner.wallet, email: EMAIL });
  expect(opened.body.status).toBe('kyc_session_created');
  expect(await sessionIdOf(sandbox, { wallet: owner.wallet })).toBe(opened.body.data.session.session_id);
  expect((await openSession(sandbox, { email: EMAIL })).body.status).toBe('identity_not_verified');
});

test('returns the open session again, also in review, and opens a new one after a decision or expiry', async () => {
  const sandbox = await startWithVerifiedEmail();
  const first = await sessionIdOf(sandbox);
  expect(await sessionIdOf(sandbox)).toBe(first);
  await decide(sandbox, 'review', { email: EMAIL });
  expect(await sessionIdOf(sandbox)).toBe(first);
  let last = first;
  for (const [decision, status] of [
    ['decline', 'declined'],
    ['expire', 'expired'],
  ] as const) {
    await decide(sandbox, decision, { email: EMAIL });
    expect(await stateOf(sandbox)).toMatchObject({ status, session_status: status, approved: false });
    const next = await sessionIdOf(sandbox);
    expect(next).not.toBe(last);
    expect((await stateOf(sandbox)).status).toBe('pending');
    last = next;
  }
});

test('opens one session for ten requests at the same time', async () => {
  const sandbox = await startWithVerifiedEmail();
  const ids = await Promise.all(Array.from({ length: 10 }, () => sessionIdOf(sandbox)));
  expect(new Set(ids).size).toBe(1);
});

test('opens no session for an approved user, and uses no quota', async () => {
  const sandbox = await startWithVerifiedEmail();
  await decide(sandbox, 'approve', { email: EMAIL });
  await sandbox.control('POST', 'kyc-quota', { quota: 0 });
  const { http, body } = await openSession(sandbox, { email: EMAIL });
  expect([http, body.data.success, body.data.session]).toEqual([201, true, null]);
});

test('shows each KYC decision in the status', async () => {
  const sandbox = await startWithVerifiedEmail();
  const { session_id } = (await openSession(sandbox, { email: EMAIL })).body.data.session;
  for (const [decision, status, blocklisted] of [
    ['review', 'in_review', false],
    ['decline', 'declined', false],
    ['blocklist', 'declined', true],
    ['expire', 'expired', true],
    ['approve', 'approved', false],
  ] as const) {
    const { http, body } = await decide(sandbox, decision, { email: EMAIL });
    expect([http, body.status]).toEqual([200, 'kyc_decided']);
    const state = await stateOf(sandbox);
    expect(state).toEqual(body.data);
    expect(state).toMatchObject({ status, session_id, session_status: status, is_blocklisted: blocklisted });
    expect([state.approved, state.ip_info?.length]).toEqual([status === 'approved', 1]);
  }
});

test('expires an unfinished session after a week, but not a session in review', async () => {
  const sandbox = await startWithVerifiedEmail();
  await proveEmail(sandbox, 'slow@example.com');
  await sessionIdOf(sandbox);
  await sessionIdOf(sandbox, { email: 'slow@example.com' });
  await decide(sandbox, 'review', { email: 'slow@example.com' });
  await advance(sandbox, '+6d23h');
  expect((await stateOf(sandbox)).status).toBe('pending');
  await advance(sandbox, '+1h1m');
  expect(await stateOf(sandbox)).toMatchObject({ status: 'expired', session_status: 'expired' });
  expect((await stateOf(sandbox, { email: 'slow@example.com' })).status).toBe('in_review');
});

test('limits new sessions to the monthly quota, counts no resumed session, and resets the quota each month', async () => {
  const sandbox = await startWithVerifiedEmail();
  expect((await sandbox.control('GET', 'kyc-quota')).body.data).toEqual({ quota: 100 });
  expect((await sandbox.control('POST', 'kyc-quota', { quota: 2 })).body.data).toEqual({ quota: 2 });
  const first = await sessionIdOf(sandbox);
  expect(await sessionIdOf(sandbox)).toBe(first);
  await decide(sandbox, 'decline', { email: EMAIL });
  const second = await sessionIdOf(sandbox);
  await decide(sandbox, 'decline', { email: EMAIL });
  const { http, body } = await openSession(sandbox, { email: EMAIL });
  expect([http, body.status]).toEqual([429, 'verify_quota_exceeded']);
  expect(await stateOf(sandbox)).toMatchObject({ status: 'declined', session_id: second });
  await advance(sandbox, '+31d');
  expect((await openSession(sandbox, { email: EMAIL })).body.status).toBe('kyc_session_created');
});

test('rejects kyc/create for users not prepared or not verified, for an unknown type, and without identity', async () => {
  const sandbox = await startWithVerifiedEmail();
  const owner = evmOwner();
  await prepareWallet(sandbox, owner);
  await sandbox.post('/kyc/prepare', { email: 'new@example.com' });
  for (const [type, body, http, status] of [
    ['verify_public_kyc', { email: 'nobody@example.com' }, 403, 'user_not_prepared'],
    ['verify_public_kyc', { wallet: evmOwner().wallet }, 403, 'user_not_prepared'],
    ['verify_public_kyc', { wallet: 'nobody' }, 403, 'user_not_prepared'],
    ['verify_public_kyc', { email: EMAIL, wallet: owner.wallet }, 403, 'user_not_prepared'],
    ['verify_public_kyc', { email: EMAIL, wallet: 'nobody' }, 403, 'user_not_prepared'],
    ['verify_public_kyc', { email: 'new@example.com' }, 403, 'identity_not_verified'],
    ['verify_company', { email: EMAIL }, 404, 'method_not_found'],
    ['verify_public_kyc', {}, 400, 'missing_params'],
    ['verify_public_kyc', { email: '' }, 400, 'missing_params'],
  ] as const) {
    const answer = await sandbox.post(`/kyc/create/${type}`, body);
    expect([JSON.stringify(body), answer.http, answer.body.status]).toEqual([JSON.stringify(body), http, status]);
  }
});

test('returns kyc_not_found for an unknown user, and missing_params without a valid identity, at kyc/status', async () => {
  const { get } = await startEphemeral();
  for (const [query, http, status] of [
    ['', 400, 'missing_params'],
    ['?email=nobody', 400, 'missing_params'],
    ['?email=nobody@example.com', 404, 'kyc_not_found'],
    ['?wallet=nobody', 404, 'kyc_not_found'],
    [`?wallet=${evmOwner().wallet}`, 404, 'kyc_not_found'],
  ] as const) {
    const answer = await get(`/kyc/status${query}`);
    expect([query, answer.http, answer.body.status]).toEqual([query, http, status]);
  }
});

test('stores users, sessions and the quota across a restart', async () => {
  const io = await sandboxIo();
  const first = await startTestSandbox(io);
  await proveEmail(first, EMAIL);
  await first.control('POST', 'kyc-quota', { quota: 7 });
  const id = await sessionIdOf(first);
  await first.stop();
  const second = await startTestSandbox(io);
  expect((await stateOf(second)).session_id).toBe(id);
  expect((await second.control('GET', 'kyc-quota')).body.data).toEqual({ quota: 7 });
});

test('names the wrong field of a decision or a quota in the control', async () => {
  const sandbox = await startEphemeral();
  for (const [path, body, field] of [
    ['kyc', { email: EMAIL }, 'decision'],
    ['kyc', { email: EMAIL, decision: 'maybe' }, 'decision'],
    ['kyc', { decision: 'approve' }, 'email'],
    ['kyc-quota', { quota: -1 }, 'quota'],
    ['kyc-quota', { quota: 1.5 }, 'quota'],
    ['kyc-quota', {}, 'quota'],
  ] as const) {
    const answer = await sandbox.control('POST', path, body);
    expect([path, answer.http, answer.body.errors?.[0]?.field]).toEqual([path, 400, field]);
  }
  const unknown = await decide(sandbox, 'approve', { email: EMAIL });
  expect([unknown.http, unknown.body.status]).toEqual([404, 'kyc_not_found']);
});
