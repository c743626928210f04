import type { Review } from '../../../chain/evm/review.ts';
import { networkFor } from '../../../chain/registry.ts';
import type { Kind } from '../../../contract/chains.ts';
import { Failure } from '../../../core/failure.ts';
import { expectedOf } from '../../../flows/pay/expected.ts';
import { signOnly, type Unsigned } from '../../../flows/pay/sign.ts';
import { readPayment } from '../../../flows/pay/status.ts';
import { approveReviews } from '../../approving.ts';
import { readDocument } from '../../body.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { kindOfCryptoTx } from '../../kind-of.ts';
import { type Given, textOf } from '../../options.ts';
import { gateOf, pinsOf } from '../../profiles/gate.ts';
import { required } from '../../required.ts';
import { chooseKey, KEY_OPTION, PASSWORD_OPTIONS, withKey } from '../../signing-key.ts';
import { assertExecutable, intentOfPayment } from './facts.ts';
import { nodeFrom, overridesFrom, PAYMENT_ID, REVIEW_OPTIONS, RPC_OPTION } from './shared.ts';
import { sayEvents } from './show.ts';

const unsignedFrom = async (cli: Cli, given: Given): Promise<Unsigned & { readonly kind: Kind }> => {
  const file = textOf(given, 'unsigned');
  const paymentId = textOf(given, 'payment_id');
  if ((file === undefined) === (paymentId === undefined)) {
    throw new Failure('invalid_input', 'give a PAYMENT_ID or --unsigned FILE, one of them');
  }
  if (file !== undefined) {
    const cryptoTx = await readDocument(cli.io, file);
    return { cryptoTx, expected: {}, kind: kindOfCryptoTx(cryptoTx) };
  }
  const client = await cli.client();
  const payment = await readPayment(client, paymentId ?? '');
  assertExecutable(payment);
  const expected = expectedOf(intentOfPayment(payment));
  return { cryptoTx: payment['unsigned_tx'], expected, kind: client.service.kind };
};

/** With a file there is no payment to hold a transaction against: a person is asked, a script is told. */
const askAlone = async (cli: Cli, { moves, chain }: Review): Promise<string | undefined> => {
  const amounts = moves.map(({ amount, token, to }) => `${amount} ${token} to ${to}`).join(' and ') || 'nothing';
  await cli.say('Nothing was asked for that this transaction could be held against: only what it does was looked at.');
  return cli.io.prompt.isPossible ? `Sign a transaction of ${amounts} on ${chain}?` : undefined;
};

/** Signing alone moves nothing: a payment's own transaction asks only where the review has doubts. */
const approveWith =
  (cli: Cli, isAlone: boolean) =>
  async (review: Review): Promise<boolean> => {
    const question = isAlone && review.verdict === 'fine' ? await askAlone(cli, review) : undefined;
    const doubtful = 'The review could not vouch for all of it. Sign?';
    return approveReviews(cli, { reviews: [review], question, doubtful });
  };

const run = async (cli: Cli, given: Given): Promise<void> => {
  const { name = '', problem } = await chooseKey(cli, given, 'evm');
  required({ '--key': name }, { '--key': problem });
  const node = nodeFrom(cli, given);
  const { kind, ...unsigned } = await unsignedFrom(cli, given);
  const isAlone = textOf(given, 'unsigned') !== undefined;
  const pins = await pinsOf(cli);
  const gate = await gateOf(cli);
  await withKey(cli, given, { name, chain: 'evm' }, async (key) => {
    const reviewing = {
      network: networkFor(kind),
      overrides: overridesFrom(given),
      node,
      pins,
      gate,
      on: sayEvents(cli),
      approve: approveWith(cli, isAlone),
    };
    await cli.answer(await signOnly(reviewing, unsigned, key));
  });
};

export const sign: Leaf = {
  words: ['pay', 'sign'],
  summary: "Review and sign a payment's transaction, send nothing",
  about: ['What is signed is exactly what was reviewed. Without a terminal only a review without doubts signs.'],
  arguments: [{ ...PAYMENT_ID, isOptional: true }],
  options: [
    { flag: '--unsigned', value: 'FILE', says: 'A crypto_tx as JSON instead of a payment id, - for stdin' },
    KEY_OPTION,
    ...PASSWORD_OPTIONS,
    ...REVIEW_OPTIONS,
    RPC_OPTION,
  ],
  examples: ['pay sign pay_0123 --key treasury', 'pay sign --unsigned crypto_tx.json --key treasury --json'],
  run,
};
