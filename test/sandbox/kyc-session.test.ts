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

const proven = async (): Promise<TestSandbox> => {
  const sandbox = await startEphemeral();
  await proveEmail(sandbox, EMAIL);
  return sandbox;
};

const stateOf = async (sandbox: TestSandbox, named = { email: EMAIL }) =>
  endpoint.success.kyc_status_retrieved.data.parse((await statusOfUser(sandbox, named)).body.data);

const sessionIdOf = async (sandbox: TestSandbox, named: { email?: string; wallet?: string } = { email: EMAIL }) =>
  (await openSession(sandbox, named)).body.data.session.session_id;

test('by e-mail: prepared, proven, session opened, approved', async () => {
  const sandbox = await proven();
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
])('by %s wallet: no e-mail has to be proven', async (_, newOwner) => {
  const sandbox = await startEphemeral();
  const owner = newOwner();
  await prepareWallet(sandbox, owner, EMAIL);
  const opened = await openSession(sandbox, { wallet: owner.wallet, email: EMAIL });
  expect(opened.body.status).toBe('kyc_session_created');
  expect(await sessionIdOf(sandbox, { wallet: owner.wallet })).toBe(opened.body.data.session.session_id);
  expect((await openSession(sandbox, { email: EMAIL })).body.status).toBe('identity_not_verified');
});

test('an open session is resumed, in review too; a decided or expired one is followed by a new one', async () => {
  const sandbox = await proven();
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

test('ten at once open one session', async () => {
  const sandbox = await proven();
  const ids = await Promise.all(Array.from({ length: 10 }, () => sessionIdOf(sandbox)));
  expect(new Set(ids).size).toBe(1);
});

test('an approved user gets no further session, and spends no quota', async () => {
  const sandbox = await proven();
  await decide(sandbox, 'approve', { email: EMAIL });
  await sandbox.control('POST', 'kyc-quota', { quota: 0 });
  const { http, body } = await openSession(sandbox, { email: EMAIL });
  expect([http, body.data.success, body.data.session]).toEqual([201, true, null]);
});

test('every decision: what the status shows then', async () => {
  const sandbox = await proven();
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

test('a session that nobody finishes expires after a week; one in review does not', async () => {
  const sandbox = await proven();
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

test('the quota of a month is 100; resuming spends none, and the next month starts again', async () => {
  const sandbox = await proven();
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

test('kyc/create refuses what is not prepared, not proven, not known, not given', async () => {
  const sandbox = await proven();
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
    const seen = await sandbox.post(`/kyc/create/${type}`, body);
    expect([JSON.stringify(body), seen.http, seen.body.status]).toEqual([JSON.stringify(body), http, status]);
  }
});

test('kyc/status: nobody is kyc_not_found, nothing given is missing_params', async () => {
  const { get } = await startEphemeral();
  for (const [query, http, status] of [
    ['', 400, 'missing_params'],
    ['?email=nobody', 400, 'missing_params'],
    ['?email=nobody@example.com', 404, 'kyc_not_found'],
    ['?wallet=nobody', 404, 'kyc_not_found'],
    [`?wallet=${evmOwner().wallet}`, 404, 'kyc_not_found'],
  ] as const) {
    const seen = await get(`/kyc/status${query}`);
    expect([query, seen.http, seen.body.status]).toEqual([query, http, status]);
  }
});

test('users, sessions and the quota outlive a restart', async () => {
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

test('the control says what is wrong with a decision or a quota', async () => {
  const sandbox = await startEphemeral();
  for (const [path, body, field] of [
    ['kyc', { email: EMAIL }, 'decision'],
    ['kyc', { email: EMAIL, decision: 'maybe' }, 'decision'],
    ['kyc', { decision: 'approve' }, 'email'],
    ['kyc-quota', { quota: -1 }, 'quota'],
    ['kyc-quota', { quota: 1.5 }, 'quota'],
    ['kyc-quota', {}, 'quota'],
  ] as const) {
    const seen = await sandbox.control('POST', path, body);
    expect([path, seen.http, seen.body.errors?.[0]?.field]).toEqual([path, 400, field]);
  }
  const unknown = await decide(sandbox, 'approve', { email: EMAIL });
  expect([unknown.http, unknown.body.status]).toEqual([404, 'kyc_not_found']);
});
