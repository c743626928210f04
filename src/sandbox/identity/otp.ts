import { OTP_ATTEMPTS, OTP_DIGITS, OTP_MS } from '../assumptions.ts';
import { changeUser, findUser, putEmail } from '../ledger/identities.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Services } from '../services.ts';

/** A code from 32 random bits. All codes are almost equally likely. */
const newCode = ({ random }: Services): string => {
  const number = Buffer.from(random.bytes(4)).readUInt32BE() % 10 ** OTP_DIGITS;
  return String(number).padStart(OTP_DIGITS, '0');
};

const checkUser = async (ledger: Ledger, email: string) => {
  const user = await findUser(ledger, 'email', email);
  if (!user) return { ok: false, status: 'user_not_found' } as const;
  if (user.email_verified === 1) return { ok: false, status: 'email_already_verified' } as const;
  return { ok: true, user } as const;
};

/** Sends a new code to a prepared address. An earlier code becomes invalid. */
export const sendCode = async (services: Services, email: string) => {
  const code = newCode(services);
  const sent_at = services.clock.nowIso();
  const expires_at = new Date(services.clock.now() + OTP_MS).toISOString();
  return (await services.ledger()).transaction().execute(async (step) => {
    const checked = await checkUser(step, email);
    if (!checked.ok) return checked.status;
    const fresh = { code, wrong_answers: 0, expires_at };
    await step
      .insertInto('email_codes')
      .values({ email, ...fresh })
      .onConflict((conflict) => conflict.column('email').doUpdateSet(fresh))
      .execute();
    const text = `Your code is ${code}. It is valid for ${OTP_MS / 60_000} minutes.`;
    await putEmail(step, { to: email, subject: `${code} is your verification code`, text, code, sent_at });
    return 'otp_sent' as const;
  });
};

/** The result of an attempt; `left` is the number of remaining attempts. */
const attemptResult = <const S extends string>(status: S, left?: number) => ({ status, left });

/** Checks an answer. A wrong answer uses up an attempt in the same transaction, so that all parallel guesses count. */
const validate = async (ledger: Ledger, email: string, answer: string, now: string) => {
  const sent = await ledger.selectFrom('email_codes').selectAll().where('email', '=', email).executeTakeFirst();
  if (!sent) return attemptResult('otp_invalid');
  if (sent.wrong_answers >= OTP_ATTEMPTS) return attemptResult('otp_max_attempts');
  if (sent.expires_at <= now) return attemptResult('otp_expired');
  if (sent.code === answer) return attemptResult('email_verified');
  const wrong_answers = sent.wrong_answers + 1;
  await ledger.updateTable('email_codes').set({ wrong_answers }).where('email', '=', email).execute();
  const left = OTP_ATTEMPTS - wrong_answers;
  // `otp_invalid` means that the user can try again.
  return left > 0 ? attemptResult('otp_invalid', left) : attemptResult('otp_max_attempts');
};

/** Verifies an address by an answer to the code that was sent to it. */
export const answerCode = async (services: Services, email: string, answer: string) => {
  const now = services.clock.nowIso();
  return (await services.ledger()).transaction().execute(async (step) => {
    const checked = await checkUser(step, email);
    if (!checked.ok) return attemptResult(checked.status);
    const validated = await validate(step, email, answer.trim(), now);
    if (validated.status !== 'email_verified') return validated;
    await step.deleteFrom('email_codes').where('email', '=', email).execute();
    await changeUser(step, checked.user.id, { email_verified: 1 });
    return validated;
  });
};
