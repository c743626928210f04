import { type Client, call, dataOf } from '../../client/call.ts';
import { create } from '../../contract/kyc/create.ts';
import { prepare } from '../../contract/kyc/prepare.ts';
import { sendOtp } from '../../contract/kyc/send-otp.ts';
import { verifyOtp } from '../../contract/kyc/verify-otp.ts';
import { Failure, isFailure, isUninterrupted, valueOn, withDetails } from '../../core/failure.ts';
import { inSentence } from '../../core/text.ts';
import { isUnclear, readingBack } from '../read-back.ts';
import { type KycContext, type KycUser, kycStatusOf, readVerification, type Verification } from './status.ts';

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

/** The field that names this user to the service. */
export const userOf = (request: KycRequest): KycUser =>
  request.by === 'email' ? { email: request.email } : { wallet: request.wallet };

const find = async ({ client, on }: KycContext, user: KycUser): Promise<Verification | undefined> => {
  const verification = await readVerification(client, user).catch(valueOn('not_found', undefined));
  if (verification) await on({ kind: 'found', verification });
  return verification;
};

/** Rejections of a session because the user is not proven; they do not count towards the quota. */
const UNPROVEN: readonly (string | undefined)[] = ['identity_not_verified', 'user_not_prepared'];

type ByWallet = KycRequest & { readonly by: 'wallet' };

/** Opens a session first and proves the wallet only if the service requires it: a proven wallet signs nothing. */
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

const openNew = async (context: KycContext, request: KycRequest, isKnown: boolean): Promise<Verification> => {
  if (request.by === 'wallet') return openByWallet(context, request, isKnown);
  const { kycType, email, isCodeSent } = request;
  const isProven = await prepareEmail(context, email);
  if (!isProven) await proveEmail(context, email, isCodeSent);
  return openSession(context.client, kycType, { email });
};

/**
 * Does the remaining steps to a hosted verification: registers the user, proves the e-mail address or wallet, opens a
 * session. An approved user or an open session needs no call that sends or spends anything. Resolves with the
 * verification: approved, or with a session.
 */
export const startKyc = async (context: KycContext, request: KycRequest): Promise<Verification> => {
  const known = await find(context, userOf(request));
  const status = known && kycStatusOf(known);
  if (known && (status === 'approved' || status === 'open' || status === 'under_way')) return known;
  if (known && status === 'declined' && !(await context.startAnother(known))) {
    throw new Failure('identity_gate', 'the verification is declined', { data: known });
  }
  const verification = await openNew(context, request, known !== undefined);
  await context.on({ kind: 'session', verification });
  return verification;
};

/** Reads the verification after a lost response: the session may be open, and would count towards the quota. */
const readAfterLoss = async (client: Client, user: KycUser, lost: Failure): Promise<Verification> => {
  const verification = await readingBack(lost, () => readVerification(client, user));
  if (['open', 'under_way', 'approved'].includes(kycStatusOf(verification))) return verification;
  const hint = `${lost.details.hint ?? ''} Read again, the verification is ${inSentence(verification.status)}.`.trim();
  throw withDetails(lost, { hint, data: verification });
};

/**
 * Opens a hosted verification, or returns the open one. Calls once, because each session may count towards the quota.
 * Throws `rejected` if the service returns neither a session nor an approved user.
 */
const openSession = async (client: Client, kycType: string, user: KycUser): Promise<Verification> => {
  let envelope: Awaited<ReturnType<typeof call>>;
  try {
    envelope = await call(client, create, { kyc_type: kycType, ...user });
  } catch (error) {
    if (!isUnclear(error)) throw error;
    return readAfterLoss(client, user, error);
  }
  const { session, message, success } = dataOf(create, 'kyc_session_created', envelope);
  const { session_id, session_url } = session ?? {};
  const verification = {
    // A failed read must not lose the address of the session.
    ...(await readVerification(client, user).catch(valueOn(isUninterrupted, { status: envelope.status }))),
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

/** Registers a user; a registered user is not changed. Returns whether the e-mail address is proven. */
const prepareEmail = async ({ client, on }: KycContext, email: string): Promise<boolean> => {
  const envelope = await call(client, prepare, { email });
  await on({ kind: 'prepared', status: envelope.status });
  if (envelope.status === 'user_prepared') return false;
  return dataOf(prepare, 'user_already_prepared', envelope).email_verified;
};

/** The result of sending or trying a code. */
type CodeOutcome = 'proven' | 'sent' | Failure;

/** Sends a code. After a lost response it returns the failure and sends no second code: the first may have arrived. */
const send = async ({ client, on }: KycContext, email: string): Promise<CodeOutcome> => {
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

/** Rejections after which the user can try another code or request a new one. */
const RETRYABLE: readonly (string | undefined)[] = ['otp_invalid', 'otp_expired', 'otp_max_attempts'];

/** Tries a code once, because the service counts attempts. After a lost response it reads whether the code was right. */
const attempt = async (context: KycContext, email: string, code: string): Promise<'proven' | Failure> => {
  try {
    await call(context.client, verifyOtp, { email, code });
    return 'proven';
  } catch (error) {
    if (isProvenAlready(error)) return 'proven';
    if (isUnclear(error)) return (await prepareEmail(context, email)) ? 'proven' : error;
    if (isFailure(error) && RETRYABLE.includes(error.details.status)) return error;
    throw error;
  }
};

/**
 * Proves an e-mail address by the code that is sent to it (document: KYC by email). `isSent`: a code was already sent.
 * Repeats after wrong codes until the service or the user stops.
 */
const proveEmail = async (context: KycContext, email: string, isSent: boolean): Promise<void> => {
  await context.assertCodeAvailable(email);
  const hasCode = isSent || (await context.hasCode?.(email)) === true;
  let last: CodeOutcome = hasCode ? 'sent' : await send(context, email);
  while (last !== 'proven') {
    const code = await context.nextCode(email, last === 'sent' ? undefined : last);
    last = code === undefined ? await send(context, email) : await attempt(context, email, code);
  }
  await context.on({ kind: 'email_proven', email });
};
