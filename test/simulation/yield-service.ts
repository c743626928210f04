import { broadcast as broadcastEndpoint } from '../../src/contract/yield/broadcast.ts';
import { deposit as depositEndpoint } from '../../src/contract/yield/deposit.ts';
import { earnings as earningsEndpoint } from '../../src/contract/yield/earnings.ts';
import { rebalance as rebalanceEndpoint } from '../../src/contract/yield/rebalance.ts';
import { strategies as strategiesEndpoint } from '../../src/contract/yield/strategies.ts';
import { withdraw as withdrawEndpoint } from '../../src/contract/yield/withdraw.ts';
import type { Decision } from './decisions.ts';
import { SOLANA_ADDRESS } from './home.ts';
import {
  chosen,
  type Fields,
  faultsOfService,
  type Mode,
  newRefusals,
  ok,
  type RequestFaults,
  refused,
  type ServiceAnswer,
  type Table,
  unitsOf,
} from './service.ts';
import { FIRST_POSITION, type Provider, USDC } from './solana-accounts.ts';
import { blockhashOf, type SolanaChain } from './solana-chain.ts';
import { readSolana, type SolanaTransaction } from './solana-runtime.ts';
import { built, FORGERIES, type Plan } from './yield-build.ts';

/** The endpoints that the command lines of lives call. */
export const YIELD_TABLES: readonly Table[] = [
  ...[depositEndpoint, withdrawEndpoint, rebalanceEndpoint],
  ...[broadcastEndpoint, earningsEndpoint],
];

/** How long a broadcast waits for a block before it answers. */
const PATIENCE_MS = 25_000;

/** The longest time after which a hostile service broadcasts bytes. A blockhash expires after a minute. */
const MAX_HOLD_MS = 70_000;

const USDC_UNIT = 1e6;

type World = {
  readonly now: () => number;
  readonly at: (time: number, run: () => void) => void;
  readonly chain: SolanaChain;
  /** The age, in slots, of the blockhashes that this service uses. */
  readonly blockhashAge: number;
  readonly log: (line: string) => void;
};

const landedAnswer = (hash: string): ServiceAnswer =>
  ok(200, 'broadcast_operation_yield_strategy_ok', { status: 1, transactionHash: hash });

/** By the document, a status other than 1 is no success. */
const openAnswer = (hash: string): ServiceAnswer =>
  ok(200, 'broadcast_operation_yield_strategy_ok', { status: 0, transactionHash: hash });

