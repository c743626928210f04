import type { Review } from '../../../chain/evm/review.ts';
import type { FeePaid } from '../../../client/node.ts';
import type { Service } from '../../../client/service.ts';
import { COIN_DECIMALS } from '../../../contract/chains.ts';
import { compareDecimals, fromUnits } from '../../../core/decimal.ts';
import { inSentence } from '../../../core/text.ts';
import { WIRE_ID, WIRE_STARTED_AT } from '../../../core/wire-names.ts';
import type { RequestedCharge } from '../../../flows/charge/run.ts';
import type { PayEvent } from '../../../flows/pay/context.ts';
import type { Paid } from '../../../flows/pay/run.ts';
import type { PixFacts } from '../../../journal/event.ts';
import { type ChargeIntent, isOfYield } from '../../../journal/intents.ts';
import { hashSent } from '../../../journal/operation-state.ts';
import type { DeclaredFields } from '../../../output/render.ts';
import type { CommandContext } from '../../command/command.ts';
import { type OperationArea, whereDiffering } from '../../operations/area.ts';
import { marked } from '../../print/show-review.ts';
import { reviewedStep, sentAgain, stateStep, step, stepPrinter } from '../../print/steps.ts';

/** A wallet in a few characters, which differ from payment to payment. The whole one is in `pay show` and `--json`. */
const inBrief = (wallet: string): string =>
  wallet.length <= 12 ? wallet : `${wallet.slice(0, 4)}…${wallet.slice(-4)}`;

const receiversInBrief = (receivers: unknown): string | null => {
  const [first, ...others] = Array.isArray(receivers) ? receivers : [];
  if (first === undefined) return null;
  return `${inBrief(String(first['wallet']))}${others.length === 0 ? '' : ` +${others.length}`}`;
};

/** The payments of the journal: whole payments, single steps, and signatures of `pay sign`. */
export const PAYMENTS: OperationArea = {
  area: 'pay',
  noun: 'payment',
  begin: 'bursar pay run',
  isOwn: (intent) => !isOfYield(intent),
  states: [
    ...(['success', 'error', 'expired', 'set_aside', 'sent', 'in_doubt', 'payable', 'needs_identity'] as const),
    ...(['declined', 'unfinished', 'refused', 'failed', 'registered', 'created', 'signed'] as const),
  ],
  factNames: ['payment_id', 'amount', 'currency', 'chain', 'tid_hash'],
  facts: ({ started: { intent }, payment_id, signed, tid_hash }) => ({
    payment_id: payment_id ?? null,
    amount: 'amount' in intent ? intent.amount : null,
    currency: 'currency' in intent ? intent.currency : null,
    chain: 'chain' in intent ? intent.chain : null,
    tid_hash: hashSent({ signed }) ?? tid_hash ?? null,
  }),
  inList: (rows, ageOf) => {
    const [profileOf, intentOf] = [whereDiffering(rows, 'profile'), whereDiffering(rows, 'intent_key', 'intent')];
    return rows.map((row) => ({
      // Operations of one payment differ only by their own ids.
      id: row['operations'] === undefined ? row[WIRE_ID] : (row['payment_id'] ?? row[WIRE_ID]),
      state: row['state'],
      amount: row['amount'] === null ? null : `${row['amount']} ${row['currency']}`,
      // A narrow terminal hides the last columns. A payment with real money must not look like one of the sandbox.
      ...profileOf(row),
      chain: row['chain'],
      to: receiversInBrief(row['receivers']),
      age: ageOf(String(row[WIRE_STARTED_AT])),
      ...intentOf(row),
      profile: row['profile'],
      ...(row['operations'] === undefined && { payment_id: row['payment_id'] }),
      tid_hash: row['tid_hash'],
    }));
  },
  summary: async (receipt) => (await import('../../summaries/payment-summary.ts')).receiptSummary(receipt),
};

/** The number and the margin in front of an address on its row. */
const MARGIN = 10;

/**
 * The address of the payment page, for the payer. It carries a token, so no pipe or log gets it. An address that takes
 * several rows cannot be copied, so the command that opens it follows.
 */
const pageLines = (cli: CommandContext, page: string | undefined, paymentId: string): readonly string[] => {
  if (page === undefined || !cli.io.stderr.isTerminal) return [];
  const isWhole = page.length + MARGIN <= cli.talkStyle.columns;
  const opening = ['To open it:', `  bursar open payment ${inSentence(paymentId)}`];
  return [step(cli, 'page', inSentence(page)), ...(isWhole ? [] : opening)];
};

const deadInWords = ({ hash, why, nonce, used_by: user }: Extract<PayEvent, { kind: 'cannot_land' }>): string => {
  if (why === 'reverted') return `The first transaction ${hash} was reverted on the chain, and paid nothing.`;
  if (why === 'paid_other') return `The first transaction ${hash} paid another payment, and nothing for this one.`;
  const by = user ?? 'another transaction';
  return `The first transaction ${hash} can no longer be mined: its nonce ${nonce} was used by ${by}.`;
};

