import { type Client, call, dataOf } from '../../client/call.ts';
import { create } from '../../contract/kyc/create.ts';
import { prepare } from '../../contract/kyc/prepare.ts';
import { sendOtp } from '../../contract/kyc/send-otp.ts';
import { verifyOtp } from '../../contract/kyc/verify-otp.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { inSentence } from '../../core/remote-text.ts';
import { isUnclear, readingBack, withFindings } from '../read-back.ts';
import type { KycContext, KycUser } from './context.ts';
import { kycStatusOf, readVerification, type Verification } from './status.ts';

/** How a user proves who they are. */
export type KycRequest = { readonly kycType: string } & (
  | { readonly by: 'email'; readonly email: string; readonly isCodeSent: boolean }
  | {
      readonly by: 'wallet';
      readonly wallet: string;
      readonly email?: string | undefined;
      /** Proves the wallet to the service by a signed challenge. */
      readonly prove: () => Promise<unknown>;
    }
);

/** By what the service knows the user, once they are prepared. */
export const askedBy = (request: KycRequest): KycUser =>
  request.by === 'email' ? { email: request.email } : { wallet: request.wallet };

const find = async ({ client, on }: KycContext, user: KycUser): Promise<Verification | undefined> => {
  try {
    const verification = await readVerification(client, user);
    await on({ kind: 'found', verification });
    return verification;
  } catch (error) {
    if (isFailure(error, 'not_found')) return undefined;
    throw error;
  }
};

/** Refusals to open a session for somebody who is not proven: nothing was spent. */
const UNPROVEN: readonly (string | undefined)[] = ['identity_not_verified', 'user_not_prepared'];

type ByWallet = KycRequest & { readonly by: 'wallet' };

/** A wallet that was proven once needs no second signature: the service says whether it does. */
const openByWallet = async ({ client }: KycContext, request: ByWallet, isKnown: boolean): Promise<Verification> => {
  const { kycType, wallet, email, prove } = request;
  const open = () => openSession(client, kycType, { wallet, ...(email && { email }) });
  if (!isKnown) await prove();
  try {
    return await open();
  } catch (error) {
    if (!isKnown || !isFailure(error) || !UNPROVEN.includes(error.details.status)) throw error;
  }
  await prove();
  return open();
};

const openAfresh = async (context: KycContext, request: KycRequest, isKnown: boolean): Promise<Verification> => {
  if (request.by === 'wallet') return openByWallet(context, request, isKnown);
  const { kycType, email, isCodeSent } = request;
  const isProven = await prepareEmail(context, email);
  if (!isProven) await proveEmail(context, email, isCodeSent);
  return openSession(context.client, kycType, { email });
};

/**
 * Takes a user to a hosted verification from where they stand: prepares them, proves the e-mail address or the wallet
 * where that is still to do, and opens a session where none is open. Nothing is sent or spent for who is approved, or
 * has a session. Resolves with the verification: approved, or with a session to go on with.
 */
export const startKyc = async (context: KycContext, request: KycRequest): Promise<Verification> => {
  const known = await find(context, askedBy(request));
  const status = known && kycStatusOf(known);
  if (known && (status === 'approved' || status === 'open' || status === 'under_way')) return known;
  if (known && status === 'declined' && !(await context.beginAnother(known))) {
    throw new Failure('identity_gate', 'the verification is declined', { data: known });
  }
  const verification = await openAfresh(context, request, known !== undefined);
  await context.on({ kind: 'session', verification });
  return verification;
};

/** A session counts towards the month also where the answer about it was lost: it is looked for before anything else. */
const lookFor = async (client: Client, user: KycUser, lost: Failure): Promise<Verification> => {
  const verification = await readingBack(lost, () => readVerification(client, user));
  if (['open', 'under_way', 'approved'].includes(kycStatusOf(verification))) return verification;
  const hint =
    `${lost.details.hint ?? ''} It was read back: the verification is ${inSentence(verification.status)}.`.trim();
  throw withFindings(lost, { hint, data: verification });
};

