import { prepare } from '../../../client/call.ts';
import { execute as endpoint } from '../../../contract/pay/execute.ts';
import { Failure } from '../../../core/failure.ts';
import { commandLine, nextStep } from '../../../core/next.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import type { PayContext } from '../../../flows/pay/context.ts';
import { executeInput, executePayment } from '../../../flows/pay/execute.ts';
import { assertLanded } from '../../../flows/pay/landed.ts';
import { inTurn, namingNewTransaction } from '../../../flows/pay/nonce.ts';
import type { UnsignedPayment } from '../../../flows/pay/review.ts';
import { noteEnd } from '../../../flows/pay/run.ts';
import { reviewAndSign, reviewSigned, type SignedReview } from '../../../flows/pay/sign.ts';
import { expectedOf, payerOf, readPayment } from '../../../flows/pay/status.ts';
import type { PaymentIntent } from '../../../journal/intents.ts';
import { assertJournalHere } from '../../../journal/open-store.ts';
import { isDryRun } from '../../argv/command-line.ts';
import { isNamed, readNamed } from '../../command/body.ts';
import { namingOptions } from '../../command/build-input.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { keyOption, PASSWORD_OPTIONS } from '../../command/key-options.ts';
import { assertGiven, type ParsedArgs, stringArg } from '../../command/options.ts';
import { intentKey } from '../../operations/run-once.ts';
import { chooseKey } from '../../operations/signing-key.ts';
import { withOperation } from '../../operations/with-operation.ts';
import { showRequests } from '../../print/dry-run.ts';
import { completeNext } from '../../print/next-command.ts';
import { printTargetService } from '../../print/steps.ts';
import { assertCanConfirm } from '../../prompt/confirming.ts';
import { startPayment } from './context.ts';
import { amountsIn, PAYMENTS } from './journal.ts';
import { checkReviewOptions, REVIEW_OPTIONS, RPC_OPTION, UNPAID_ID } from './plan.ts';
import { STATEMENT_OPTIONS, type StatedInput, typedIn } from './stated.ts';
import { assertExecutable, readStated } from './unsigned.ts';

/** Reads the signed bytes of the option: hex, @FILE, or - for standard input. */
const signedFrom = async (cli: CommandContext, given: ParsedArgs): Promise<string | undefined> => {
  const text = stringArg(given, 'signed-transaction');
  if (text === undefined || !isNamed(text)) return text;
  const hex = (await readNamed(cli.io, text)).trim();
  if (hex) return hex;
  const path = text.replace(/^@/, '');
  const message = `${path === '-' ? 'standard input' : path} is empty`;
  throw new Failure('invalid_input', `nothing was sent: ${message}`, {
    errors: [{ field: 'signed_transaction', message }],
  });
};

/** Reviews, signs and sends a transaction in the turn of the wallet, and prints the result. */
const finish = async (
  cli: CommandContext,
  context: PayContext,
  { id, intent }: { readonly id: string; readonly intent: PaymentIntent },
  prepareWith: (held: PayContext, unsigned: UnsignedPayment) => Promise<SignedReview>,
): Promise<void> => {
  const { status, hash, envelope, review } = await inTurn(context, intent, async (held) => {
    // The process with the turn before may have used the nonce, so the transaction is read again.
    const payment = await readPayment(held.client, id);
    try {
      assertExecutable(payment);
    } catch (error) {
      await held.operation.note({ step: 'superseded', hash: undefined });
      throw error;
    }
    const unsigned = { cryptoTx: payment['unsigned_tx'], expected: expectedOf(intent, held.stating) };
    const reviewed = await prepareWith(held, unsigned).catch(namingNewTransaction(id, payerOf(payment)));
    return { ...(await executePayment(held, id, reviewed.signed)), review: reviewed.review };
  });
  const feePaid = await assertLanded(context, id, hash);
  // payment_confirmed is final; pay resume finishes payment_received.
  if (status === 'payment_confirmed') noteEnd(context, { id, status: 'success', tid_hash: hash });
  const { profile, kind } = context.client.service;
  // Document, execute: payment_received has tx_hash, payment_confirmed has tid_hash.
  const named = status === 'payment_received' ? { tx_hash: hash } : { tid_hash: hash };
  // Received is not final: the chain or the service may still refuse it.
  const next = completeNext(cli.typed, nextStep('pay.status.wait', id));
  const isOpen = status === 'payment_received';
  const receipt = { id, ...named, status, profile, kind, ...(isOpen && { next: commandLine(next) }) };
  if (cli.globals.envelope) return cli.printCommitted(envelope ?? { read_back: true, data: receipt });
  const { amount: amount_from, currency: from_currency_symbol, chain: chain_name, payer: payer_wallet } = intent;
  const summary = async () =>
    PAYMENTS.summary({
      ...{ ...receipt, payment_id: id, chain_name, payer_wallet, amount_from, from_currency_symbol },
      ...amountsIn(review, feePaid),
      [WIRE_ID]: context.operation.id,
    });
  await cli.printCommitted(receipt, receipt, { summary });
};

