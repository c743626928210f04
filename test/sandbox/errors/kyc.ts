import type { Endpoint } from '../../../src/contract/define.ts';
import { advance, codeFor, evmOwner, openSession, prepareWallet, proveEmail } from '../identity.ts';
import { withLedger } from '../money.ts';
import type { Answer, TestSandbox } from '../sandbox.ts';
import { afterDamage, type Case, inOneSandbox } from './case.ts';

const EMAIL = 'payer@example.com';
const OTHER = 'other@example.com';
const SEND = '/security/email/send-otp';
const VERIFY = '/security/email/verify-otp';

const prepare = ({ post }: TestSandbox, email = EMAIL) => post('/kyc/prepare', { email });

const withCode = async (sandbox: TestSandbox): Promise<string> => {
  await prepare(sandbox);
  await sandbox.post(SEND, { email: EMAIL });
  return codeFor(sandbox, EMAIL);
};

/** A wrong code: six digits that differ from the code. */
const wrongCodeFor = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** A failure of the service: the ledger has no table of users. */
const withoutUserTable = (
  endpoint: Endpoint['id'],
  error: string,
  call: (sandbox: TestSandbox) => Promise<Answer>,
): Case =>
  afterDamage(
    endpoint,
    error,
    'the table of users is gone from the ledger',
    (io) => withLedger(io, (ledger) => ledger.schema.dropTable('kyc_users').execute()),
    async (sandbox) => {
      await prepare(sandbox);
      return call;
    },
  );

const PREPARE: readonly Case[] = [
  inOneSandbox('kyc.prepare', 'missing_params', 'no e-mail', ({ post }) => post('/kyc/prepare', {})),
  withoutUserTable('kyc.prepare', 'server_failed', (sandbox) => prepare(sandbox)),
  inOneSandbox('kyc.challenge', 'invalid_wallet', 'an address one digit short', ({ post }) =>
    post('/security/wallet/challenge', { wallet: `0x${'1'.repeat(39)}` }),
  ),
  inOneSandbox('kyc.prepare-wallet', 'missing_params', 'no signature', ({ post }) =>
    post('/kyc/prepare-wallet', { wallet: evmOwner().wallet, message: 'x' }),
  ),
  inOneSandbox('kyc.prepare-wallet', 'invalid_signature', 'somebody else signed the challenge', (sandbox) =>
    prepareWallet(sandbox, { wallet: evmOwner().wallet, sign: evmOwner().sign }),
  ),
  inOneSandbox('kyc.prepare-wallet', 'wallet_already_linked', 'the wallet has another e-mail', async (sandbox) => {
    const owner = evmOwner();
    await prepareWallet(sandbox, owner, EMAIL);
    return prepareWallet(sandbox, owner, OTHER);
  }),
  inOneSandbox('kyc.prepare-wallet', 'email_already_linked', 'the e-mail has another wallet', async (sandbox) => {
    await prepareWallet(sandbox, evmOwner(), EMAIL);
    return prepareWallet(sandbox, evmOwner(), EMAIL);
  }),
];

const CODES: readonly Case[] = [
  inOneSandbox('kyc.send-otp', 'missing_params', 'no e-mail', ({ post }) => post(SEND, {})),
  inOneSandbox('kyc.send-otp', 'user_not_found', 'the e-mail was not prepared', ({ post }) =>
    post(SEND, { email: EMAIL }),
  ),
  inOneSandbox('kyc.send-otp', 'email_already_verified', 'the e-mail is proven', async (sandbox) => {
    await proveEmail(sandbox, EMAIL);
    return sandbox.post(SEND, { email: EMAIL });
  }),
  withoutUserTable('kyc.send-otp', 'server_error', ({ post }) => post(SEND, { email: EMAIL })),
  inOneSandbox('kyc.verify-otp', 'missing_params', 'no code', ({ post }) => post(VERIFY, { email: EMAIL })),
  inOneSandbox('kyc.verify-otp', 'user_not_found', 'the e-mail was not prepared', ({ post }) =>
    post(VERIFY, { email: EMAIL, code: '123456' }),
  ),
  inOneSandbox('kyc.verify-otp', 'otp_invalid', 'another code', async (sandbox) =>
    sandbox.post(VERIFY, { email: EMAIL, code: wrongCodeFor(await withCode(sandbox)) }),
  ),
  inOneSandbox('kyc.verify-otp', 'otp_expired', 'the right code after ten minutes', async (sandbox) => {
    const code = await withCode(sandbox);
    await advance(sandbox, '+11m');
    return sandbox.post(VERIFY, { email: EMAIL, code });
  }),
  inOneSandbox('kyc.verify-otp', 'otp_max_attempts', 'the right code after five wrong ones', async (sandbox) => {
    const code = await withCode(sandbox);
    for (let at = 0; at < 5; at += 1) await sandbox.post(VERIFY, { email: EMAIL, code: wrongCodeFor(code) });
    return sandbox.post(VERIFY, { email: EMAIL, code });
  }),
  inOneSandbox('kyc.verify-otp', 'email_already_verified', 'the e-mail is proven', async (sandbox) => {
    await proveEmail(sandbox, EMAIL);
    return sandbox.post(VERIFY, { email: EMAIL, code: '123456' });
  }),
  withoutUserTable('kyc.verify-otp', 'server_error', ({ post }) => post(VERIFY, { email: EMAIL, code: '123456' })),
];

const SESSIONS: readonly Case[] = [
  inOneSandbox('kyc.create', 'missing_params', 'neither e-mail nor wallet', (sandbox) => openSession(sandbox, {})),
  inOneSandbox('kyc.create', 'method_not_found', 'a kind of verification that there is not', ({ post }) =>
    post('/kyc/create/verify_nobody', { email: EMAIL }),
  ),
  inOneSandbox('kyc.create', 'user_not_prepared', 'the e-mail was not prepared', (sandbox) =>
    openSession(sandbox, { email: EMAIL }),
  ),
  inOneSandbox('kyc.create', 'identity_not_verified', 'prepared, and not proven', async (sandbox) => {
    await prepare(sandbox);
    return openSession(sandbox, { email: EMAIL });
  }),
  inOneSandbox(
    'kyc.create',
    'verify_quota_exceeded',
    "the month's only session was opened by another",
    async (sandbox) => {
      await sandbox.control('POST', 'kyc-quota', { quota: 1 });
      for (const email of [EMAIL, OTHER]) await proveEmail(sandbox, email);
      await openSession(sandbox, { email: EMAIL });
      return openSession(sandbox, { email: OTHER });
    },
  ),
  withoutUserTable('kyc.create', 'server_failed', (sandbox) => openSession(sandbox, { email: EMAIL })),
  inOneSandbox('kyc.status', 'missing_params', 'neither e-mail nor wallet', ({ get }) => get('/kyc/status')),
  inOneSandbox('kyc.status', 'kyc_not_found', 'the e-mail was not prepared', ({ get }) =>
    get(`/kyc/status?email=${EMAIL}`),
  ),
  withoutUserTable('kyc.status', 'server_failed', ({ get }) => get(`/kyc/status?email=${EMAIL}`)),
];

export const KYC_CASES: readonly Case[] = [...PREPARE, ...CODES, ...SESSIONS];
