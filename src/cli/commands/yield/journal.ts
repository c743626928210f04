import { WIRE_ID, WIRE_STARTED_AT } from '../../../core/wire-names.ts';
import { isOfYield, isYieldIntent } from '../../../journal/intents.ts';
import { mayBeSent } from '../../../journal/operation-state.ts';
import type { OperationArea } from '../../operations/area.ts';

/** The yield operations of the journal, including signatures of `yield sign`. */
export const YIELDS: OperationArea = {
  area: 'yield',
  noun: 'operation',
  begin: 'bursar yield deposit --broadcast',
  isOwn: isOfYield,
  states: ['settled', 'set_aside', 'sent', 'in_doubt', 'declined', 'unfinished', 'refused', 'failed', 'signed'],
  factNames: ['operation', 'amount', 'asset', 'provider_out', 'provider_in', 'hashes'],
  facts: ({ started: { intent }, signed }) => ({
    ...('operation' in intent && { operation: intent.operation }),
    ...(isYieldIntent(intent) && {
      amount: intent.amount,
      asset: intent.asset,
      provider_out: intent.provider_out ?? null,
      provider_in: intent.provider_in ?? null,
    }),
    hashes: signed.filter(mayBeSent).map(({ hash }) => hash),
  }),
  inList: ({
    [WIRE_ID]: operation,
    state,
    operation: action,
    amount,
    asset,
    [WIRE_STARTED_AT]: started_at,
    provider_out,
    provider_in,
    profile,
    hashes,
  }) => ({
    id: operation,
    state,
    operation: action,
    amount: amount === undefined ? null : `${amount} ${asset}`,
    started_at,
    provider: [provider_out, provider_in].filter(Boolean).join(' to '),
    ...{ profile, hashes },
  }),
  summary: async (receipt) => (await import('../../summaries/yield-summary.ts')).yieldSummary(receipt),
};
