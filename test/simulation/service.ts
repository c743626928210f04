import { getAddress } from 'ethers';
import { EVM_CHAINS, SANDBOX_CONTRACTS, sandboxChainId } from '../../src/contract/chains.ts';
import type { Endpoint } from '../../src/contract/define.ts';
import { execute as executeEndpoint } from '../../src/contract/pay/execute.ts';
import { register as registerEndpoint } from '../../src/contract/pay/register.ts';
import { status as statusEndpoint } from '../../src/contract/pay/status.ts';
import { transaction as transactionEndpoint } from '../../src/contract/pay/transaction.ts';
import { codeWith, KEY } from '../support/br-code.ts';
import type { Action, Decision } from './decisions.ts';
import { type EvmChain, readSent, type SignedTransaction } from './evm-chain.ts';

/**
 * - `honest`: after a refusal of execute the bytes are not broadcast, or the payment continues to its real end.
 * - `faulty`: any error at any time; a payment may be in error although its bytes were broadcast.
 * - `hostile`: each answer may be false, and the service may broadcast bytes days later.
 */
export type Mode = 'honest' | 'faulty' | 'hostile';

export const MODES: readonly Mode[] = ['honest', 'faulty', 'hostile'];

/** The answer to a request, and the time that it takes. */
export type ServiceAnswer = {
  readonly http: number;
  readonly body: object;
  readonly afterMs: number;
  /** Called once a second; the answer waits until this function returns one. */
  readonly waitsFor?: () => ServiceAnswer | undefined;
};

export type Fields = Readonly<Record<string, unknown>>;

type Payment = {
  readonly id: string;
  readonly order: Fields;
  status: 'registered' | 'retry' | 'processing' | 'received' | 'success' | 'error';
  transaction: Fields;
  unsigned: Fields | null;
  signed: string | null;
  tidHash: string | null;
  error: object | null;
  /** The fiat transaction of a Pix or card payment. */
  fiat: object | null;
  readonly charges: object[];
};

const POLYGON = EVM_CHAINS.find(({ name }) => name === 'polygon') as (typeof EVM_CHAINS)[number];
const USDT = POLYGON.tokens.USDT;

/** Lives that are compared with a sandbox use its chain. `simulate.mjs` defines this constant. */
declare const ON_SANDBOX: true | undefined;
const isOnSandbox = typeof ON_SANDBOX !== 'undefined';

export const CHAIN_ID = isOnSandbox ? sandboxChainId(POLYGON.id) : POLYGON.id;
export const TOKEN = (isOnSandbox ? SANDBOX_CONTRACTS.USDT : USDT.address).toLowerCase();

/** A decimal amount in smallest units. */
export const unitsOf = (amount: string): bigint => {
  const [whole = '0', part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(USDT.decimals, '0'));
};

export const ok = (http: number, status: string, data: unknown, afterMs = 20): ServiceAnswer => ({
  http,
  body: { statusCode: http, success: true, status, message: status, data },
  afterMs,
});

export const refused = (http: number, status: string, afterMs = 20): ServiceAnswer => ({
  http,
  body: { statusCode: http, success: false, status, message: status },
  afterMs,
});

const GWEI = 10n ** 9n;

export type Table = Pick<Endpoint, 'id' | 'path' | 'errors'>;