/** The source of the signed bytes: bytes signed elsewhere, or the name of the key that signs. */
type Signer = { readonly hex: string } | { readonly name: string };

const send = async (cli: CommandContext, given: ParsedArgs, paymentId: string, signer: Signer, typed: StatedInput) => {
  const { client, payment, intent, stating } = await readStated(cli, paymentId, typed);
  const { id } = payment;
  const intent_key = intentKey(given);
  const own = { client, intent, stating, stated: typed.statement, payment_id: id, intent_key };
  const inputs = 'hex' in signer ? { inputs: { signed_transaction: signer.hex } } : {};
  const spec = { area: PAYMENTS, start: () => startPayment(cli, given, { ...own, ...inputs }) };
  const of = { id, intent };
  if ('hex' in signer) {
    return withOperation(cli, spec, (context) =>
      finish(cli, context, of, (held, unsigned) => reviewSigned(held, id, unsigned, signer.hex)),
    );
  }
  const key = { given, name: signer.name, chain: 'evm' } as const;
  return withOperation(cli, { ...spec, key }, (context, unlocked) =>
    finish(cli, context, of, (held, unsigned) => reviewAndSign(held, id, unsigned, unlocked)),
  );
};

const signsNothing = (paymentId: string, name: string): Failure =>
  new Failure('usage', '--dry-run and --curl sign nothing: give --signed-transaction', {
    hint: 'pay sign prints the signed transaction, and sends nothing.',
    next: nextStep('pay.sign.bytes', paymentId, name),
  });

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const hex = await signedFrom(cli, given);
  await printTargetService(cli);
  const { name = '', problem } = hex === undefined ? await chooseKey(cli, given, 'evm') : {};
  const paymentId = stringArg(given, 'payment_id') ?? '';
  assertGiven([
    { anyOf: ['PAYMENT_ID'], value: paymentId },
    { anyOf: ['--key', '--signed-transaction'], value: hex ?? name, why: problem },
  ]);
  if (hex !== undefined && stringArg(given, 'key') !== undefined) {
    throw new Failure('invalid_input', 'give --key or --signed-transaction, one of them');
  }
  const typed = await typedIn(cli, given);
  // A wrong option fails before any request or question.
  await checkReviewOptions(cli, given);
  if (isDryRun(cli)) {
    if (hex === undefined) throw signsNothing(paymentId, name);
    const { service } = await cli.client();
    return showRequests(cli, service, [prepare(service, endpoint, executeInput(paymentId, hex))]);
  }
  assertCanConfirm(cli);
  await assertJournalHere(cli.io);
  return send(cli, given, paymentId, hex === undefined ? { name } : { hex }, typed);
};

/** `pay execute`. */
export const execute: Command = {
  words: ['pay', 'execute'],
  supportsDryRun: true,
  summary: 'Send the signed transaction of a payment through the service',
  about: [
    'With --key it is reviewed and signed first. The journal has the signed bytes before they are sent.',
    'Options of pay register and pay transaction state what you expect of the payment; none of them is sent.',
  ],
  arguments: [UNPAID_ID],
  options: [
    keyOption('evm'),
    {
      flag: '--signed-transaction',
      value: 'HEX',
      readsStdin: true,
      isHidden: true,
      // A reader of the bytes can send them.
      isSecret: (value) => !/^(?:@.*|-)$/.test(value),
      description: 'Bytes signed elsewhere: hex, or @FILE',
      question: 'Signed transaction as hex, or @FILE',
    },
    ...PASSWORD_OPTIONS,
    ...REVIEW_OPTIONS,
    RPC_OPTION,
    ...STATEMENT_OPTIONS,
  ],
  answers: () => ({
    names: ['id', 'tid_hash', 'tx_hash', 'status', 'profile', 'kind', 'next', 'payment_id', WIRE_ID],
    isOpen: false,
  }),
  calls: ['pay.execute', 'pay.status'],
  envelopeOf: ['pay.execute'],
  fails: ['refused_by_review', 'payment_failed'],
  examples: ['pay execute pay_0123 --key treasury', 'pay execute pay_0123 --signed-transaction @signed.hex --yes'],
  run: (cli, given) =>
    namingOptions(run(cli, given), (field) => ({
      anyOf: [field === 'signed_transaction' ? '--signed-transaction' : field],
    })),
};
