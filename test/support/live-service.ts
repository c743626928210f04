import { Transaction } from 'ethers';
import { findEvmChain } from '../../src/contract/chains.ts';
import { ANNA, cryptoTxJson, transferData } from '../chain/evm/given.ts';
import { envelope, type Responder } from './server.ts';

const USDT = findEvmChain('polygon')?.tokens.USDT.address ?? '';

/** The crypto_tx of 1500 USDT to Anna on the real polygon, and the payment that it is for. */
const paymentOf = (payer: string) => {
  const cryptoTx = JSON.parse(
    cryptoTxJson({
      from: JSON.stringify(payer),
      to: JSON.stringify(USDT),
      data: JSON.stringify(transferData(ANNA, 1_500_000_000n)),
      value: '0',
      chainId: '137',
      gasLimit: '"300000"',
    }),
  );
  const facts = {
    amount_from: '1500',
    from_currency_symbol: 'USDT',
    chain_name: 'polygon',
    payer_token_symbol: 'USDT',
    payer_wallet: payer,
    split_payment_config: [{ receiver_wallet: ANNA, receiver_percent: 100 }],
  };
  return { cryptoTx, facts };
};

type Payment = { status: string; tid_hash: string | null };

/** A live payment service for one payer and one payment. It calls no chain. */
export const livePayments = (payer: string): Responder => {
  const { cryptoTx, facts } = paymentOf(payer);
  const payment: Payment = { status: 'registered', tid_hash: null };
  return (received, response) => {
    const { path, body } = received;
    const answer = (...args: Parameters<typeof envelope>) => envelope(...args)(received, response);
    if (path.endsWith('intents-create-order')) {
      return answer(201, 'payment_registered', { data: { payment_id: 'pay_1' } });
    }
    if (path.endsWith('intents-create-transaction')) {
      return answer(201, 'payment_registered', {
        data: { payment_id: 'pay_1', session_payment: '', crypto_tx: cryptoTx, fiat_tx: {} },
      });
    }
    if (path.endsWith('on-chain')) {
      payment.tid_hash = Transaction.from(JSON.parse(body).signed_transaction).hash;
      payment.status = 'success';
      return answer(200, 'payment_confirmed', { data: { id: 'pay_1', tid_hash: payment.tid_hash } });
    }
    return answer(200, 'payment_found', { data: { id: 'pay_1', ...facts, ...payment, unsigned_tx: cryptoTx } });
  };
};

/** A yield service that returns these transactions for every operation. */
export const liveYield =
  (transactions: readonly string[]): Responder =>
  (received, response) => {
    const { path } = received;
    const answer = (...args: Parameters<typeof envelope>) => envelope(...args)(received, response);
    const [transaction] = transactions;
    if (path === '/yield/deposit') return answer(200, 'deposit_yield_strategy_ok', { data: { transaction } });
    if (path === '/yield/withdraw') return answer(200, 'withdraw_yield_strategy_ok', { data: { transaction } });
    if (path === '/yield/rebalance') {
      const mode = transactions.length === 1 ? 'single_transaction' : 'dual_transaction';
      return answer(200, 'rebalance_yield_strategy_ok', {
        data: { mode, transaction: transactions.length === 1 ? transaction : transactions },
      });
    }
    return answer(404, 'not_found');
  };
