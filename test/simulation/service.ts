import { getAddress } from 'ethers';
import { EVM_CHAINS } from '../../src/contract/chains.ts';
import type { Decision } from './decisions.ts';
import { type EvmChain, readSent, type Sent } from './evm-chain.ts';

/** Whether a refusal of execute may leave the payment in error, though its bytes were handed to the chain. */
export type Mode = 'honest' | 'faulty';

/** The answer to a request, and the time that it takes. */
export type ServiceAnswer = {
  readonly http: number;
  readonly body: object;
  readonly afterMs: number;
  /** Asked once a second; the answer waits until it gives one. */
  readonly waitsFor?: () => ServiceAnswer | undefined;
};

type Payment = {
  readonly id: string;
  readonly order: Readonly<Record<string, unknown>>;
  status: 'registered' | 'retry' | 'processing' | 'received' | 'success' | 'error';
  transaction: Readonly<Record<string, unknown>>;
  unsigned: Readonly<Record<string, unknown>> | null;
  signed: string | null;
  tidHash: string | null;
  error: object | null;
};

const POLYGON = EVM_CHAINS.find(({ name }) => name === 'polygon') as (typeof EVM_CHAINS)[number];
const USDT = POLYGON.tokens.USDT;

export const CHAIN_ID = POLYGON.id;
export const TOKEN = USDT.address.toLowerCase();

/** The smallest units of a decimal text. */
export const unitsOf = (amount: string): bigint => {
  const [whole = '0', part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(USDT.decimals, '0'));
};

const ok = (http: number, status: string, data: unknown, afterMs = 20): ServiceAnswer => ({
  http,
  body: { statusCode: http, success: true, status, message: status, data },
  afterMs,
});

const refused = (http: number, status: string, afterMs = 20): ServiceAnswer => ({
  http,
  body: { statusCode: http, success: false, status, message: status },
  afterMs,
});

const GWEI = 10n ** 9n;

/** The refusals of execute that the document lists, with their HTTP codes. A faulty service gives any of them. */
const EXECUTE_ERRORS: readonly (readonly [number, string])[] = [
  [400, 'invalid_parameters'],
  [400, 'invalid_chain'],
  [404, 'payment_not_found'],
  [409, 'invalid_payment_status'],
  [409, 'missing_unsigned_transaction'],
  [400, 'invalid_signed_transaction'],
  [400, 'stale_transaction_nonce'],
  [500, 'payment_failed'],
  [500, 'finalizer_payment_order_on_chain_failed'],
  [500, 'blockchain_transaction_failed'],
  [401, 'unauthorized'],
];

/** How long a service waits for a receipt before it gives up its answer. */
const PATIENCE_MS = 25_000;

type World = {
  readonly now: () => number;
  readonly at: (time: number, run: () => void) => void;
  /** Hands bytes to the chain. */
  readonly broadcast: (raw: string) => void;
  readonly chain: EvmChain;
};

