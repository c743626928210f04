import type { Client } from '../../../client/call.ts';
import { Failure } from '../../../core/failure.ts';
import type { OpenKey } from '../../../flows/pay/context.ts';
import { resumePayment } from '../../../flows/pay/resume/resume.ts';
import type { Resumption } from '../../../flows/pay/resume/resumption.ts';
import type { PaymentIntent } from '../../../journal/entry.ts';
import { readInputs } from '../../../journal/inputs.ts';
import { standingOf } from '../../../journal/standing.ts';
import { isPaymentIntent, type MovementState } from '../../../journal/state.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { resumeLeaf } from '../../movements/resume.ts';
import { assertSameService } from '../../movements/same-service.ts';
import { type Given, textOf } from '../../options.ts';
import { KEY_OPTION, PASSWORD_OPTIONS, withKey } from '../../signing-key.ts';
import { withReopened } from './context.ts';
import { PAYMENTS } from './journal.ts';
import { REVIEW_OPTIONS, RPC_OPTION } from './shared.ts';

/** The payer's key, by its address; another one is refused before it is unlocked. */
const keyNameOf = async (cli: Cli, given: Given, { payer }: PaymentIntent): Promise<string> => {
  const { name, address } = await openKeystore(cli.io).find(textOf(given, 'key') ?? payer);
  if (address?.toLowerCase() === payer.toLowerCase()) return name;
  throw new Failure('invalid_input', `--key: ${name} is ${address}, and the payment was begun with ${payer}`);
};

/** Something new is signed only for a person at a terminal, or with --yes. */
const signerFor = (cli: Cli, given: Given, intent: PaymentIntent): Resumption['withKey'] => {
  if (!cli.globals.yes && !cli.io.prompt.isPossible) return undefined;
  return async <T>(work: (key: OpenKey) => Promise<T>): Promise<T> =>
    withKey(cli, given, { name: await keyNameOf(cli, given, intent), chain: 'evm' }, work);
};

const inputsOf = async (cli: Cli, id: string): Promise<Resumption['inputs']> => {
  const { register, transaction } = (await readInputs(cli.io, id)) ?? {};
  return register && transaction ? ({ register, transaction } as NonNullable<Resumption['inputs']>) : undefined;
};

/** What a payment that was taken up again came to. */
const receiptOf = (state: MovementState, intent: PaymentIntent, status: string, hash: string | null) => ({
  payment_id: state.payment_id ?? null,
  status,
  tid_hash: hash,
  profile: state.begun.profile,
  kind: state.begun.kind,
  movement: state.id,
  chain_name: intent.chain,
  payer_wallet: intent.payer,
  amount_from: intent.amount,
  from_currency_symbol: intent.currency,
});

/** Takes one payment up again and gives its receipt. Throws as `resumePayment` and `reopenMovement`. */
export const resumeOne = async (cli: Cli, given: Given, client: Client, id: string): Promise<unknown> =>
  withReopened(cli, given, { client, id }, async (context, state) => {
    const { intent } = state;
    assertSameService(state, client.service);
    const resumption = { state, intent, inputs: await inputsOf(cli, id), withKey: signerFor(cli, given, intent) };
    const { payment_id, hash, payment } = await resumePayment(context, resumption);
    return receiptOf({ ...state, payment_id }, intent, payment.status, hash);
  });

/** The receipt of a payment that is over. */
export const asEnded = (state: MovementState): unknown => {
  const { intent } = state.begun;
  const hash = state.signed.findLast(({ sent }) => sent !== 'no')?.hash ?? null;
  return isPaymentIntent(intent) ? receiptOf(state, intent, standingOf(state), hash) : undefined;
};

/** `pay resume`. */
export const resume: Leaf = resumeLeaf(PAYMENTS, {
  about: [
    'Reads back what became of a payment, sends bytes that were approved once more, and, with --yes or at a terminal,',
    'signs what was not signed yet. Another transaction is signed only when the one before is shown to be dead.',
  ],
  options: [KEY_OPTION, ...PASSWORD_OPTIONS, ...REVIEW_OPTIONS, RPC_OPTION],
  resumeOne,
  asEnded,
});
