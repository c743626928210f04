import { WIRE_ID, WIRE_STARTED_AT } from '../../../core/wire-names.ts';
import { isOfYield } from '../../../journal/intents.ts';
import { hashSent } from '../../../journal/operation-state.ts';
import type { OperationArea } from '../../operations/area.ts';

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
  inList: (row) => ({
    id: row['payment_id'] ?? row[WIRE_ID],
    state: row['state'],
    amount: row['amount'] === null ? null : `${row['amount']} ${row['currency']}`,
    started_at: row[WIRE_STARTED_AT],
    ...{ chain: row['chain'], profile: row['profile'], [WIRE_ID]: row[WIRE_ID], tid_hash: row['tid_hash'] },
  }),
  summary: async (receipt) => (await import('../../summaries/payment-summary.ts')).receiptSummary(receipt),
};
