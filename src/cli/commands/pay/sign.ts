import { approve } from '../../../chain/evm/approve.ts';
import type { Expected } from '../../../chain/evm/context.ts';
import { signEvm } from '../../../chain/evm/sign.ts';
import { networkFor } from '../../../chain/registry.ts';
import { kindOfChainId } from '../../../contract/chains.ts';
import { Failure } from '../../../core/failure.ts';
import { digitsOf } from '../../../core/json.ts';
import { expectedOf } from '../../../flows/pay/expected.ts';
import { reviewCryptoTx } from '../../../flows/pay/sign.ts';
import { readPayment } from '../../../flows/pay/status.ts';
import { readDocument } from '../../body.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { type Given, textOf } from '../../options.ts';
import { assertExecutable, intentOfPayment } from './facts.ts';
import {
  KEY_OPTION,
  keyNameFrom,
  overridesFrom,
  PASSWORD_OPTIONS,
  PAYMENT_ID,
  REVIEW_OPTIONS,
  requireAll,
  withKey,
} from './shared.ts';
import { sayEvents } from './show.ts';

type Unsigned = { readonly cryptoTx: unknown; readonly expected: Expected; readonly kind: 'live' | 'sandbox' };

/** A file says nothing of the service it came from: the chain id tells a sandbox's chain from a real one. */
const kindIn = (cryptoTx: unknown): 'live' | 'sandbox' => {
  const { transactionRequest } = (cryptoTx ?? {}) as { transactionRequest?: { chainId?: unknown } };
  return kindOfChainId(Number(digitsOf(transactionRequest?.chainId)));
};

const unsignedFrom = async (cli: Cli, given: Given): Promise<Unsigned> => {
  const file = textOf(given, 'unsigned');
  const paymentId = textOf(given, 'payment_id');
  if ((file === undefined) === (paymentId === undefined)) {
    throw new Failure('invalid_input', 'give a PAYMENT_ID or --unsigned FILE, one of them');
  }
  if (file !== undefined) {
    const cryptoTx = await readDocument(cli.io, file);
    return { cryptoTx, expected: {}, kind: kindIn(cryptoTx) };
  }
  const client = await cli.client();
  const payment = await readPayment(client, paymentId ?? '');
  assertExecutable(payment);
  const expected = expectedOf(intentOfPayment(payment));
  return { cryptoTx: payment['unsigned_tx'], expected, kind: client.service.kind };
};

const run = async (cli: Cli, given: Given): Promise<void> => {
  const keyName = keyNameFrom(cli, given);
  requireAll({ '--key': keyName });
  const { cryptoTx, expected, kind } = await unsignedFrom(cli, given);
  await withKey(cli, given, keyName ?? '', async (key) => {
    const reviewing = { network: networkFor(kind), overrides: overridesFrom(given) };
    const review = reviewCryptoTx(reviewing, cryptoTx, expected, key.address);
    await sayEvents(cli)({ kind: 'reviewed', review });
    const isYes =
      review.verdict !== 'needs_word' || (await cli.confirm('The review could not vouch for all of it. Sign?'));
    const approved = approve(review, isYes ? 'user_said_yes' : 'fine');
    await cli.answer(signEvm(approved, key.privateKey));
  });
};

export const sign: Leaf = {
  words: ['pay', 'sign'],
  summary: "Review and sign a payment's transaction, send nothing",
  about: [
    'What is signed is exactly what was reviewed. Without --yes or a terminal only a review without doubts signs.',
  ],
  arguments: [{ ...PAYMENT_ID, isOptional: true }],
  options: [
    { flag: '--unsigned', value: 'FILE', says: 'A crypto_tx as JSON instead of a payment id, - for stdin' },
    KEY_OPTION,
    ...PASSWORD_OPTIONS,
    ...REVIEW_OPTIONS,
  ],
  examples: ['pay sign pay_0123 --key treasury', 'pay sign --unsigned crypto_tx.json --key treasury --json'],
  run,
};
