import { isPixType } from '../../contract/pay/shared.ts';
import { parseJson, printJson } from '../../core/json.ts';
import type { BuiltTransfer, EvmNode } from '../chains/node.ts';
import { anyPayment, changePayout, duePayouts, nextPayoutMs, type PayoutRow } from '../ledger/charges.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { describeError, log } from '../log.ts';
import { convert, rateOf } from '../payments/amount.ts';
import { receiversOf, sharesOf } from '../payments/receivers.ts';
import { movePayment } from '../payments/settle.ts';
import { hashOfSigned, nonceOfSigned } from '../payments/signed.ts';
import type { Services } from '../services.ts';
import { startWorker, type Worker } from '../worker.ts';

/**
 * The treasury pays the receivers of payments by bridge, Pix or card. Its key is no secret: it holds test money, on
 * chains with private ids.
 */
const TREASURY_KEY = '0x0000000000000000000000000000000000000000000000000000000000b0a5a0';
/** The address of the treasury. */
export const TREASURY = '0x11268cFa00eF3a11d660CDB7Df10Ca09eD63ce28';

const COIN = 10n ** 18n;
/** The coin that the treasury needs for fees, and the extra amounts of each top-up. */
const FEES = COIN;
const COIN_TOP_UP = 1_000n * COIN;
const TOKEN_TOP_UP = 1_000_000n;

const topUp = async (node: EvmNode, token: string | undefined, needed: bigint, extra: bigint): Promise<void> => {
  const balance = await node.balance(TREASURY, token);
  if (balance < needed) await node.fund(TREASURY, token, needed - balance + extra);
};

/** Creates the coin and the tokens that the treasury lacks for a payout, in smallest units. */
export const fillTreasury = async (node: EvmNode, token: string | undefined, units: bigint): Promise<void> => {
  await topUp(node, undefined, FEES + (token === undefined ? units : 0n), COIN_TOP_UP);
  if (token !== undefined) await topUp(node, token, units, TOKEN_TOP_UP * 10n ** BigInt(node.tokenDecimals(token)));
};

/** Signs a transfer with the treasury's key or another key. Returns the raw transaction as hex. */
export const signTransfer = async (built: BuiltTransfer, key = TREASURY_KEY): Promise<string> => {
  const [{ Transaction }, { SigningKey }] = await Promise.all([import('ethers/transaction'), import('ethers/crypto')]);
  const { from: _, ...fields } = built;
  const transaction = Transaction.from({ type: 2, ...fields });
  transaction.signature = new SigningKey(key).sign(transaction.unsignedHash);
  return transaction.serialized;
};

/** The maximum number of payouts in one round. A server that stops waits for the round. */
const MAX_AT_ONCE = 20;
const RETRY_AFTER_MS = 2_000;

const failedChange = (payment: PaymentRow, hash: string) => ({
  status: 'error',
  data_error: printJson({
    code: 500,
    status: 'payment_failed',
    details: { payment_id: payment.id, hash },
    message: 'The payout to the receivers was mined and reverted.',
  }),
});

/** Ends payment and payout in one transaction. */
const finish = async (services: Services, payment: PaymentRow, { hash, isPaid }: NonNullable<PayoutResult>) => {
  const change = isPaid ? settledChange(payment, hash) : failedChange(payment, hash);
  const done = { is_done: 1 };
  const expected = { id: payment.id, statuses: ['received', 'processing'] };
  const isMoved = await movePayment(services, expected, change, (step) => changePayout(step, payment.id, done));
  if (!isMoved) await changePayout(await services.ledger(), payment.id, done);
};

/** Tries one payout. A failed payout stays open and is tried again later. */
const attempt = async (services: Services, payout: PayoutRow): Promise<void> => {
  const payment = await anyPayment(await services.ledger(), payout.payment_id);
  if (!payment) return;
  try {
    const paid = await payOut(services, payment, payout);
    if (paid) await finish(services, payment, paid);
  } catch (error) {
    await log(services.io, `the payout of ${payment.id} on ${payout.chain} failed: ${describeError(error)}`);
    const retry = { due_ms: services.clock.now() + RETRY_AFTER_MS, attempts: payout.attempts + 1 };
    await changePayout(await services.ledger(), payment.id, retry);
  }
};