/** The state after a session was opened. That it cannot be read at once must not lose the address of the session. */
const stateNow = async (client: Client, user: KycUser, status: string): Promise<Verification> => {
  try {
    return await readVerification(client, user);
  } catch (error) {
    if (!isFailure(error) || error.code === 'interrupted') throw error;
    return { status };
  }
};

/**
 * Opens a hosted verification, or resumes the one that is open. It may spend a quota, so it is called once. Throws
 * `rejected` where the service gave neither a session nor an approved user.
 */
const openSession = async (client: Client, kycType: string, user: KycUser): Promise<Verification> => {
  let envelope: Awaited<ReturnType<typeof call>>;
  try {
    envelope = await call(client, create, { kyc_type: kycType, ...user });
  } catch (error) {
    if (!isUnclear(error)) throw error;
    return lookFor(client, user, error);
  }
  const { session, message, success } = dataOf(create, 'kyc_session_created', envelope);
  const { session_id, session_url } = session ?? {};
  const verification = {
    ...(await stateNow(client, user, envelope.status)),
    ...(session_id && { session_id }),
    ...(session_url && { session_url }),
  };
  if (success !== false || kycStatusOf(verification) === 'approved') return verification;
  throw new Failure('rejected', message ? inSentence(message) : 'the service opened no session', {
    status: envelope.status,
    data: verification,
  });
};

const isProvenAlready = (error: unknown): boolean =>
  isFailure(error) && error.details.status === 'email_already_verified';

/** Prepares a user, which changes nothing of one who is. Returns whether the e-mail address is proven. */
const prepareEmail = async ({ client, on }: KycContext, email: string): Promise<boolean> => {
  const envelope = await call(client, prepare, { email });
  await on({ kind: 'prepared', status: envelope.status });
  if (envelope.status === 'user_prepared') return false;
  return dataOf(prepare, 'user_already_prepared', envelope).email_verified;
};

/** What came of a code: nothing more to do, or why it is not the end. */
type Outcome = 'proven' | 'sent' | Failure;

/** Sends a code. A lost answer is trouble, and no reason to send another: the first may have arrived. */
const send = async ({ client, on }: KycContext, email: string): Promise<Outcome> => {
  try {
    await call(client, sendOtp, { email });
  } catch (error) {
    if (isProvenAlready(error)) return 'proven';
    if (isUnclear(error)) return error;
    throw error;
  }
  await on({ kind: 'code_sent', email });
  return 'sent';
};

/** Refusals after which another code, or another e-mail, may do. */
const MENDABLE: readonly (string | undefined)[] = ['otp_invalid', 'otp_expired', 'otp_max_attempts'];

/** Tries a code, once: attempts are counted. After a lost answer it is read back whether it was the right one. */
const attempt = async (context: KycContext, email: string, code: string): Promise<'proven' | Failure> => {
  try {
    await call(context.client, verifyOtp, { email, code });
    return 'proven';
  } catch (error) {
    if (isProvenAlready(error)) return 'proven';
    if (isUnclear(error)) return (await prepareEmail(context, email)) ? 'proven' : error;
    if (isFailure(error) && MENDABLE.includes(error.details.status)) return error;
    throw error;
  }
};

/**
 * Proves an e-mail address by the code that is sent to it (document: KYC by email). `isSent`: a code is on its way
 * already. Wrong codes are asked about until the service, or the user, has enough of it.
 */
const proveEmail = async (context: KycContext, email: string, isSent: boolean): Promise<void> => {
  context.assertCodeCanCome();
  const isThere = isSent || (await context.hasCode?.(email)) === true;
  let last: Outcome = isThere ? 'sent' : await send(context, email);
  while (last !== 'proven') {
    const code = await context.nextCode(email, last === 'sent' ? undefined : last);
    last = code === undefined ? await send(context, email) : await attempt(context, email, code);
  }
  await context.on({ kind: 'email_proven', email });
};
