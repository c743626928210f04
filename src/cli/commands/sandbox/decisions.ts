import type * as z from 'zod';
import { decideCard, decidePix, readPix } from '../../../contract/control/charges.ts';
import { decideKyc, decision, readInbox, readQuota, setQuota } from '../../../contract/control/identity.ts';
import { amended, Failure, isFailure, withDetails } from '../../../core/failure.ts';
import { commandLine, type NextStep, nextStep, withOptions } from '../../../core/next.ts';
import type { CommandContext } from '../../command/command.ts';
import { type Argument, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { wholeArg } from '../../command/whole-arg.ts';
import { forProfile } from '../../print/next-command.ts';
import { SANDBOX } from '../../profiles/profile.ts';
import { controlCommand, descriptionOf, fieldOption, switchesIn, switchesOf } from './control.ts';

/** A way to pay without a key. */
type ChargeKind = 'pix' | 'card';

/** The payments of this machine that wait for a decision, by kind, and the command that makes one that waits. */
const CHARGES = {
  pix: {
    noun: 'Pix',
    offers: 'waiting-pix',
    suggest: async () => (await import('../../prompt/suggestions.ts')).suggestPixPayments,
    waiting: nextStep('pay.run', ['--transaction-type', 'pixcrypto', '--no-wait']),
  },
  card: {
    noun: 'card',
    offers: 'waiting-cards',
    suggest: async () => (await import('../../prompt/suggestions.ts')).suggestCardPayments,
    waiting: nextStep('pay.run', ['--transaction-type', 'cardcrypto', '--card-token', 'tok_pending']),
  },
} as const satisfies Record<ChargeKind, object>;

/** The payment; it is asked for first, from those of this machine that wait. */
const paymentArgument = (kind: ChargeKind): Argument => ({
  name: 'PAYMENT_ID',
  description: 'Id of the payment',
  completes: CHARGES[kind].offers,
  question: 'Payment',
  order: -100,
  suggest: CHARGES[kind].suggest,
});

const waitingIds = async (cli: CommandContext, given: ParsedArgs, kind: ChargeKind): Promise<readonly string[]> =>
  (await (await CHARGES[kind].suggest())(cli, given)).choices.map(({ value }) => value);

/** The payment. Without one the failure names those that wait, or the command that makes one that waits. */
const paymentId = async (cli: CommandContext, given: ParsedArgs, kind: ChargeKind): Promise<string> => {
  const id = stringArg(given, 'payment_id');
  if (id) return id;
  const { noun, waiting } = CHARGES[kind];
  const ids = await waitingIds(cli, given, kind);
  const [only, ...others] = ids;
  const none = `no ${noun} of this machine waits`;
  if (only === undefined && cli.io.prompt.isPossible) {
    throw new Failure('invalid_input', none, {
      hint: 'The next command makes one that waits. A payment of another machine needs its id.',
      next: await forProfile(cli, SANDBOX, waiting),
    });
  }
  const first = only !== undefined && others.length === 0 ? { first: nextStep(`sandbox.${kind}`, only) } : {};
  const known = ids.length > 0 ? `waiting: ${ids.join(', ')}` : `${none}. To make one: ${commandLine(waiting)}`;
  const message = `required; ${known}`;
  return required({ PAYMENT_ID: id }, { PAYMENT_ID: { message, ...first } }).PAYMENT_ID;
};

const PIX_OUTCOMES = decidePix.body.outcome;

/** `sandbox pix`. */
export const pix = controlCommand({
  verb: 'pix',
  summary: 'Pay a Pix charge of the sandbox, or show its code',
  about: ["As the payer's bank would. After payment the receivers get their shares on the chain."],
  controls: [readPix, decidePix],
  arguments: [paymentArgument('pix')],
  options: switchesOf(PIX_OUTCOMES),
  examples: ['sandbox pix pay_0123', 'sandbox pix pay_0123 --pay'],
  run: async (cli, given, call) => {
    const payment_id = await paymentId(cli, given, 'pix');
    const outcome = outcomeIn(given, PIX_OUTCOMES);
    const work = outcome ? call(decidePix, { payment_id, outcome }) : call(readPix, { payment_id });
    await cli.printResult(await explainMissing<unknown>(work, payment_id, 'pix', () => waitingIds(cli, given, 'pix')));
  },
});

const CARD_OUTCOMES = decideCard.body.outcome;

/** `sandbox card`. */
export const card = controlCommand({
  verb: 'card',
  summary: decideCard.summary,
  about: [
    'Test tokens: tok_refused, tok_insufficient_funds and tok_expired are refused. tok_pending waits for this command. Every other token is approved. Of raw cards the number 4000000000000002 is refused.',
  ],
  controls: [decideCard],
  arguments: [paymentArgument('card')],
  options: switchesOf(CARD_OUTCOMES),
  examples: ['sandbox card pay_0123 --approve', 'sandbox card pay_0123 --refuse'],
  run: async (cli, given, call) => {
    const payment_id = await paymentId(cli, given, 'card');
    const outcome = outcomeIn(given, CARD_OUTCOMES);
    const next = nextFor(payment_id, nextStep('sandbox.card', payment_id));
    if (!outcome) throw new Failure('invalid_input', 'missing: --approve or --refuse', { next });
    const work = call(decideCard, { payment_id, outcome });
    await cli.printResult(await explainMissing(work, payment_id, 'card', () => waitingIds(cli, given, 'card')));
  },
});

/** The outcome whose switch was given, if any. Throws `invalid_input` for several. */
const outcomeIn = <M extends z.core.util.EnumLike>(given: ParsedArgs, schema: z.ZodEnum<M>): M[keyof M] | undefined => {
  const [outcome, ...more] = switchesIn(given, schema);
  if (more.length === 0) return outcome;
  throw new Failure('invalid_input', `give only one of ${schema.options.map((word) => `--${word}`).join(', ')}`);
};

/** A command about an id. A text that cannot be an id does not stand in a next command. */
const nextFor = (id: string, step: NextStep): NextStep =>
  /^[\w-]{1,80}$/.test(id) ? step : nextStep('operation.list', 'pay');

/** An id as the sandbox makes them: its payment may exist, and wait for nothing. */
const OWN_ID = /^pay_[0-9a-f]{32}$/;

/** The command about the only payment that waits, about all that wait, or that makes one. */
const stepToOneOf = ([only, ...others]: readonly string[], kind: ChargeKind): NextStep => {
  if (only === undefined) return CHARGES[kind].waiting;
  return others.length === 0 ? nextStep(`sandbox.${kind}`, only) : nextStep('operation.list', 'pay');
};

/**
 * Throws `not_found` with the commands that lead to such a payment, where the sandbox has none. A payment that does not wait
 * names the command that shows its state, or that records its end for the list of those that wait.
 */
export const explainMissing = async <T>(
  work: Promise<T>,
  id: string,
  kind: ChargeKind,
  readWaiting: () => Promise<readonly string[]>,
): Promise<T> => {
  const nextOf = (step: NextStep) => nextFor(id, withOptions(step, ['--profile', 'sandbox']));
  try {
    return await work;
  } catch (error) {
    if (isFailure(error, 'rejected')) {
      const isListed = (await readWaiting()).includes(id);
      throw withDetails(error, { next: nextOf(nextStep(isListed ? 'pay.resume' : 'pay.status', id)) });
    }
    if (!isFailure(error, 'not_found')) throw error;
    const message = `this sandbox has no payment ${id} that waits for a ${CHARGES[kind].noun}`;
    if (OWN_ID.test(id))
      throw new Failure('not_found', message, { ...error.details, next: nextOf(nextStep('pay.status', id)) });
    const ids = await readWaiting();
    const hint = ids.length === 0 ? 'The next command makes one that waits.' : `Waiting: ${ids.join(', ')}.`;
    const next = withOptions(stepToOneOf(ids, kind), ['--profile', SANDBOX]);
    throw new Failure('not_found', message, { ...error.details, hint, next, cause: error });
  }
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

const DECIDING =
  'quota: sessions that may be opened in a month. To decide a verification:\n  bursar sandbox kyc EMAIL_OR_WALLET --approve';

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
    if (!isAboutUser) {
      await cli.printResult(await call(readQuota));
      if (cli.io.stdout.isTerminal) await cli.printNote(DECIDING);
      return undefined;
    }
    const { EMAIL_OR_WALLET: name } = required({ EMAIL_OR_WALLET: user });
    const [chosen, ...more] = decisions;
    if (!chosen || more.length > 0) throw new Failure('invalid_input', `give one decision: ${FLAGS}`);
    const [named, start] = name.includes('@')
      ? [{ email: name }, nextStep('kyc.start', { email: name })]
      : [{ wallet: name }, nextStep('kyc.challenge', name)];
    const unknown = (failure: Failure) => withDetails(failure, { next: withOptions(start, ['--profile', SANDBOX]) });
    const decided = call(decideKyc, { ...named, decision: chosen });
    return cli.printResult(await decided.catch(amended(unknown, 'not_found')));
  },
});