/** The line of an event. `elapsed` is the time since the event before, for events without their own duration. */
const eventLine = async (cli: CommandContext, event: PayEvent, elapsed: number): Promise<string> => {
  switch (event.kind) {
    case 'registered':
      return step(cli, 'registered', inSentence(event.payment_id), event.took);
    case 'created':
      return [step(cli, 'created', event.what, event.took), ...pageLines(cli, event.page, event.payment_id)].join('\n');
    case 'payable':
      return (await import('./show-pix.ts')).pixInWords(cli, event);
    case 'reviewed':
      return reviewedStep(cli, event.review, elapsed);
    case 'cannot_land':
      return marked(cli, 'confirm', deadInWords(event));
    case 'signed':
      return step(cli, 'signed', event.hash, event.took);
    case 'sends_again':
      return sentAgain(cli);
    case 'executed':
      return step(cli, 'executed', inSentence(event.status), event.took);
    case 'read_back':
      if (!event.isLost) return step(cli, 'read back', inSentence(event.status), elapsed);
      return marked(cli, 'confirm', `the answer was unclear; read back: ${inSentence(event.status)}`);
    case 'state':
      return stateStep(cli, 'payment', event.status, elapsed);
    default:
      return event satisfies never;
  }
};

/** Prints each step of a payment on stderr. A review with doubts is printed with --quiet too. */
export const printPaymentEvents = (cli: CommandContext, isAlways = false) =>
  stepPrinter(
    cli,
    eventLine,
    // The payer needs the code of a Pix, also with --quiet.
    (event) =>
      event.kind === 'payable' ||
      event.kind === 'cannot_land' ||
      (event.kind === 'reviewed' && event.review.verdict !== 'pass'),
    isAlways,
  );

/** An operation of the journal, as far as a receipt shows it. */
type Recorded = { readonly id: string; readonly started: Pick<Service, 'profile' | 'kind'> };

/** The state of a payment in its receipt. */
type PaymentEnd = { readonly payment_id: string | null; readonly status: string; readonly tid_hash: string | null };

/** The first fields of the receipt of an operation: those that scripts rely on. */
export const receiptHead = ({ id, started: { profile, kind } }: Recorded, end: PaymentEnd) => ({
  ...end,
  profile,
  kind,
  [WIRE_ID]: id,
});

/** The end of a charge, for its receipt. `amount_to` is what the receivers get, as the service states it. */
export const chargeEnd = ({ payment_id, pix, payment: { status, tid_hash, amount_to } }: RequestedCharge) => ({
  ...{ payment_id, status, tid_hash: tid_hash ?? null, pix, amount_to },
});

/** The receipt of a payment by Pix or card. */
export const chargeReceipt = (
  recorded: Recorded,
  intent: ChargeIntent,
  { pix, amount_to, ...end }: PaymentEnd & { readonly pix: PixFacts | undefined; readonly amount_to?: unknown },
) => ({
  ...receiptHead(recorded, end),
  transaction_type: intent.type,
  amount_from: intent.amount,
  from_currency_symbol: intent.currency,
  ...(typeof amount_to === 'string' && { amount_to }),
  to_currency_symbol: intent.to_currency,
  to_chain: intent.chain,
  receivers: intent.receivers,
  ...(pix && { pix_code: pix.code, pix_txid: pix.txid, pix_amount: pix.amount, expires_at: pix.expires_at }),
});

/** A fee for gas above the signed one is not that of the transaction. */
const paidInWords = ({ at_most, coin }: Review['fee'], { gas, data }: FeePaid): string | undefined =>
  compareDecimals(fromUnits(gas, COIN_DECIMALS), at_most) > 0
    ? undefined
    : `${fromUnits(gas + data, COIN_DECIMALS)} ${coin}`;

/** What a transaction pays, and its fee, for the receipt of its payment. */
export const amountsIn = ({ moves, fee }: Pick<Review, 'moves' | 'fee'>, feePaid?: FeePaid) => ({
  receivers: moves.map(({ to, amount, token }) => ({ wallet: to, amount, token })),
  fee_at_most: `${fee.at_most} ${fee.coin}`,
  ...(feePaid !== undefined && { fee_paid: paidInWords(fee, feePaid) }),
});

/** Every field of a receipt, for all methods and also for a resumed payment. */
const FIELDS: Readonly<
  Record<
    keyof ReturnType<typeof receiptOf> | keyof ReturnType<typeof chargeReceipt> | typeof WIRE_ID | 'next' | 'warnings',
    true
  >
> = {
  ...{ payment_id: true, status: true, tid_hash: true, profile: true, kind: true, [WIRE_ID]: true },
  ...{ chain_name: true, payer_wallet: true, amount_from: true, from_currency_symbol: true, receivers: true },
  ...{
    fee_at_most: true,
    fee_paid: true,
    amount_to: true,
    transaction_type: true,
    to_currency_symbol: true,
    to_chain: true,
    next: true,
  },
  ...{ pix_code: true, pix_txid: true, pix_amount: true, expires_at: true, warnings: true },
};

/** The fields of a receipt that `--fields` accepts. */
export const receiptFields = (): DeclaredFields => ({ names: Object.keys(FIELDS), isOpen: false });

/** The receipt of a payment in crypto. The fields that scripts rely on come first. */
export const receiptOf = ({ payment_id, hash, review, payment, feePaid }: Paid, { profile, kind }: Service) => ({
  payment_id,
  status: payment.status,
  tid_hash: payment.tid_hash ?? hash,
  profile,
  kind,
  chain_name: review.chain,
  payer_wallet: review.from,
  amount_from: payment['amount_from'],
  from_currency_symbol: payment['from_currency_symbol'],
  ...amountsIn(review, feePaid),
});