/** A payment service by its document, for crypto payments on one chain. */
export const newService = (mode: Mode, { now, at, broadcast, chain }: World) => {
  const payments = new Map<string, Payment>();
  let count = 0;

  const unsignedOf = ({ order }: Payment, transaction: Readonly<Record<string, unknown>>) => {
    const [{ receiver_wallet: receiver = '' } = {}] = order['split_payment_config'] as readonly Record<
      string,
      string
    >[];
    const from = String(transaction['payer_wallet']);
    const units = unitsOf(String(order['amount_from'])).toString(16);
    return {
      schema_version: 1,
      family: 'evm',
      chain_name: 'polygon',
      transactionRequest: {
        from,
        to: getAddress(TOKEN),
        data: `0xa9059cbb${receiver.slice(2).toLowerCase().padStart(64, '0')}${units.padStart(64, '0')}`,
        value: 0,
        chainId: CHAIN_ID,
        gasLimit: '90000',
        maxPriorityFeePerGas: String(30n * GWEI),
        maxFeePerGas: String(200n * GWEI),
        nonce: chain.pendingNonce(now(), from.toLowerCase()),
      },
    };
  };

  const fail = (payment: Payment, message: string): void => {
    payment.status = 'error';
    payment.error = { code: 'payment_failed', status: 'error', details: null, message };
  };

  /** Watches handed bytes until the chain is final about them. */
  const follow = (payment: Payment, sent: Sent): void => {
    if (payment.status !== 'processing') return;
    const found = chain.receiptAt(chain.headAt(now()), sent.hash);
    if (found?.isGood) payment.status = 'success';
    else if (found) fail(payment, 'reverted');
    else if (chain.isDead(sent, now())) fail(payment, 'another transaction has its nonce');
    else at(now() + 1_000, () => follow(payment, sent));
  };

  const execute = (body: Readonly<Record<string, unknown>>, decision: Decision | undefined): ServiceAnswer => {
    const payment = payments.get(String(body['payment_id']));
    if (!payment) return refused(404, 'payment_not_found');
    const isWrong = decision?.action === 'wrong answer';
    const [http, status] = EXECUTE_ERRORS[Math.floor((decision?.size ?? 0) * EXECUTE_ERRORS.length)] ?? [500, 'x'];
    // A refusal comes before, or in spite of, the broadcast.
    if (isWrong && ((decision?.size ?? 0) * 1000) % 2 < 1) return refused(http, status);
    if (payment.status !== 'registered' && payment.status !== 'retry') return refused(409, 'invalid_payment_status');
    if (!payment.unsigned) return refused(409, 'missing_unsigned_transaction');
    const text = String(body['signed_transaction']);
    const raw = text.startsWith('0x') ? text : `0x${text}`;
    let sent: Sent;
    try {
      sent = readSent(raw);
    } catch {
      return refused(400, 'invalid_signed_transaction');
    }
    const { nonce, data } = payment.unsigned['transactionRequest'] as { nonce: number; data: string };
    if (sent.data !== data || sent.nonce !== nonce) return refused(400, 'invalid_signed_transaction');
    if (sent.nonce < chain.nonceAt(chain.headAt(now()), sent.from)) {
      payment.status = 'retry';
      return refused(400, 'stale_transaction_nonce');
    }
    payment.status = 'processing';
    payment.signed = raw;
    payment.tidHash = sent.hash;
    const delay = decision?.action === 'late effect' ? Math.round((decision.size ?? 0) * 3_600_000) : 0;
    if (delay > 0) at(now() + delay, () => broadcast(raw));
    else broadcast(raw);
    at(now() + 1_000, () => follow(payment, sent));
    if (isWrong) {
      if (mode === 'faulty') payment.status = (decision?.size ?? 0) < 0.5 ? 'error' : payment.status;
      return refused(http, status, 500);
    }
    const givesUpAt = now() + PATIENCE_MS;
    const waitsFor = (): ServiceAnswer | undefined => {
      if (payment.status === 'success') return ok(200, 'payment_confirmed', { id: payment.id, tid_hash: sent.hash });
      if (payment.status === 'error') return refused(500, 'payment_failed');
      return now() > givesUpAt ? refused(500, 'finalizer_payment_order_on_chain_failed') : undefined;
    };
    return { http: 0, body: {}, afterMs: 1_000, waitsFor };
  };

  const shown = (payment: Payment) => ({
    ...payment.order,
    ...payment.transaction,
    id: payment.id,
    status: payment.status,
    tid_hash: payment.tidHash,
    unsigned_tx: payment.unsigned,
    signed_tx: payment.signed,
    data_error: payment.error,
    amount_to: payment.order['amount_from'],
    from_chain: 'polygon',
    global_payment_data: { message: 'only for fiat payments' },
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  });

  return {
    /** Answers a request. `decision` is a fault of this request. */
    handle: (
      method: string,
      path: string,
      body: Readonly<Record<string, unknown>>,
      decision?: Decision,
    ): ServiceAnswer => {
      if (path.endsWith('/intents-create-order')) {
        count += 1;
        const id = `pay_${String(count).padStart(6, '0')}`;
        const made: Payment = {
          ...{ id, order: body, status: 'registered', transaction: {}, unsigned: null },
          ...{ signed: null, tidHash: null, error: null },
        };
        payments.set(id, made);
        return ok(201, 'payment_registered', { payment_id: id });
      }
      if (path.endsWith('/intents-create-transaction')) {
        const payment = payments.get(String(body['payment_id']));
        if (!payment || !['registered', 'retry'].includes(payment.status)) return refused(400, 'validation_error');
        const { payment_id: _, ...transaction } = body;
        payment.transaction = transaction;
        payment.unsigned = unsignedOf(payment, transaction);
        const crypto_tx = { ...payment.unsigned, meta: { source: 'service' } };
        return ok(201, 'payment_registered', { payment_id: payment.id, session_payment: '', crypto_tx, fiat_tx: {} });
      }
      if (path.endsWith('/execute/on-chain')) return execute(body, decision);
      const [, id = ''] = /^\/payment\/([^/]+)\/status$/.exec(path) ?? [];
      const payment = payments.get(id);
      if (method === 'GET' && payment) return ok(200, 'payment_found', shown(payment));
      return refused(404, id ? 'payment_not_found' : 'not_found');
    },
  };
};
