import { listAt, textAt } from '../../core/text-at.ts';
import type { Card, Fact } from '../../output/card.ts';
import { serviceInWords } from '../confirming.ts';
import { toneOf } from './tone.ts';

/** Money as text, such as `25 USDT`, and what it becomes where that is something else. */
const amountOf = (data: unknown): string | undefined => {
  const [amount, from] = [textAt(data, 'amount_from'), textAt(data, 'from_currency_symbol')];
  const [worth, to] = [textAt(data, 'amount_to'), textAt(data, 'to_currency_symbol')];
  if (amount === undefined) return undefined;
  const paid = [amount, from].filter(Boolean).join(' ');
  return to === undefined || to === from ? paid : `${paid} for ${worth === undefined ? to : `${worth} ${to}`}`;
};

/** Who gets how much of it, as far as it is told: a receipt knows amounts, a registration shares. */
export const receiversIn = (data: unknown): readonly Fact[] =>
  [...listAt(data, 'receivers'), ...listAt(data, 'split_payment_config')].map((receiver) => {
    const wallet = textAt(receiver, 'wallet') ?? textAt(receiver, 'receiver_wallet');
    const share = textAt(receiver, 'percent') ?? textAt(receiver, 'receiver_percent');
    const amount = textAt(receiver, 'amount');
    const gets = amount === undefined ? share && `${share} %` : `${amount} ${textAt(receiver, 'token') ?? ''}`.trim();
    return ['to', [wallet, gets].filter(Boolean).join('  ')];
  });

const serviceOf = (data: unknown): string | undefined => {
  const [profile, kind] = [textAt(data, 'profile'), textAt(data, 'kind')];
  return profile !== undefined && kind !== undefined ? serviceInWords({ profile, kind }) : undefined;
};

/** The ids that other commands take; last, for they are there to be copied. */
const idsIn = (data: unknown): readonly Fact[] => [
  ['payment', textAt(data, 'payment_id') ?? textAt(data, 'id')],
  ['hash', textAt(data, 'tid_hash')],
  ['movement', textAt(data, 'movement')],
];

const headlineOf = (data: unknown, status: string): string => {
  const [amount, chain] = [amountOf(data), textAt(data, 'chain_name') ?? textAt(data, 'to_chain')];
  const what = amount === undefined ? 'Payment' : `Payment of ${amount}`;
  return `${what}${chain === undefined ? '' : ` on ${chain}`}: ${status}`;
};

/** Where a payment stands: the answer of the service for it, or a receipt of ours. */
export const paymentCard = (data: unknown): Card | undefined => {
  const status = textAt(data, 'status');
  if (status === undefined) return undefined;
  return {
    tone: toneOf(status),
    headline: headlineOf(data, status),
    facts: [
      ...receiversIn(data),
      ['from', textAt(data, 'payer_wallet') ?? textAt(data, 'payer_email')],
      ['by', textAt(data, 'transaction_type')],
      ['fee', textAt(data, 'fee_at_most') && `at most ${textAt(data, 'fee_at_most')}`],
      ['error', textAt(data, 'data_error', 'message')],
      ['created', textAt(data, 'created_at')],
      ['changed', textAt(data, 'updated_at')],
      ['pix code', textAt(data, 'pix_code')],
      ['expires', textAt(data, 'expires_at')],
      ['service', serviceOf(data)],
      ...idsIn(data),
    ],
    next: textAt(data, 'next'),
  };
};

/** A payment that was registered; the answer has its id alone, what it is for was asked for. */
export const registeredCard = (data: unknown, input: unknown): Card | undefined => {
  const id = textAt(data, 'payment_id');
  if (id === undefined) return undefined;
  return {
    tone: 'fine',
    headline: `Registered a payment of ${amountOf(input) ?? 'what was asked'}, received on ${textAt(input, 'to_chain')}`,
    facts: [...receiversIn(input), ['payment', id]],
    next: `bursar pay transaction ${id} …`,
  };
};

/** A payer transaction: the page for the payer, the code of a Pix, or what is to be signed. */
export const transactionCard = (data: unknown, input: unknown): Card | undefined => {
  const [id, type] = [textAt(data, 'payment_id'), textAt(input, 'transaction_type')];
  if (id === undefined || type === undefined) return undefined;
  const request = (name: string) => textAt(data, 'crypto_tx', 'transactionRequest', name);
  const isCrypto = type === 'crypto';
  return {
    tone: 'fine',
    headline: `Created the payer transaction, by ${type}${isCrypto ? ` on ${textAt(input, 'chain_name')}` : ''}`,
    facts: [
      ['from', request('from') ?? textAt(input, 'payer_email')],
      ['calls', request('to')],
      ['nonce', request('nonce')],
      ['state', textAt(data, 'fiat_tx', 'status')],
      ['pix code', textAt(data, 'fiat_tx', 'pixCopiaECola')],
      ['page', textAt(data, 'session_payment')],
      ['payment', id],
    ],
    next: isCrypto ? `bursar pay execute ${id} --key NAME` : `bursar pay status ${id} --wait`,
  };
};
