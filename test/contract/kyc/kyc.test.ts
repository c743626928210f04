import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/contract/define.ts';
import { challenge } from '../../../src/contract/kyc/challenge.ts';
import { create } from '../../../src/contract/kyc/create.ts';
import { prepare } from '../../../src/contract/kyc/prepare.ts';
import { prepareWallet } from '../../../src/contract/kyc/prepare-wallet.ts';
import { sendOtp } from '../../../src/contract/kyc/send-otp.ts';
import { status } from '../../../src/contract/kyc/status.ts';
import { verifyOtp } from '../../../src/contract/kyc/verify-otp.ts';
import { testInputs } from '../cases.ts';

const EMAIL = { email: 'a@b.example' };
const NEITHER = { email: 'at least one of email, wallet is required' };

for (const endpoint of [prepare, sendOtp]) {
  testInputs(endpoint, {}, [
    { title: 'accepts an e-mail', changes: EMAIL },
    { title: 'requires an e-mail', changes: {}, problems: { email: 'required' } },
    { title: 'rejects an empty e-mail', changes: { email: '' }, problems: { email: 'must be an e-mail address' } },
    {
      title: 'rejects an e-mail with a line break',
      changes: { email: 'a@b.example\n' },
      problems: { email: 'must be an e-mail address' },
    },
    { title: 'rejects a list of e-mails', changes: { email: ['a@b.example'] }, problems: { email: 'must be text' } },
  ]);
}

testInputs(verifyOtp, EMAIL, [
  { title: 'accepts a code with a leading zero', changes: { code: '000001' } },
  { title: 'requires a code', changes: {}, problems: { code: 'required' } },
  {
    title: 'rejects a code as a number, which would lose leading zeros',
    changes: { code: 1 },
    problems: { code: 'must be text' },
  },
]);

testInputs(challenge, {}, [
  {
    title: 'accepts any text as a wallet, because the service normalises and validates the wallet',
    changes: { wallet: ' 0XABC ' },
  },
  { title: 'requires a wallet', changes: {}, problems: { wallet: 'required' } },
  { title: 'rejects an empty wallet', changes: { wallet: '' }, problems: { wallet: 'must not be empty' } },
  {
    title: 'rejects an empty purpose',
    changes: { wallet: 'w', purpose: '' },
    problems: { purpose: 'must not be empty' },
  },
]);

testInputs(prepareWallet, {}, [
  { title: 'accepts wallet, message and signature', changes: { wallet: 'w', message: 'm', signed_bytes: 's' } },
  {
    title: 'names every missing field',
    changes: {},
    problems: { wallet: 'required', message: 'required', signed_bytes: 'required' },
  },
  {
    title: 'rejects a text that is not an e-mail address',
    changes: { ...prepareWallet.example, email: 'x' },
    problems: { email: /e-mail/ },
  },
]);

testInputs(create, { kyc_type: 'verify_public_kyc' }, [
  { title: 'accepts an e-mail', changes: EMAIL },
  { title: 'accepts a wallet', changes: { wallet: 'w' } },
  { title: 'accepts an e-mail with a wallet', changes: { ...EMAIL, wallet: 'w' } },
  { title: 'requires an e-mail or a wallet', changes: {}, problems: NEITHER },
  {
    title: 'rejects a kyc_type that points to another path',
    changes: { ...EMAIL, kyc_type: '../status' },
    problems: { kyc_type: /must not hold/ },
  },
]);

testInputs(status, {}, [
  { title: 'accepts an e-mail', changes: EMAIL },
  { title: 'accepts a wallet', changes: { wallet: 'w' } },
  { title: 'requires an e-mail or a wallet', changes: {}, problems: NEITHER },
  {
    title: 'reports one problem for an empty e-mail',
    changes: { email: '' },
    problems: { email: 'must be an e-mail address' },
  },
]);

describe('the KYC endpoints', () => {
  it('convert an e-mail to lower case, so that all steps identify the same user', () => {
    for (const endpoint of [prepare, sendOtp, status]) {
      expect(validate(endpoint, { email: 'Ana@Example.COM' })).toEqual({
        ok: true,
        input: { email: 'ana@example.com' },
      });
    }
  });

  it('do not change the text of a challenge, including spaces and line breaks', () => {
    const message = ' Sign\r\n\tthis ';
    const result = validate(prepareWallet, { wallet: 'w', message, signed_bytes: 's' });
    expect(result).toMatchObject({ ok: true, input: { message } });
  });

  it('accept a response for a resumed session or an approved user, whose fields the document does not show', () => {
    const { data } = create.success.kyc_session_created;
    expect(
      data.safeParse({ success: true, message: 'ok', session: { session_id: 's', session_url: 'https://x.example' } })
        .success,
    ).toBe(true);
    expect(data.safeParse({ message: 'approved already', approved: true }).success).toBe(true);
    expect(data.safeParse('done').success).toBe(false);
  });

  it('accept a status without a session, and reject a status without approved', () => {
    const { data } = status.success.kyc_status_retrieved;
    expect(data.safeParse({ status: 'pending', approved: false, is_blocklisted: false }).success).toBe(true);
    expect(data.safeParse({ status: 'pending', is_blocklisted: false }).success).toBe(false);
  });
});
