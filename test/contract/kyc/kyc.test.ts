import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/contract/define.ts';
import { challenge } from '../../../src/contract/kyc/challenge.ts';
import { create } from '../../../src/contract/kyc/create.ts';
import { prepare } from '../../../src/contract/kyc/prepare.ts';
import { prepareWallet } from '../../../src/contract/kyc/prepare-wallet.ts';
import { sendOtp } from '../../../src/contract/kyc/send-otp.ts';
import { status } from '../../../src/contract/kyc/status.ts';
import { verifyOtp } from '../../../src/contract/kyc/verify-otp.ts';
import { holds } from '../cases.ts';

const EMAIL = { email: 'a@b.example' };
const NEITHER = { email: 'at least one of email, wallet is required' };

for (const endpoint of [prepare, sendOtp]) {
  holds(endpoint, {}, [
    { when: 'takes an e-mail', given: EMAIL },
    { when: 'needs an e-mail', given: {}, wrong: { email: 'required' } },
    { when: 'refuses an empty e-mail', given: { email: '' }, wrong: { email: 'must be an e-mail address' } },
    {
      when: 'refuses an e-mail with a line break',
      given: { email: 'a@b.example\n' },
      wrong: { email: 'must be an e-mail address' },
    },
    { when: 'refuses a list of e-mails', given: { email: ['a@b.example'] }, wrong: { email: 'must be text' } },
  ]);
}

holds(verifyOtp, EMAIL, [
  { when: 'takes a code with a leading zero', given: { code: '000001' } },
  { when: 'needs a code', given: {}, wrong: { code: 'required' } },
  {
    when: 'refuses a code as a number, which would lose its zeros',
    given: { code: 1 },
    wrong: { code: 'must be text' },
  },
]);

holds(challenge, {}, [
  { when: 'takes any wallet: the service normalises and judges it', given: { wallet: ' 0XABC ' } },
  { when: 'needs a wallet', given: {}, wrong: { wallet: 'required' } },
  { when: 'refuses an empty wallet', given: { wallet: '' }, wrong: { wallet: 'must not be empty' } },
  { when: 'refuses an empty purpose', given: { wallet: 'w', purpose: '' }, wrong: { purpose: 'must not be empty' } },
]);

holds(prepareWallet, {}, [
  { when: 'takes wallet, message and signature', given: { wallet: 'w', message: 'm', signed_bytes: 's' } },
  {
    when: 'names all that is missing',
    given: {},
    wrong: { wallet: 'required', message: 'required', signed_bytes: 'required' },
  },
  {
    when: 'refuses an e-mail that is none',
    given: { ...prepareWallet.example, email: 'x' },
    wrong: { email: /e-mail/ },
  },
]);

holds(create, { kyc_type: 'verify_public_kyc' }, [
  { when: 'takes an e-mail', given: EMAIL },
  { when: 'takes a wallet', given: { wallet: 'w' } },
  { when: 'takes both', given: { ...EMAIL, wallet: 'w' } },
  { when: 'needs one', given: {}, wrong: NEITHER },
  {
    when: 'refuses a kind that leads elsewhere',
    given: { ...EMAIL, kyc_type: '../status' },
    wrong: { kyc_type: /must not hold/ },
  },
]);

holds(status, {}, [
  { when: 'takes an e-mail', given: EMAIL },
  { when: 'takes a wallet', given: { wallet: 'w' } },
  { when: 'needs one', given: {}, wrong: NEITHER },
  {
    when: 'an empty e-mail is wrong, and is told once',
    given: { email: '' },
    wrong: { email: 'must be an e-mail address' },
  },
]);

describe('kyc', () => {
  it('sends e-mails in lower case, so that all steps name the same user', () => {
    for (const endpoint of [prepare, sendOtp, status]) {
      expect(validate(endpoint, { email: 'Ana@Example.COM' })).toEqual({
        ok: true,
        input: { email: 'ana@example.com' },
      });
    }
  });

  it('leaves the text of a challenge as it is, spaces and line breaks included', () => {
    const message = ' Sign\r\n\tthis ';
    const result = validate(prepareWallet, { wallet: 'w', message, signed_bytes: 's' });
    expect(result).toMatchObject({ ok: true, input: { message } });
  });

  it('reads a session that is resumed or not needed, whose fields are not shown', () => {
    const { data } = create.success.kyc_session_created;
    expect(
      data.safeParse({ success: true, message: 'ok', session: { session_id: 's', session_url: 'https://x.example' } })
        .success,
    ).toBe(true);
    expect(data.safeParse({ message: 'approved already', approved: true }).success).toBe(true);
    expect(data.safeParse('done').success).toBe(false);
  });

  it('reads a status without a session', () => {
    const { data } = status.success.kyc_status_retrieved;
    expect(data.safeParse({ status: 'pending', approved: false, is_blocklisted: false }).success).toBe(true);
    expect(data.safeParse({ status: 'pending', is_blocklisted: false }).success).toBe(false);
  });
});
