import type { SignedSolana } from '../../../chain/solana/signatures.ts';
import type { Service } from '../../../client/service.ts';
import { WIRE_ID, WIRE_STARTED_AT } from '../../../core/wire-names.ts';
import type { YieldResult } from '../../../flows/yield/run.ts';
import type { Position } from '../../../journal/event.ts';
import {
  isOfYield,
  isRelayIntent,
  isYieldIntent,
  type RelayIntent,
  type YieldIntent,
} from '../../../journal/intents.ts';
import { mayBeSent, type OperationState } from '../../../journal/operation-state.ts';
import { wireStatusOf } from '../../../journal/status.ts';
import { type OperationArea, whereDiffering } from '../../operations/area.ts';

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
  inList: (rows, ageOf) => {
    const profileOf = whereDiffering(rows, 'profile');
    return rows.map((row) => ({
      id: row[WIRE_ID],
      state: row['state'],
      operation: row['operation'],
      amount: row['amount'] === undefined ? null : `${row['amount']} ${row['asset']}`,
      ...profileOf(row),
      age: ageOf(String(row[WIRE_STARTED_AT])),
      provider: [row['provider_out'], row['provider_in']].filter(Boolean).join(' to '),
      ...{ profile: row['profile'], hashes: row['hashes'] },
    }));
  },
  summary: async (receipt) => (await import('../../summaries/yield-summary.ts')).yieldSummary(receipt),
};

const positionIn = (positions: readonly Position[], provider: string): string | null =>
  positions.find((each) => each.provider === provider)?.position ?? null;

/** The facts of an operation in every receipt. The fields that scripts rely on come first. */
const factsOf = (intent: YieldIntent | RelayIntent, { profile, kind }: Pick<Service, 'profile' | 'kind'>) => ({
  operation: intent.operation,
  profile,
  kind,
  chain_name: intent.chain,
  wallet: intent.wallet,
  ...(intent.operation !== 'broadcast' && { asset: intent.asset, amount: intent.amount }),
});

/** The fields of the receipt of a signed or sent operation. */
export const RECEIPT_FIELDS: readonly string[] = [
  ...['status', 'transaction_hash', 'operation', 'profile', 'kind', 'chain_name', 'wallet', 'asset', 'amount'],
  ...['transaction_hashes', 'positions', 'moves', 'fee_at_most', WIRE_ID],
  ...['signed_transaction', 'signed_transactions', 'hash', 'from'],
];

/** The receipt of an operation: its hashes in order, and the positions before and after. */
export const receiptOf = (
  intent: YieldIntent | RelayIntent,
  { hashes, reviews, before, after }: YieldResult,
  service: Pick<Service, 'profile' | 'kind'>,
): Readonly<Record<string, unknown>> => ({
  status: 'landed',
  transaction_hash: hashes.at(-1),
  ...factsOf(intent, service),
  transaction_hashes: hashes,
  positions: before.map(({ provider }) => ({
    provider,
    before: positionIn(before, provider),
    after: positionIn(after, provider),
  })),
  moves: reviews.flatMap(({ moves }) => moves),
  fee_at_most: reviews.map(({ fee }) => `${fee.at_most} ${fee.coin}`).join(' + '),
});

const WORDS: Readonly<Record<string, string>> = { settled: 'landed' };

/** The receipt of an operation that is over, from the journal alone. */
export const receiptOfEnded = (state: OperationState): Readonly<Record<string, unknown>> => {
  const { intent, profile, kind } = state.started;
  const status = wireStatusOf(state);
  if (!isYieldIntent(intent) && !isRelayIntent(intent)) {
    return { status: status, transaction_hash: null, profile, kind, [WIRE_ID]: state.id };
  }
  const hashes = state.signed.filter(({ sent }) => sent !== 'no').map(({ hash }) => hash);
  return {
    status: WORDS[status] ?? status,
    transaction_hash: hashes.at(-1) ?? null,
    ...factsOf(intent, { profile, kind }),
    transaction_hashes: hashes,
    [WIRE_ID]: state.id,
  };
};

/** The result of `--sign` alone: one transaction, or two in the order in which they must be sent. */
export const signedAnswer = (intent: YieldIntent, signed: readonly SignedSolana[], service: Service) => {
  const [first] = signed;
  const facts = factsOf(intent, service);
  return signed.length === 1 ? { ...first, ...facts } : { signed_transactions: signed, ...facts };
};
