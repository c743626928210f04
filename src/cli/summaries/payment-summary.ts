import { isDecimal } from '../../core/decimal.ts';
import { listAt, textAt, valueAt } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { isPlainId } from '../../core/text.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import { stepAfter } from '../../flows/pay/status.ts';
import { toneOf } from '../../output/render.ts';
import type { Fact, Summary } from '../../output/summary.ts';
import { serviceInWords } from '../prompt/confirming.ts';

/** An amount such as `25 USDT`, with the received amount if its currency differs. */
const amountOf = (data: unknown): string | undefined => {
  const [amount, from] = [textAt(data, 'amount_from'), textAt(data, 'from_currency_symbol')];
  const [worth, to] = [textAt(data, 'amount_to'), textAt(data, 'to_currency_symbol')];
  if (amount === undefined) return undefined;
  const paid = [amount, from].filter(Boolean).join(' ');
  // A sentence of bursar has no free text of the service.
  const received = worth !== undefined && isDecimal(worth) ? `${worth} ${to}` : to;
  return to === undefined || to === from ? paid : `${paid} for ${received}`;
};

/** The receivers with their amounts or shares: a receipt has amounts, a registration has shares. */
export const receiversIn = (data: unknown): readonly Fact[] =>
  [...listAt(data, 'receivers'), ...listAt(data, 'split_payment_config')].map((receiver) => {
    const wallet = textAt(receiver, 'wallet') ?? textAt(receiver, 'receiver_wallet');
    const share = textAt(receiver, 'percent') ?? textAt(receiver, 'receiver_percent');
    const amount = textAt(receiver, 'amount');
    const gets = amount === undefined ? share && `${share} %` : `${amount} ${textAt(receiver, 'token') ?? ''}`.trim();
    return ['to', [wallet, gets].filter(Boolean).join('  ')];
  });

const headlineOf = (data: unknown, status: string): string => {
  const [amount, chain] = [amountOf(data), textAt(data, 'chain_name') ?? textAt(data, 'to_chain')];
  const what = amount === undefined ? 'Payment' : `Payment of ${amount}`;
  return `${what}${chain === undefined ? '' : ` on ${chain}`}: ${status}`;
};

/** The status of each charge, with the errors of the gateway. */
const chargesOf = (data: unknown): readonly Fact[] =>
  listAt(data, 'global_payment_data', 'charges').map((charge) => [
    'charge',
    [textAt(charge, 'status'), ...errorsOf(charge)].filter(Boolean).join(': '),
  ]);

const errorsOf = (charge: unknown): readonly string[] =>
  listAt(charge, 'last_transaction', 'gateway_response', 'errors').flatMap((error) => textAt(error, 'message') ?? []);

/** The error of a failed payment, from its code, status and message. */
const errorIn = (data: unknown): string | undefined => {
  const names = ['code', 'status', 'message'].map((name) => textAt(data, 'data_error', name));
  return [...new Set(names)].filter(Boolean).join(': ') || undefined;
};

/** The facts that an answer of the service and a receipt have in common. All other facts of a receipt are bursar's own. */
const factsOf = (data: unknown): readonly Fact[] => [
  ...receiversIn(data),
  ['from', textAt(data, 'payer_wallet') ?? textAt(data, 'payer_email')],
  ['by', textAt(data, 'transaction_type')],
];

/** The state of a payment, from the service. Only the `requested` payment gets a next command. */
export const statusSummary = (data: unknown, requested?: unknown): Summary | undefined => {
  const [status, id, transaction_type] = ['status', 'id', 'transaction_type'].map((name) => textAt(data, name));
  if (status === undefined) return undefined;
  const unsigned_tx = valueAt(data, 'unsigned_tx');
  const isRequested = id !== undefined && isPlainId(id) && id === (textAt(requested, 'id') ?? id);
  return {
    tone: toneOf(status),
    headline: headlineOf(data, status),
    facts: [
      ...factsOf(data),
      ['error', errorIn(data)],
      ...chargesOf(data),
      ['created', textAt(data, 'created_at')],
      ['changed', textAt(data, 'updated_at')],
      ['payment', id],
      ['hash', textAt(data, 'tid_hash')],
    ],
    next: isRequested ? stepAfter({ id, status, transaction_type, unsigned_tx }) : undefined,
  };
};

const pixFacts = (receipt: unknown): readonly Fact[] => [
  ['pix code', textAt(receipt, 'pix_code')],
  ['expires', textAt(receipt, 'expires_at')],
];

/** A receipt of bursar: the result of a payment, its service, and the ids for other commands. */
export const receiptSummary = (receipt: unknown): Summary | undefined => {
  const status = textAt(receipt, 'status');
  if (status === undefined) return undefined;
  const [profile = '', kind] = [textAt(receipt, 'profile'), textAt(receipt, 'kind')];
  const [paid, fee] = [textAt(receipt, 'fee_paid'), textAt(receipt, 'fee_at_most')];
  const tone = toneOf(status);
  return {
    tone,
    headline: headlineOf(receipt, status),
    facts: [
      ...factsOf(receipt),
      ['fee', paid ?? (fee && `at most ${fee}`)],
      // The Pix code of an ended payment must not be paid.
      ...(tone === 'open' ? pixFacts(receipt) : []),
      ['service', kind && serviceInWords({ profile, kind })],
      ['payment', textAt(receipt, 'payment_id')],
      ['hash', textAt(receipt, 'tid_hash') ?? textAt(receipt, 'tx_hash')],
      ['operation', textAt(receipt, 'payment_id') === undefined ? textAt(receipt, WIRE_ID) : undefined],
    ],
    next: textAt(receipt, 'next'),
  };
};

/** A registered payment. The answer has only its id; the facts come from the input. */
export const registeredSummary = (data: unknown, input: unknown): Summary | undefined => {
  const id = textAt(data, 'payment_id');
  if (id === undefined) return undefined;
  return {
    tone: 'good',
    headline: `Registered a payment of ${amountOf(input) ?? 'an unknown amount'}, received on ${textAt(input, 'to_chain')}`,
    facts: [...receiversIn(input), ['payment', id]],
    next: isPlainId(id) ? nextStep('pay.transaction', id) : undefined,
  };
};

/**
 * A payer transaction: the unsigned transaction of an EVM chain, or the code of a Pix. `undefined` for any other shape,
 * which the document does not show, so that all its fields are printed.
 */
export const transactionSummary = (data: unknown, input: unknown): Summary | undefined => {
  const [id, type] = [textAt(input, 'payment_id'), textAt(input, 'transaction_type')];
  if (id === undefined || type === undefined) return undefined;
  const isCrypto = type === 'crypto';
  const code = textAt(data, 'fiat_tx', 'pixCopiaECola');
  if (isCrypto ? textAt(data, 'crypto_tx', 'family') !== 'evm' : code === undefined) return undefined;
  const request = (name: string) => textAt(data, 'crypto_tx', 'transactionRequest', name);
  return {
    tone: 'good',
    headline: `Created the payer transaction, by ${type}${isCrypto ? ` on ${textAt(input, 'chain_name')}` : ''}`,
    facts: [
      ['from', request('from') ?? textAt(input, 'payer_email')],
      ['calls', request('to')],
      ['nonce', request('nonce')],
      ['state', textAt(data, 'fiat_tx', 'status')],
      ['pix code', code],
      ['page', textAt(data, 'session_payment')],
      ['payment', id],
    ],
    next: isCrypto ? nextStep('pay.execute', id) : nextStep('pay.status.wait', id),
  };
};
