import { approve } from '../../../chain/evm/approve.ts';
import { parseCryptoTx } from '../../../chain/evm/parse.ts';
import { readSigned } from '../../../chain/evm/signed.ts';
import { prepare } from '../../../client/call.ts';
import { execute as endpoint } from '../../../contract/pay/execute.ts';
import { Failure } from '../../../core/failure.ts';
import type { PayContext } from '../../../flows/pay/context.ts';
import { executeInput, executePayment } from '../../../flows/pay/execute.ts';
import { expectedOf } from '../../../flows/pay/expected.ts';
import type { Reviewed } from '../../../flows/pay/run.ts';
import { reviewAndSign, reviewCryptoTx } from '../../../flows/pay/sign.ts';
import { type PaymentState, readPayment } from '../../../flows/pay/status.ts';
import { readGiven } from '../../body.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { type Given, textOf } from '../../options.ts';
import { onlyShows, showRequests } from '../../show-request.ts';
import { assertCanConfirm, openPayment } from './context.ts';
import { assertExecutable, intentOfPayment } from './facts.ts';
import {
  KEY_OPTION,
  keyNameFrom,
  PASSWORD_OPTIONS,
  PAYMENT_ID,
  REVIEW_OPTIONS,
  requireAll,
  withKey,
} from './shared.ts';

/** Signed bytes as an option gives them: hex, @FILE, or - for standard input. */
const signedFrom = async (cli: Cli, given: Given): Promise<string | undefined> => {
  const text = textOf(given, 'signed-transaction');
  if (text === undefined || !/^(?:@|-$)/.test(text)) return text;
  return (await readGiven(cli.io, text.replace(/^@/, ''))).trim();
};

/** Bytes signed elsewhere pass the same review as ours, and must be those of this payment. */
const reviewSigned = async (context: PayContext, payment: PaymentState, hex: string): Promise<Reviewed> => {
  const signed = readSigned(hex, parseCryptoTx(payment['unsigned_tx']));
  const review = reviewCryptoTx(context, payment['unsigned_tx'], expectedOf(intentOfPayment(payment)), signed.from);
  await context.on({ kind: 'reviewed', review });
  if (review.verdict !== 'refused' && !(await context.approve(review))) {
    throw new Failure('refused_by_review', 'not approved; nothing was sent');
  }
  approve(review, 'user_said_yes');
  const { verdict, digest } = review;
  await context.movement.record({ step: 'reviewed', verdict, digest, allowed: [] });
  const { hash, from, signed_transaction } = signed;
  await context.movement.record({ step: 'signed', payment_id: payment.id, signed_transaction, hash, from });
  return { review, signed: { signed_transaction, hash } };
};

const send = async (cli: Cli, given: Given, payment: PaymentState, hex: string | undefined): Promise<void> => {
  const intent = intentOfPayment(payment);
  const finish = async (context: PayContext, { signed }: Reviewed): Promise<void> => {
    const { status, hash } = await executePayment(context, payment.id, signed);
    const { profile, kind } = context.client.service;
    await cli.answer({ payment_id: payment.id, id: payment.id, status, tid_hash: hash, profile, kind });
  };
  if (hex !== undefined) {
    const context = await openPayment(cli, given, intent);
    return finish(context, await reviewSigned(context, payment, hex));
  }
  return withKey(cli, given, keyNameFrom(cli, given) ?? '', async (key) => {
    const context = await openPayment(cli, given, intent);
    await finish(context, await reviewAndSign(context, payment.id, payment['unsigned_tx'], expectedOf(intent), key));
  });
};

const run = async (cli: Cli, given: Given): Promise<void> => {
  const paymentId = textOf(given, 'payment_id');
  const hex = await signedFrom(cli, given);
  requireAll({ PAYMENT_ID: paymentId, '--key or --signed-transaction': hex ?? keyNameFrom(cli, given) });
  if (onlyShows(cli)) {
    requireAll({ '--signed-transaction': hex });
    const { service } = await cli.client();
    return showRequests(cli, service, [prepare(service, endpoint, executeInput(paymentId ?? '', hex ?? ''))]);
  }
  assertCanConfirm(cli);
  const payment = await readPayment(await cli.client(), paymentId ?? '');
  assertExecutable(payment);
  return send(cli, given, payment, hex);
};

export const execute: Leaf = {
  words: ['pay', 'execute'],
  summary: 'Send the signed transaction of a payment through the service',
  about: [
    `${endpoint.method} ${endpoint.path}`,
    'With --key it is reviewed and signed first. The journal has the signed bytes before they are sent.',
  ],
  arguments: [PAYMENT_ID],
  options: [
    KEY_OPTION,
    { flag: '--signed-transaction', value: 'HEX', says: 'Bytes signed elsewhere: hex, @FILE, or - for stdin' },
    ...PASSWORD_OPTIONS,
    ...REVIEW_OPTIONS,
  ],
  examples: ['pay execute pay_0123 --key treasury', 'pay execute pay_0123 --signed-transaction @signed.hex --yes'],
  run,
};
