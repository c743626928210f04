import { challenge } from '../../contract/kyc/challenge.ts';
import { create } from '../../contract/kyc/create.ts';
import { prepare } from '../../contract/kyc/prepare.ts';
import { prepareWallet } from '../../contract/kyc/prepare-wallet.ts';
import { sendOtp } from '../../contract/kyc/send-otp.ts';
import { status } from '../../contract/kyc/status.ts';
import { verifyOtp } from '../../contract/kyc/verify-otp.ts';
import { KYC_PURPOSE, KYC_TYPES } from '../assumptions.ts';
import { deleteChallenge, isOpenChallenge, isSignedBy, issueChallenge, readWallet } from '../identity/challenge.ts';
import { answerCode, sendCode } from '../identity/otp.ts';
import { openSession, readVerification, sessionUrl } from '../identity/session.ts';
import { linkWallet, newUserId, userView, walletUserView } from '../identity/user.ts';
import { findUser, insertUser } from '../ledger/identities.ts';
import type { Services } from '../services.ts';
import { fail, handle, succeed } from './handler.ts';

/** The allowed form of a purpose. The purpose becomes a line of the text to sign. */
const PURPOSE = /^[\w.-]{1,40}$/;

/**
 * Links a wallet that signed an open challenge. Only success uses up the challenge, in the same transaction as the
 * link.
 */
const proveAndLink = async (services: Services, wallet: string, message: string, email: string | undefined) => {
  const [id, now] = [newUserId(services), services.clock.nowIso()];
  return (await services.ledger()).transaction().execute(async (step) => {
    if (!(await isOpenChallenge(step, wallet, message, now))) return { kind: 'no_challenge' } as const;
    const linked = await linkWallet(step, { wallet, email }, id, now);
    if (linked.kind === 'linked') await deleteChallenge(step, message);
    return linked;
  });
};

const invalid = (reason: string) => fail('invalid_signature', `The wallet is not proven: ${reason}.`);

const NOT_SENT = {
  user_not_found: 'The e-mail address was not prepared.',
  email_already_verified: 'The e-mail address is verified already.',
} as const;

const CODE_MESSAGES = {
  ...NOT_SENT,
  otp_invalid: 'This is not the code that was sent.',
  otp_expired: 'The code has expired; ask for a new one.',
  otp_max_attempts: 'Too many wrong codes; ask for a new one.',
} as const;

const REFUSALS = {
  user_not_prepared: 'No prepared user has this e-mail address and wallet.',
  identity_not_verified: 'The e-mail address or wallet is not verified yet.',
  verify_quota_exceeded: 'The verifications of this month are used up.',
} as const;

const SESSION_MESSAGES = {
  opened: 'A verification session was opened.',
  resumed: 'The open verification session goes on.',
} as const;

/** The handlers of KYC: proofs of an e-mail address or a wallet, verification sessions and their state. */
export const KYC_HANDLERS = {
  /** POST /kyc/prepare. */
  [prepare.id]: handle(prepare, async ({ services }, { email }) => {
    const fresh = { id: newUserId(services), email, status: 'pending', created_at: services.clock.nowIso() };
    const existing = await (await services.ledger()).transaction().execute(async (step) => {
      const user = await findUser(step, 'email', email);
      if (!user) await insertUser(step, fresh);
      return user;
    });
    if (!existing) return succeed('user_prepared', 'The user was prepared.', undefined);
    return succeed('user_already_prepared', 'The user was prepared before.', userView(existing));
  }),
  /** POST /security/wallet/challenge. */
  [challenge.id]: handle(challenge, async ({ services }, { wallet, purpose = KYC_PURPOSE }) => {
    const parsed = await readWallet(wallet);
    if (!parsed) return fail('invalid_wallet', 'wallet is malformed: it must be an EVM address or a Solana address.');
    if (!PURPOSE.test(purpose)) return fail('invalid_wallet', 'purpose is malformed: it must be one short word.');
    const message = await issueChallenge(services, parsed, purpose);
    return succeed('challenge_created', 'Sign exactly this message.', {
      message,
      wallet: parsed.wallet,
      wallet_chain: parsed.chain,
    });
  }),
  /** POST /kyc/prepare-wallet. */
  [prepareWallet.id]: handle(prepareWallet, async ({ services }, { wallet, message, signed_bytes, email }) => {
    const parsed = await readWallet(wallet);
    if (!parsed) return invalid('neither an EVM address nor a Solana address');
    if (!(await isSignedBy(parsed, message, signed_bytes)))
      return invalid('the signature is not of this wallet over this message');
    const linked = await proveAndLink(services, parsed.wallet, message, email);
    switch (linked.kind) {
      case 'no_challenge':
        return invalid('is not an open challenge of this wallet; request a new one');
      case 'wallet_already_linked':
        return fail('wallet_already_linked', 'The wallet is linked to another e-mail address.');
      case 'email_already_linked':
        return fail('email_already_linked', 'The e-mail address belongs to another wallet.');
      case 'linked': {
        const data = walletUserView(linked.user);
        if (linked.isNew) return succeed('user_prepared', 'The user was prepared.', data);
        return succeed('user_already_prepared', 'The user was prepared before.', data);
      }
      default:
        return linked satisfies never;
    }
  }),
  /** POST /security/email/send-otp. The code goes into the sandbox's inbox. */
  [sendOtp.id]: handle(sendOtp, async ({ services }, { email }) => {
    const sent = await sendCode(services, email);
    return sent === 'otp_sent' ? succeed(sent, 'The code was sent.', undefined) : fail(sent, NOT_SENT[sent]);
  }),
  /** POST /security/email/verify-otp. */
  [verifyOtp.id]: handle(verifyOtp, async ({ services }, { email, code }) => {
    const { status, left } = await answerCode(services, email, code);
    if (status === 'email_verified') return succeed(status, 'The e-mail address is verified.', undefined);
    if (status !== 'otp_invalid' || left === undefined) return fail(status, CODE_MESSAGES[status]);
    return fail(status, `${CODE_MESSAGES[status]} ${left === 1 ? '1 try is' : `${left} tries are`} left.`);
  }),
  /** POST /kyc/create/{kyc_type}. Assumption: an approved user has no need of a session, so `session` is null. */
  [create.id]: handle(create, async ({ services }, { kyc_type, email, wallet }) => {
    if (!KYC_TYPES.includes(kyc_type)) return fail('method_not_found', `There is no verification ${kyc_type}.`);
    const opened = await openSession(services, { email, wallet });
    switch (opened.kind) {
      case 'opened':
      case 'resumed': {
        const message = SESSION_MESSAGES[opened.kind];
        const { id } = opened.session;
        const session = { session_id: id, session_url: sessionUrl(services, id) };
        return succeed('kyc_session_created', message, { success: true, message, session });
      }
      case 'approved': {
        const message = 'The user is approved already.';
        return succeed('kyc_session_created', message, { success: true, message, session: null });
      }
      case 'user_not_prepared':
      case 'identity_not_verified':
      case 'verify_quota_exceeded':
        return fail(opened.kind, REFUSALS[opened.kind]);
      default:
        return opened satisfies never;
    }
  }),
  /** GET /kyc/status. A prepared user has a record, with or without a session. */
  [status.id]: handle(status, async ({ services }, { email, wallet }) => {
    const verification = await readVerification(services, { email, wallet });
    if (!verification) return fail('kyc_not_found', 'There is no verification of this user.');
    return succeed('kyc_status_retrieved', 'The verification of the user.', verification);
  }),
};