/** Starts the worker of the treasury, which pays the due payouts one after the other. */
export const startPayouts = (services: Services): Worker =>
  startWorker(services.io, 'the treasury', async () => {
    const ledger = await services.ledger();
    const due = await duePayouts(ledger, services.clock.now(), MAX_AT_ONCE);
    for (const payout of due) await attempt(services, payout);
    if (due.length > 0) return 0;
    const next = await nextPayoutMs(ledger);
    return next === undefined ? undefined : Math.max(0, next - services.clock.now());
  });

/** `global_payment_data` of a paid Pix. Assumption: it names the first receiver and the amount of all receivers. */
const pixData = (payment: PaymentRow, hash: string) => {
  const { to_chain: chain_name, amount_to, to_currency_symbol: currency } = payment;
  const amount_usdt = convert(amount_to, currency, 'USDT', rateOf(currency, 'USDT') ?? '1');
  const receiver_wallet = receiversOf(payment)[0]?.wallet ?? '';
  return {
    ...(parseJson(payment.global_payment_data) as Readonly<Record<string, unknown>>),
    crypto_payment_details: { chain_name, amount_usdt, receiver_wallet, transaction_hash: hash },
  };
};

/** The change of a payment after the treasury has paid its receivers. */
const settledChange = (payment: PaymentRow, hash: string) => {
  const type = payment.transaction_type ?? '';
  if (type === 'crypto') {
    // The payer's own transaction stays in `tid_hash`.
    const metadata = printJson({ bridge: { chain_name: payment.to_chain, transaction_hash: hash } });
    return { status: 'success', metadata };
  }
  const paid = { status: 'success', tid_hash: hash };
  return isPixType(type) ? { ...paid, global_payment_data: printJson(pixData(payment, hash)) } : paid;
};

/** The result of a payout on its chain; `undefined` for a payout that must be tried again. */
type PayoutResult = { readonly hash: string; readonly isPaid: boolean } | undefined;

/** Signs a payout and stores the transaction. Every later attempt sends the same bytes, which cannot pay twice. */
const sign = async (services: Services, node: EvmNode, payment: PaymentRow, payout: PayoutRow): Promise<string> => {
  const token = payout.token === node.chain.coin ? undefined : payout.token;
  const units = BigInt(payout.units);
  await fillTreasury(node, token, units);
  const amounts = sharesOf(receiversOf(payment), units);
  const raw = await signTransfer(await node.buildTransfer({ from: TREASURY, token, amounts }));
  await changePayout(await services.ledger(), payout.payment_id, { raw });
  return raw;
};

const resultOf = async (node: EvmNode, hash: string): Promise<PayoutResult> => {
  const receipt = await node.receipt(hash);
  return receipt && { hash, isPaid: receipt.status === 'success' };
};

/**
 * Pays the receivers of a payment from the treasury, exactly once. The signed transaction is stored before it is sent.
 * A new one is signed only when the stored one has no receipt and another transaction used its nonce.
 */
const payOut = async (services: Services, payment: PaymentRow, payout: PayoutRow): Promise<PayoutResult> => {
  const node = await services.node(payout.chain);
  const raw = payout.raw ?? (await sign(services, node, payment, payout));
  const hash = await hashOfSigned(raw);
  const earlier = payout.raw === null ? undefined : await resultOf(node, hash);
  if (earlier) return earlier;
  const sent = await node.send(raw);
  const result = await resultOf(node, hash);
  if (result) return result;
  if (!sent.ok && (await node.nonce(TREASURY)) > (await nonceOfSigned(raw))) {
    await changePayout(await services.ledger(), payout.payment_id, { raw: null });
    return undefined;
  }
  throw new Error(sent.ok ? 'the node has no receipt' : `the node refused the payout: ${sent.message}`);
};
