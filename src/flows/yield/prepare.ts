import type { SolanaReview } from '../../chain/solana/review.ts';
import type { SignedSolana } from '../../chain/solana/signatures.ts';
import { type Client, call, dataOf, type Input } from '../../client/call.ts';
import { deploymentOfService } from '../../client/service.ts';
import { deposit } from '../../contract/yield/deposit.ts';
import { rebalance } from '../../contract/yield/rebalance.ts';
import { withdraw } from '../../contract/yield/withdraw.ts';
import { isDecimal } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import { digitsOf } from '../../core/json.ts';
import type { Position } from '../../journal/event.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import type { Statement } from '../../journal/statement.ts';
import { recorded, timed } from '../read-back.ts';
import { openingKey, type SigningKey } from '../turn.ts';
import { inTurn, type MovingContext, type SigningContext } from './context.ts';
import { type Lifetime, lifetimeOf } from './lifetime.ts';
import { askedOf, type YieldRequest } from './request.ts';
import type { Sendable } from './send.ts';
import { reviewAndSignRecorded, type SignedReview, signAlone, type ToReview } from './sign.ts';

/** A signed operation. */
export type PreparedYield = { readonly reviews: readonly SolanaReview[]; readonly parts: readonly Sendable[] };

type SignAll = (all: readonly ToReview[]) => Promise<readonly SignedReview[]>;

/** Options for building and signing; `firstPart` is the number of its first transaction. */
type Way = { readonly getBuilt: () => Promise<BuiltYield>; readonly signAll: SignAll; readonly firstPart: number };

/** Why a live deposit needs a node without a terminal. */
export const NEEDS_NODE =
  'required without a terminal: only a node shows that a live deposit is credited to the wallet';

/**
 * Without a terminal and a node, nothing shows who is credited by a deposit or rebalance. Throws `invalid_input` with
 * the option.
 */
export const assertHasNode = ({ client, node }: SigningContext, action: YieldIntent['operation']): void => {
  const isWatched = client.io.prompt.isPossible || node !== undefined;
  if (action === 'withdraw' || client.service.kind === 'sandbox' || isWatched) return;
  throw new Failure('invalid_input', 'missing: --rpc-url', {
    errors: [{ field: '--rpc-url', message: NEEDS_NODE, option: '--rpc-url', isMissing: true, isExplained: true }],
    isOnlyMissing: true,
  });
};

const prepareBy = async (
  context: SigningContext,
  { intent }: YieldRequest,
  { getBuilt, signAll, firstPart }: Way,
): Promise<PreparedYield> => {
  assertHasNode(context, intent.operation);
  const [{ transactions, fees }, took] = await timed(context, getBuilt);
  await context.on({ kind: 'built', count: transactions.length, took });
  const asked = askedOf(intent, transactions.length, fees);
  const lifetimes: Lifetime[] = [];
  for (const each of transactions) lifetimes.push(await lifetimeOf(context, each));
  const reviewed = await signAll(transactions.map((transaction, at) => ({ transaction, asked: asked[at] })));
  return {
    reviews: reviewed.map(({ review }) => review),
    parts: reviewed.map(({ signed }, at) => ({ signed, part: at + firstPart, lifetime: lifetimes[at] as Lifetime })),
  };
};

/** Builds, reviews and signs an operation. Sends nothing. The signature is recorded, and no resume sends it. */
export const signYield = (
  context: SigningContext,
  request: YieldRequest,
  key: SigningKey,
  stated: Statement,
): Promise<readonly SignedSolana[]> =>
  inTurn(openingKey(context, key), request.intent.wallet, async (held) => {
    const getBuilt = () => build(held.client, request);
    const of = { ...deploymentOfService(held.client.service), stated };
    const signAll: SignAll = (all) => signAlone(held, all, key, of);
    const { parts } = await prepareBy(held, request, { getBuilt, signAll, firstPart: 1 });
    return parts.map(({ signed }) => signed);
  });

/** The positions before, and the number of the first transaction: 2 for a missing second half. */
export type Start = { readonly positions: readonly Position[]; readonly firstPart: number };

/** The same with recording: each review is on the disk before its signature. */
export const prepareRecorded = async (
  context: MovingContext,
  request: YieldRequest,
  key: SigningKey,
  { positions, firstPart }: Start,
): Promise<PreparedYield> => {
  const getBuilt = () =>
    recorded(
      context,
      { step: 'creating' },
      () => build(context.client, request),
      ({ transactions }) => ({ step: 'created', built: { transactions, positions } }),
    );
  const signAll: SignAll = (all) => reviewAndSignRecorded(context, all, key, firstPart);
  return prepareBy(context, request, { getBuilt, signAll, firstPart });
};

/** The unsigned transactions of the service in order (base64), and the stated fees. */
type BuiltYield = { readonly transactions: readonly string[]; readonly fees: readonly string[] };

const strange = (what: string): Failure =>
  new Failure('unexpected_answer', `the service's answer cannot be used: ${what}`, { hint: 'Nothing was signed.' });

/** A fee as decimal text; `undefined` if the service states none. */
const feeOf = (value: unknown): readonly string[] => {
  if (value === null || value === undefined) return [];
  const digits = digitsOf(value);
  if (digits !== undefined && isDecimal(digits)) return [digits];
  throw strange(`a fee is ${digits ?? 'no number'}`);
};

const buildDeposit = async (client: Client, input: Input): Promise<BuiltYield> => {
  const data = dataOf(deposit, 'deposit_yield_strategy_ok', await call(client, deposit, input));
  const fees = [data.charged_platform_fee_amount, data.charged_whitelabel_fee_amount].flatMap(feeOf);
  return { transactions: [data.transaction], fees };
};

const buildWithdrawal = async (client: Client, input: Input): Promise<BuiltYield> => {
  const data = dataOf(withdraw, 'withdraw_yield_strategy_ok', await call(client, withdraw, input));
  return { transactions: [data.transaction], fees: [] };
};

const textsIn = (value: unknown): readonly string[] => {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each): each is string => typeof each === 'string');
};

/** The document shows only single transactions; two are read from `transaction` and `transactions`. */
const buildRebalance = async (client: Client, input: Input): Promise<BuiltYield> => {
  const data = dataOf(rebalance, 'rebalance_yield_strategy_ok', await call(client, rebalance, input));
  const transactions = textsIn(data.transaction ?? data['transactions']);
  if (transactions.length < 1 || transactions.length > 2) throw strange(`it has ${transactions.length} transactions`);
  if (data.mode === 'single_transaction' && transactions.length !== 1) {
    throw strange(`its mode is ${data.mode}, and it has ${transactions.length} transactions`);
  }
  return { transactions, fees: [] };
};

/** Requests the transactions of an operation; nothing moves. Throws `unexpected_answer` for an incomplete response. */
const build = (client: Client, { input, intent }: YieldRequest): Promise<BuiltYield> =>
  ({ deposit: buildDeposit, withdraw: buildWithdrawal, rebalance: buildRebalance })[intent.operation](client, input);
