import { Transaction } from 'ethers';
import { findEvmChain } from '../../src/contract/chains.ts';
import { ANNA, cryptoTxJson, transferData } from '../chain/evm/given.ts';
import { envelope, type Received, type Responder } from './server.ts';

const USDT = findEvmChain('polygon')?.tokens.USDT.address ?? '';

/** The `pay run` command for the payment of the service below. */
export const HOSTILE_RUN = [
  ...['pay', 'run', '--public-client-id', `client_${'0'.repeat(32)}`, '--webhook-url', 'https://shop.example/hook'],
  ...[
    '--amount-from',
    '1500',
    '--from-currency-symbol',
    'USDT',
    '--to-currency-symbol',
    'USDT',
    '--to-chain',
    'polygon',
  ],
  ...['--allow', 'crypto', '--split', `${ANNA}=100`, '--payer-email', 'payer@example.com'],
];

/** The `pay transaction` command for a payment of that service. */
export const transactionOf = (id: string, payer: string): readonly string[] => [
  ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
  ...['--payer-wallet', payer, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
];

/**
 * The nonce that the service uses after an execute. `same` repeats the nonce with another fee, and `identical` repeats the whole
 * transaction. A function returns it from the number of created transactions.
 */
export type Nonces = 'next' | 'same' | 'identical' | ((created: number) => number);

/** A payment as the service shows it. */
type Payment = { status: string; tid_hash: string | null };

/** A live service with a settable answer to execute. It never reveals whether it broadcast the bytes. */
export type HostilePayments = {
  readonly respond: Responder;
  /** Every signed transaction that it received, in order. */
  readonly received: Transaction[];
  /** The state that it returns for every payment. */
  readonly payment: Payment;
  /** Sets its answer to execute. */
  readonly answering: (execute: Responder) => void;
  /** Sets the nonces that it uses. */
  readonly handingOut: (nonces: Nonces) => void;
  /** The number of transactions that it created. */
  readonly created: () => number;
};

/** A service for one payer on the real polygon. It calls no chain. */
export const hostilePayments = (payer: string, first: Nonces): HostilePayments => {
  let nonces = first;
  let created = 0;
  const received: Transaction[] = [];
  const payment: Payment = { status: 'registered', tid_hash: null };
  let execute: Responder = envelope(500, 'blockchain_transaction_failed');
  let registered = 0;
  const nonceNow = (): number => {
    if (typeof nonces === 'function') return nonces(created);
    return nonces === 'next' ? 7 + received.length : 7;
  };
  const cryptoTx = () =>
    JSON.parse(
      cryptoTxJson({
        ...{ from: JSON.stringify(payer), to: JSON.stringify(USDT), value: '0', chainId: '137', gasLimit: '"300000"' },
        data: JSON.stringify(transferData(ANNA, 1_500_000_000n)),
        nonce: String(nonceNow()),
        maxFeePerGas: `"${30_000_000_000 + (nonces === 'identical' ? 0 : received.length)}"`,
      }),
    );
  const facts = {
    amount_from: '1500',
    from_currency_symbol: 'USDT',
    to_currency_symbol: 'USDT',
    to_chain: 'polygon',
    chain_name: 'polygon',
    payer_token_symbol: 'USDT',
    payer_wallet: payer,
    transaction_type: 'crypto',
    split_payment_config: [{ receiver_wallet: ANNA, receiver_percent: 100 }],
  };
  const respond: Responder = async (one: Received, response) => {
    const answer = (...args: Parameters<typeof envelope>) => envelope(...args)(one, response);
    if (one.path.endsWith('intents-create-order')) {
      registered += 1;
      return answer(201, 'payment_registered', { data: { payment_id: `pay_${registered}` } });
    }
    if (one.path.endsWith('intents-create-transaction')) {
      const { payment_id } = JSON.parse(one.body);
      created += 1;
      const data = { payment_id, session_payment: '', crypto_tx: cryptoTx(), fiat_tx: {} };
      return answer(201, 'payment_registered', { data });
    }
    if (one.path.endsWith('on-chain')) {
      received.push(Transaction.from(JSON.parse(one.body).signed_transaction));
      return execute(one, response);
    }
    const id = one.path.split('/').at(-2);
    return answer(200, 'payment_found', { data: { id, ...facts, ...payment, unsigned_tx: cryptoTx() } });
  };
  return {
    respond,
    received,
    payment,
    answering: (next) => {
      execute = next;
    },
    handingOut: (next) => {
      nonces = next;
    },
    created: () => created,
  };
};

/** The answer of an honest service: the transaction is confirmed. */
export const confirming: Responder = (one, response) => {
  const { payment_id: id, signed_transaction } = JSON.parse(one.body);
  const data = { id, tid_hash: Transaction.from(signed_transaction).hash };
  return envelope(200, 'payment_confirmed', { data })(one, response);
};