/** The refusals of some endpoints: the errors of their tables, and counts of the answers. */
export const newRefusals = (endpoints: readonly Table[]) => {
  const refusals = new Map<string, number>();
  const endpointOf = (path: string): Table | undefined =>
    endpoints.find(({ path: own }) => new RegExp(`${own.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));
  return {
    /** An error of this endpoint's table in the document, chosen by the decision. */
    tableError: (path: string, decision: Decision): ServiceAnswer => {
      // The document has no HTTP code for an identity gate.
      const [status, http] = chosen(Object.entries(endpointOf(path)?.errors ?? { unauthorized: 401 }), decision);
      return refused(http ?? 403, status);
    },
    /** Counts an answer. Called for each answer. */
    note: (path: string, { http, body }: ServiceAnswer): void => {
      const { status = '' } = body as { readonly status?: string };
      const key = `${endpointOf(path)?.id ?? 'other'} ${http} ${status}`;
      if (http >= 400) refusals.set(key, (refusals.get(key) ?? 0) + 1);
    },
    /** The number of refusals so far, by endpoint, HTTP code and status. */
    refusals,
  };
};

export const PAYMENT_TABLES: readonly Table[] = [
  registerEndpoint,
  transactionEndpoint,
  executeEndpoint,
  statusEndpoint,
];

/** The item of a list that a decision chooses by its size. */
export const chosen = <T>(list: readonly T[], { size }: Pick<Decision, 'size'>): T =>
  list[Math.floor(size * list.length)] as T;

/** The only refusal that an honest service returns after it has broadcast the bytes. */
const REFUSAL_AFTER_BROADCAST = 'finalizer_payment_order_on_chain_failed';

/** How long a service waits for a receipt before it answers. */
const PATIENCE_MS = 25_000;

/** The longest time after which a hostile service broadcasts bytes. */
const MAX_HOLD_MS = 2 * 24 * 60 * 60_000;

const OTHER = '0x9999999999999999999999999999999999999999';

/** Changes to a transaction. The payer must refuse those that change the payment or its cost. */
const FORGERIES: readonly ((request: Fields) => Fields)[] = [
  (request) => ({ ...request, data: String(request['data']).replace(/^(0x.{8}.{24}).{40}/, `$1${OTHER.slice(2)}`) }),
  (request) => ({ ...request, data: String(request['data']).replace(/.{6}$/, 'ffffff') }),
  (request) => ({ ...request, to: OTHER }),
  (request) => ({ ...request, chainId: 1 }),
  (request) => ({ ...request, nonce: Number(request['nonce']) + 1 }),
  (request) => ({ ...request, nonce: Math.max(0, Number(request['nonce']) - 1) }),
  (request) => ({ ...request, maxFeePerGas: String(200_000n * GWEI) }),
  (request) => ({ ...request, data: `${request['data']}00` }),
  (request) => ({ ...request, accessList: [] }),
  (request) => ({ ...request, data: String(request['data']).replace('a9059cbb', '095ea7b3') }),
  (request) => ({ ...request, value: 1 }),
  (request) => ({ ...request, from: OTHER }),
];

/** The faults of a request besides those of the network, and the weight of all its faults. */
export type RequestFaults = { readonly actions: readonly Action[]; readonly weight: number };

type OfSendingAndOthers = readonly [readonly Action[], readonly Action[]];

const WRONG: OfSendingAndOthers = [['wrong answer', 'late effect'], ['wrong answer']];

/** A hostile service returns false answers more often than the network fails. */
const LIES = Array<'lie'>(12).fill('lie');

const LYING: OfSendingAndOthers = [
  [...WRONG[0], ...LIES],
  [...WRONG[1], ...LIES],
];

/** Faults that a service adds to those of the network. `isSending`: the request has signed bytes. */
export const faultsOfService = (mode: Mode, isSending: boolean): RequestFaults => {
  const isHostile = mode === 'hostile';
  const [ofSending, ofOthers] = isHostile ? LYING : WRONG;
  return { actions: isSending ? ofSending : ofOthers, weight: isSending ? 100 : isHostile ? 40 : 8 };
};

type World = {
  readonly now: () => number;
  readonly at: (time: number, run: () => void) => void;
  /** Sends bytes to the chain. */
  readonly broadcast: (raw: string) => void;
  readonly chain: EvmChain;
};

/** A payment service that follows the document: crypto payments on one chain, Pix and cards. */
export const newService = (mode: Mode, { now, at, broadcast, chain }: World) => {
  const { tableError, note, refusals } = newRefusals(PAYMENT_TABLES);
  const payments = new Map<string, Payment>();
  /** Card charges that took effect, with the amount of their payment. */
  const charged: { readonly amount: string; readonly id: string }[] = [];
  let count = 0;

  const unsignedOf = ({ order }: Payment, transaction: Fields) => {
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

  /** Watches broadcast bytes until their outcome is final on the chain. */
  const follow = (payment: Payment, sent: SignedTransaction): void => {
    if (payment.status !== 'processing') return;
    const found = chain.receiptAt(chain.headAt(now()), sent.hash);
    if (found?.isGood) payment.status = 'success';
    else if (found) fail(payment, 'reverted');
    else if (chain.isDead(sent, now())) fail(payment, 'another transaction has its nonce');
    else at(now() + 1_000, () => follow(payment, sent));
  };

  /** Sets the state that belongs to a refusal of execute before a broadcast. */
  const refuseHonestly = (payment: Payment, { http, body }: ServiceAnswer): void => {
    const { status } = body as { readonly status?: string };
    if (status === 'stale_transaction_nonce') payment.status = 'retry';
    if (status === 'missing_unsigned_transaction') payment.unsigned = null;
    if (http >= 500 && status !== REFUSAL_AFTER_BROADCAST && payment.status === 'registered') fail(payment, 'no');
  };

  const readBytes = (body: Fields): SignedTransaction | undefined => {
    const text = String(body['signed_transaction']);
    try {
      return readSent(text.startsWith('0x') ? text : `0x${text}`);
    } catch {
      return undefined;
    }
  };

  /** Answers of a hostile service to signed bytes. */
  const betray = (payment: Payment, sent: SignedTransaction, { size }: Decision): ServiceAnswer => {
    const later = () => at(now() + Math.round(size * MAX_HOLD_MS), () => broadcast(sent.raw));
    const betrayals: readonly (() => ServiceAnswer)[] = [
      () => {
        Object.assign(payment, { status: 'success', tidHash: sent.hash });
        return ok(200, 'payment_confirmed', { id: payment.id, tid_hash: sent.hash });
      },
      () => ok(200, 'payment_received', { id: payment.id, tx_hash: sent.hash }),
      () => {
        broadcast(sent.raw);
        return ok(200, 'payment_confirmed', { id: payment.id, tid_hash: `0x${'ab'.repeat(32)}` });
      },
      () => {
        later();
        return refused(400, 'invalid_signed_transaction');
      },
      () => {
        later();
        payment.status = 'retry';
        return refused(400, 'stale_transaction_nonce');
      },
      () => {
        broadcast(sent.raw);
        payment.status = 'retry';
        return refused(400, 'stale_transaction_nonce');
      },
      () => {
        later();
        fail(payment, 'no');
        return refused(500, 'payment_failed');
      },
    ];
    return chosen(betrayals, { size: (size * 7919) % 1 })();
  };

  const execute = (path: string, body: Fields, decision: Decision | undefined): ServiceAnswer => {
    const payment = payments.get(String(body['payment_id']));
    if (!payment) return refused(404, 'payment_not_found');
    const sent = readBytes(body);
    if (decision?.action === 'lie' && sent) return betray(payment, sent, decision);
    const wrong = decision?.action === 'wrong answer' ? tableError(path, decision) : undefined;
    if (wrong && mode === 'honest') refuseHonestly(payment, wrong);
    const { status: wrongStatus } = (wrong?.body ?? {}) as { status?: string };
    const isAfter =
      mode === 'honest' ? wrongStatus === REFUSAL_AFTER_BROADCAST : ((decision?.size ?? 0) * 7919) % 1 > 0.5;
    if (wrong && !isAfter) return wrong;
    if (payment.status !== 'registered' && payment.status !== 'retry') return refused(409, 'invalid_payment_status');
    if (!payment.unsigned) return refused(409, 'missing_unsigned_transaction');
    const { nonce, data } = payment.unsigned['transactionRequest'] as { nonce: number; data: string };
    if (sent?.data !== data || sent.nonce !== nonce) return refused(400, 'invalid_signed_transaction');
    if (sent.nonce < chain.nonceAt(chain.headAt(now()), sent.from)) {
      payment.status = 'retry';
      return refused(400, 'stale_transaction_nonce');
    }
    payment.status = 'processing';
    payment.signed = sent.raw;
    payment.tidHash = sent.hash;
    const delay = decision?.action === 'late effect' ? Math.round(decision.size * 3_600_000) : 0;
    if (delay > 0) at(now() + delay, () => broadcast(sent.raw));
    else broadcast(sent.raw);
    at(now() + 1_000, () => follow(payment, sent));
    if (wrong) {
      if (mode !== 'honest' && ((decision?.size ?? 0) * 7919) % 1 > 0.75) fail(payment, 'no');
      return { ...wrong, afterMs: 500 };
    }
    const givesUpAt = now() + PATIENCE_MS;
    const waitsFor = (): ServiceAnswer | undefined => {
      if (payment.status === 'success') return ok(200, 'payment_confirmed', { id: payment.id, tid_hash: sent.hash });
      if (payment.status === 'error') return refused(500, 'payment_failed');
      return now() > givesUpAt ? refused(500, 'finalizer_payment_order_on_chain_failed') : undefined;
    };
    return { http: 0, body: {}, afterMs: 1_000, waitsFor };
  };

  const register = (body: Fields, decision: Decision | undefined): ServiceAnswer => {
    const [known] = payments.keys();
    if (decision?.action === 'lie' && known) return ok(201, 'payment_registered', { payment_id: known });
    if (decision?.action === 'lie') return ok(201, 'payment_registered', { payment_id: 'pay_\u001b[2J\u202e' });
    count += 1;
    const id = `pay_${String(count).padStart(6, '0')}`;
    payments.set(id, {
      ...{ id, order: body, status: 'registered', transaction: {}, unsigned: null },
      ...{ signed: null, tidHash: null, error: null, fiat: null, charges: [] },
    });
    return ok(201, 'payment_registered', { payment_id: id });
  };

  /** Charges a card, or creates a Pix charge that its payer pays after twenty seconds. */
  const charge = (payment: Payment): void => {
    const amount = String(payment.order['amount_from']);
    if (payment.transaction['transaction_type'] === 'cardcrypto') {
      charged.push({ amount, id: payment.id });
      payment.charges.push({ id: `ch_${payment.charges.length + 1}`, status: 'paid' });
      payment.status = 'success';
      return;
    }
    payment.fiat = {
      ...{ status: 'ATIVA', pix_key: KEY, txid: 'P0123', pixCopiaECola: codeWith({ '54': amount }), code: 200 },
      pix_qr_code_data_url: 'data:image/png;base64,AA==',
      calendar: { criacao: '2026-01-01T00:00:00.000Z', expiracao: 3600 },
    };
    at(now() + 20_000, () => {
      payment.status = 'success';
    });
  };

  const create = (body: Fields, decision: Decision | undefined): ServiceAnswer => {
    const payment = payments.get(String(body['payment_id']));
    if (!payment || !['registered', 'retry'].includes(payment.status)) return refused(400, 'validation_error');
    const { payment_id: _, card_data: __, ...transaction } = body;
    payment.transaction = transaction;
    const answer = (crypto_tx: unknown, fiat_tx: unknown): ServiceAnswer =>
      ok(201, 'payment_registered', { payment_id: payment.id, session_payment: '', crypto_tx, fiat_tx });
    if (transaction['transaction_type'] !== 'crypto') {
      charge(payment);
      return answer({ message: 'only for crypto' }, payment.fiat ?? { status: 'paid', charges: payment.charges });
    }
    const unsigned = unsignedOf(payment, transaction);
    const request = decision?.action === 'lie' ? chosen(FORGERIES, decision)(unsigned.transactionRequest) : undefined;
    payment.unsigned = { ...unsigned, transactionRequest: request ?? unsigned.transactionRequest };
    return answer({ ...payment.unsigned, meta: { source: 'service' } }, {});
  };

  const paymentView = (payment: Payment): Fields => ({
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
    fiat_tx: payment.fiat ?? {},
    global_payment_data:
      payment.charges.length > 0 ? { charges: payment.charges } : { message: 'only for fiat payments' },
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  });

  /** False states of a payment from a hostile service. */
  const falseViews: readonly ((payment: Fields) => Fields)[] = [
    (payment) => ({ ...payment, status: 'success' }),
    (payment) => ({ ...payment, status: 'error', data_error: { message: '\u001b[2Jno' } }),
    (payment) => ({ ...payment, status: 'success', tid_hash: `0x${'cd'.repeat(32)}` }),
    (payment) => ({ ...payment, status: 'retry', tid_hash: null }),
    (payment) => ({ ...payment, status: 'processing' }),
    (payment) => ({ ...payment, amount_from: '99.999' }),
    (payment) => ({ ...payment, id: 'pay_999999' }),
  ];

  const read = (path: string, decision: Decision | undefined): ServiceAnswer => {
    const [, id = ''] = /^\/payment\/([^/]+)\/status$/.exec(path) ?? [];
    const payment = payments.get(id);
    if (!payment) return refused(404, id ? 'payment_not_found' : 'not_found');
    if (decision?.action !== 'lie') return ok(200, 'payment_found', paymentView(payment));
    return ok(200, 'payment_found', chosen(falseViews, decision)(paymentView(payment)));
  };

  const handle = (method: string, path: string, body: Fields, decision?: Decision): ServiceAnswer => {
    if (path.endsWith('/execute/on-chain')) return execute(path, body, decision);
    // An honest service does not answer that an existing payment is missing.
    const isDenial = mode === 'honest' && method === 'GET' && (decision?.size ?? 0) >= 0.5;
    if (decision?.action === 'wrong answer' && !isDenial) return tableError(path, decision);
    if (path.endsWith('/intents-create-order')) return register(body, decision);
    if (path.endsWith('/intents-create-transaction')) return create(body, decision);
    return read(path, decision);
  };

  return {
    handle,
    faultsOf: (path: string): RequestFaults => faultsOfService(mode, path.endsWith('/execute/on-chain')),
    note,
    refusals,
    charged: (): readonly { readonly amount: string; readonly id: string }[] => charged,
  };
};
