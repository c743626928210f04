import type { SignedSolana } from '../../../chain/solana/sign.ts';
import type { Service } from '../../../client/service.ts';
import type { Operated } from '../../../flows/yield/run.ts';
import type { Position, YieldIntent } from '../../../journal/yield-entry.ts';

const positionIn = (positions: readonly Position[], provider: string): string | null =>
  positions.find((each) => each.provider === provider)?.position ?? null;

/** What is known of an operation whatever becomes of it, the fields that scripts rely on first. */
const factsOf = ({ operation, amount, asset, wallet, chain }: YieldIntent, { profile, kind }: Service) => ({
  operation,
  profile,
  kind,
  chain_name: chain,
  wallet,
  asset,
  amount,
});

/** What an operation ends with: each hash, in order, and what the wallet had with each provider and has now. */
export const receiptOf = (
  intent: YieldIntent,
  { hashes, reviews, before, after }: Operated,
  service: Service,
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

/** What `--sign` alone ends with. One transaction, or two in the order in which they must be sent. */
export const signedAnswer = (intent: YieldIntent, signed: readonly SignedSolana[], service: Service) => {
  const [first] = signed;
  const facts = factsOf(intent, service);
  return signed.length === 1 ? { ...first, ...facts } : { signed_transactions: signed, ...facts };
};