/** The yield endpoints of the service, by its document: two providers on Solana. */
export const newYieldService = (mode: Mode, { now, at, chain, blockhashAge, log }: World) => {
  const { tableError, note, refusals } = newRefusals([...YIELD_TABLES, strategiesEndpoint]);
  let count = 0;

  const accept = (raw: string): void => {
    try {
      chain.accept(raw);
    } catch (error) {
      log(`the leader refuses bytes: ${(error as Error).message}`);
    }
  };

  const build = (plans: readonly Plan[], decision: Decision | undefined): string => {
    count += 1;
    const forgery = decision?.action === 'lie' ? chosen(FORGERIES, decision) : undefined;
    return built(plans, blockhashOf(chain.headAt(now()) - blockhashAge), count, forgery);
  };

  const planOf = (kind: Plan['kind'], body: Fields, provider: unknown): Plan => ({
    ...{ kind, provider: provider as Provider, units: unitsOf(String(body['amount'])) },
  });

  const deposit = (body: Fields, decision: Decision | undefined): ServiceAnswer => {
    const transaction = build([planOf('deposit', body, body['provider'])], decision);
    const fee = decision?.action === 'lie' && decision.size > 0.9 ? 5 : 0;
    return ok(200, 'deposit_yield_strategy_ok', { transaction, charged_platform_fee_amount: fee });
  };

  const withdraw = (body: Fields, decision: Decision | undefined): ServiceAnswer =>
    ok(200, 'withdraw_yield_strategy_ok', {
      transaction: build([planOf('withdraw', body, body['provider'])], decision),
    });

  /** In two transactions, only plain transfers are the second one: a node cannot simulate it before the first has landed. */
  const rebalance = (body: Fields, decision: Decision | undefined): ServiceAnswer => {
    const out = planOf('withdraw', body, body['provider_out']);
    const into = planOf('deposit', body, body['provider_in']);
    const isDual = into.provider === 'provider_a' && into.units % 20_000n === 0n;
    const isWrong = decision?.action === 'lie' && decision.size > 0.9;
    if (isDual !== isWrong) {
      const transactions = [build([out], decision), build([into], undefined)];
      return ok(200, 'rebalance_yield_strategy_ok', { mode: 'dual_transaction', transactions });
    }
    const transaction = build([out, into], decision);
    return ok(200, 'rebalance_yield_strategy_ok', { mode: 'single_transaction', transaction });
  };

  const statusOf = (hash: string) => chain.statusAt(chain.bankAt(now(), 'confirmed'), hash);

  /** Sends each transaction after the previous one has landed, and answers when the last one has landed. */
  const sendAll = ([first, ...rest]: readonly SolanaTransaction[], lateMs: number): ServiceAnswer => {
    if (!first) return refused(400, 'signed_transaction_missing');
    if (lateMs > 0) at(now() + lateMs, () => accept(first.raw));
    else accept(first.raw);
    const givesUpAt = now() + PATIENCE_MS;
    const waitsFor = (): ServiceAnswer | undefined => {
      const found = statusOf(first.hash);
      if (found?.error) return openAnswer(first.hash);
      if (found) return rest.length === 0 ? landedAnswer(first.hash) : sendAll(rest, 0);
      return now() > givesUpAt ? openAnswer(first.hash) : undefined;
    };
    return { http: 0, body: {}, afterMs: 500, waitsFor };
  };

  /** Answers of a hostile service to signed bytes. */
  const betray = (all: readonly SolanaTransaction[], { size }: Decision): ServiceAnswer => {
    const [first, last] = [all[0], all.at(-1)] as [SolanaTransaction, SolanaTransaction];
    const sendNow = (batch: readonly SolanaTransaction[]) => {
      for (const { raw } of batch) accept(raw);
    };
    const later = (batch: readonly SolanaTransaction[]) =>
      at(now() + Math.round(size * MAX_HOLD_MS), () => sendNow(batch));
    const betrayals: readonly (() => ServiceAnswer)[] = [
      () => landedAnswer(last.hash),
      () => {
        later(all);
        return landedAnswer(last.hash);
      },
      () => {
        sendNow(all);
        return refused(409, 'solana_blockhash_expired');
      },
      () => {
        later(all);
        return refused(409, 'solana_blockhash_expired');
      },
      () => {
        later(all);
        return refused(400, 'invalid_parameters');
      },
      () => {
        sendNow(all);
        return landedAnswer('1'.repeat(64));
      },
      () => {
        sendNow(all);
        return openAnswer(first.hash);
      },
      () => {
        sendNow([last]);
        return landedAnswer(last.hash);
      },
    ];
    return chosen(betrayals, { size: (size * 7919) % 1 })();
  };

  const readAll = (body: Fields): readonly SolanaTransaction[] | undefined => {
    try {
      return [body['op_signed'] as string | readonly string[]].flat().map(readSolana);
    } catch {
      return undefined;
    }
  };

  const broadcast = (path: string, body: Fields, decision: Decision | undefined): ServiceAnswer => {
    const all = readAll(body);
    if (!all || all.length === 0) return refused(400, 'signed_transaction_missing');
    if (decision?.action === 'lie') return betray(all, decision);
    const wrong = decision?.action === 'wrong answer' ? tableError(path, decision) : undefined;
    // After a refusal an honest service sends nothing.
    if (wrong && (mode === 'honest' || ((decision?.size ?? 0) * 1000) % 2 < 1)) return wrong;
    const hasExpired = all.some(({ blockhash }) => !chain.isAlive(blockhash, chain.headAt(now())));
    if (hasExpired) {
      const isDone = all.every(({ hash }) => statusOf(hash) !== undefined && statusOf(hash)?.error === undefined);
      return isDone ? landedAnswer(all.at(-1)?.hash ?? '') : refused(409, 'solana_blockhash_expired');
    }
    const answer = sendAll(all, decision?.action === 'late effect' ? Math.round(decision.size * MAX_HOLD_MS) : 0);
    return wrong ? { ...wrong, afterMs: 500 } : answer;
  };

  /** The position with a provider, as the decimal number of the document. */
  const positionWith = (provider: Provider): number => {
    const bank = chain.bankAt(now(), 'confirmed');
    const own = chain.effects().filter((effect) => effect.provider === provider && chain.statusAt(bank, effect.hash));
    const units = own.reduce((sum, { kind, units }) => sum + (kind === 'deposit' ? units : -units), FIRST_POSITION);
    return Number(units) / USDC_UNIT;
  };

  const earnings = (query: URLSearchParams, decision: Decision | undefined): ServiceAnswer => {
    const provider = query.get('provider') as Provider;
    const position = decision?.action === 'lie' ? Math.floor(decision.size * 2000) : positionWith(provider);
    const entry = {
      ...{ provider, asset: 'USDC', wallet: SOLANA_ADDRESS, chain_name: 'solana' },
      ...{ position_on_protocol: position, earnings_status: 'ok', earnings_details: null },
    };
    return ok(200, 'get_earnings_position', { earnings: [entry] });
  };

  const strategies = (): ServiceAnswer => {
    const rows = (['provider_a', 'provider_b'] as const).map((provider, at) => ({
      ...{ provider, strategy_id: `${provider}-usdc`, protocol_display_name: provider, category: 'lending' },
      ...{ token: { symbol: 'USDC', mint: USDC.mint.toBase58() }, apy_percent: 4 + at, tvl_usd: 1_000_000 },
    }));
    return ok(200, 'get_yield_strategies_ok', { strategies: rows, sources: null });
  };

  const handle = (url: URL, body: Fields, decision?: Decision): ServiceAnswer => {
    const { pathname: path, searchParams } = url;
    if (path.endsWith('/broadcast')) return broadcast(path, body, decision);
    if (decision?.action === 'wrong answer') return tableError(path, decision);
    switch (path) {
      case depositEndpoint.path:
        return deposit(body, decision);
      case withdrawEndpoint.path:
        return withdraw(body, decision);
      case rebalanceEndpoint.path:
        return rebalance(body, decision);
      case earningsEndpoint.path:
        return earnings(searchParams, decision);
      case strategiesEndpoint.path:
        return strategies();
      default:
        return refused(404, 'not_found');
    }
  };

  return {
    handle,
    isOwn: (path: string): boolean => path.startsWith('/yield/'),
    faultsOf: (path: string): RequestFaults => faultsOfService(mode, path.endsWith('/broadcast')),
    note,
    refusals,
  };
};
