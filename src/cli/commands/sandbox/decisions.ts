import type * as z from 'zod';
import { decideCard, decidePix, readPix } from '../../../contract/control/charges.ts';
import { decideKyc, decision, readInbox, readQuota, setQuota } from '../../../contract/control/identity.ts';
import { amended, Failure } from '../../../core/failure.ts';
import { nextStep, withOptions } from '../../../core/next.ts';
import { type Argument, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { controlCommand, descriptionOf, fieldOption, switchesIn, switchesOf, wholeArg } from './control.ts';

/** The payment; it is asked for first, from those that `suggest` finds. */
const paymentArgument = (suggest: NonNullable<Argument['suggest']>): Argument => ({
  name: 'PAYMENT_ID',
  description: 'Id of the payment',
  completes: 'payments',
  question: 'Payment',
  order: -100,
  suggest,
});

const paymentId = (given: ParsedArgs): string => required({ PAYMENT_ID: stringArg(given, 'payment_id') }).PAYMENT_ID;

const PIX_OUTCOMES = decidePix.body.outcome;

/** `sandbox pix`. */
export const pix = controlCommand({
  verb: 'pix',
  summary: 'Pay a Pix charge of the sandbox, or show its code',
  about: ["As the payer's bank would. After payment the receivers get their shares on the chain."],
  controls: [readPix, decidePix],
  arguments: [paymentArgument(async () => (await import('../../prompt/suggestions.ts')).suggestPixPayments)],
  options: switchesOf(PIX_OUTCOMES),
  examples: ['sandbox pix pay_0123', 'sandbox pix pay_0123 --pay'],
  run: async (cli, given, call) => {
    const payment_id = paymentId(given);
    const outcome = outcomeIn(given, PIX_OUTCOMES);
    const work = outcome ? call(decidePix, { payment_id, outcome }) : call(readPix, { payment_id });
    await cli.printResult(await explainMissing<unknown>(work, payment_id, 'pix'));
  },
});

const CARD_OUTCOMES = decideCard.body.outcome;

/** `sandbox card`. */
export const card = controlCommand({
  verb: 'card',
  summary: decideCard.summary,
  about: [
    'Test tokens: tok_refused, tok_insufficient_funds and tok_expired are refused. tok_pending waits for this',
    'command. Every other token is approved. Of raw cards the number 4000000000000002 is refused.',
  ],
  controls: [decideCard],
  arguments: [paymentArgument(async () => (await import('../../prompt/suggestions.ts')).suggestCardPayments)],
  options: switchesOf(CARD_OUTCOMES),
  examples: ['sandbox card pay_0123 --approve'],
  run: async (cli, given, call) => {
    const payment_id = paymentId(given);
    const outcome = outcomeIn(given, CARD_OUTCOMES);
    if (!outcome) throw new Failure('invalid_input', 'missing: --approve or --refuse');
    await cli.printResult(await explainMissing(call(decideCard, { payment_id, outcome }), payment_id, 'card'));
  },
});

/** The outcome whose switch was given, if any. Throws `invalid_input` for several. */
const outcomeIn = <M extends z.core.util.EnumLike>(given: ParsedArgs, schema: z.ZodEnum<M>): M[keyof M] | undefined => {
  const [outcome, ...more] = switchesIn(given, schema);
  if (more.length === 0) return outcome;
  throw new Failure('invalid_input', `give only one of ${schema.options.map((word) => `--${word}`).join(', ')}`);
};

/** A text that cannot be an id does not stand in a next command. */
const isIdLike = (text: string): boolean => /^[\w-]{1,80}$/.test(text);

/** Throws `not_found` with the commands that lead to such a payment, where the sandbox has none. */
export const explainMissing = <T>(work: Promise<T>, id: string, kind: 'pix' | 'card'): Promise<T> => {
  const message = `this sandbox has no payment ${id} that waits for a ${kind === 'pix' ? 'Pix' : 'card'}`;
  const type = kind === 'pix' ? 'pixcrypto' : 'cardcrypto';
  const explain = (failure: Failure) =>
    new Failure('not_found', message, {
      ...failure.details,
      hint: `Create one with bursar pay run, or pay transaction, and --transaction-type ${type} --profile sandbox. Payments of this machine: bursar pay list.`,
      next: isIdLike(id)
        ? withOptions(nextStep('pay.status', id), ['--profile', 'sandbox'])
        : nextStep('operation.list', 'pay'),
      cause: failure,
    });
  return work.catch(amended(explain, 'not_found'));
};

/** `sandbox inbox`. */
export const inbox = controlCommand({
  verb: 'inbox',
  summary: 'Show the e-mails of the sandbox, newest first',
  controls: [readInbox],
  arguments: [{ name: 'EMAIL', description: descriptionOf(readInbox.query.to), isOptional: true }],
  examples: ['sandbox inbox', 'sandbox inbox payer@example.com --json'],
  run: async (cli, given, call) => {
    const { emails } = await call(readInbox, { to: stringArg(given, 'email') });
    await cli.printResult(emails, emails, { none: 'No e-mail was sent. bursar kyc start sends one.' });
  },
});

const FLAGS = decision.options.map((word) => `--${word}`).join(', ');

/** `sandbox kyc`. */
export const kyc = controlCommand({
  verb: 'kyc',
  summary: 'Decide the verification of a user, as its provider would',
  about: ['The user must be prepared. An open session is decided too. Without arguments it shows the quota.'],
  controls: [decideKyc, readQuota, setQuota],
  arguments: [{ name: 'EMAIL_OR_WALLET', description: 'The user', isOptional: true }],
  options: [...switchesOf(decision), fieldOption('--quota', setQuota.body.quota, 'N')],
  examples: ['sandbox kyc payer@example.com --approve', 'sandbox kyc --quota 3', 'sandbox kyc'],
  run: async (cli, given, call) => {
    const [user, decisions] = [stringArg(given, 'email_or_wallet'), switchesIn(given, decision)];
    const isAboutUser = user !== undefined || decisions.length > 0;
    const quota = stringArg(given, 'quota');
    if (quota !== undefined) {
      if (isAboutUser) throw new Failure('invalid_input', '--quota stands alone: it is for all users');
      if (quota.length > 6) throw new Failure('invalid_input', `--quota: "${quota}" is not a number of sessions`);
      return cli.printResult(await call(setQuota, { quota: wholeArg(given, 'quota') ?? 0 }));
    }
    if (!isAboutUser) return cli.printResult(await call(readQuota));
    const { EMAIL_OR_WALLET: name } = required({ EMAIL_OR_WALLET: user });
    const [chosen, ...more] = decisions;
    if (!chosen || more.length > 0) throw new Failure('invalid_input', `give one decision: ${FLAGS}`);
    const named = name.includes('@') ? { email: name } : { wallet: name };
    return cli.printResult(await call(decideKyc, { ...named, decision: chosen }));
  },
});
