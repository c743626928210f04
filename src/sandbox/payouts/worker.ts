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
 * Pays receivers what came in by a bridge, Pix or card. Its key is no secret: its money is test money, on chains
 * whose ids nothing else has.
 */
const TREASURY_KEY = '0x0000000000000000000000000000000000000000000000000000000000b0a5a0';
export const TREASURY = '0x11268cFa00eF3a11d660CDB7Df10Ca09eD63ce28';

const COIN = 10n ** 18n;
/** What the treasury has at least for fees, and how much more than is needed it is given at once. */
const FEES = COIN;
const COIN_TOP_UP = 1_000n * COIN;
const TOKEN_TOP_UP = 1_000_000n;

const topUp = async (node: EvmNode, token: string | undefined, needed: bigint, more: bigint): Promise<void> => {
  const has = await node.balance(TREASURY, token);
  if (has < needed) await node.fund(TREASURY, token, needed - has + more);
};

/** Gives the treasury what a payout needs. Done twice, it only has more. */
export const fillTreasury = async (node: EvmNode, token: string | undefined, units: bigint): Promise<void> => {
  await topUp(node, undefined, FEES + (token === undefined ? units : 0n), COIN_TOP_UP);
  if (token !== undefined) await topUp(node, token, units, TOKEN_TOP_UP * 10n ** BigInt(node.tokenDecimals(token)));
};

/** A transfer, signed by the treasury or by another key. */
export const signTransfer = async (built: BuiltTransfer, key = TREASURY_KEY): Promise<string> => {
  const [{ Transaction }, { SigningKey }] = await Promise.all([import('ethers/transaction'), import('ethers/crypto')]);
  const { from: _, ...fields } = built;
  const transaction = Transaction.from({ type: 2, ...fields });
  transaction.signature = new SigningKey(key).sign(transaction.unsignedHash);
  return transaction.serialized;
};

/** Payouts of one round; a server that ends waits for a round. */
const MAX_AT_ONCE = 20;
const AGAIN_AFTER_MS = 2_000;

const failed = (payment: PaymentRow, hash: string) => ({
  status: 'error',
  data_error: printJson({
    code: 500,
    status: 'payment_failed',
    details: { payment_id: payment.id, hash },
    message: 'The payout to the receivers was mined and reverted.',
  }),
});

/** Ends payment and payout together. */
const finish = async (services: Services, payment: PaymentRow, { hash, isPaid }: NonNullable<PaidOut>) => {
  const change = isPaid ? settledChange(payment, hash) : failed(payment, hash);
  const done = { is_done: 1 };
  const expected = { id: payment.id, statuses: ['received', 'processing'] };
  const isMoved = await movePayment(services, expected, change, (step) => changePayout(step, payment.id, done));
  if (!isMoved) await changePayout(await services.ledger(), payment.id, done);
};

/** A payout that could not be made stays as it is, and is tried again later. */
const attempt = async (services: Services, payout: PayoutRow): Promise<void> => {
  const payment = await anyPayment(await services.ledger(), payout.payment_id);
  if (!payment) return;
  try {
    const paid = await payOut(services, payment, payout);
    if (paid) await finish(services, payment, paid);
  } catch (error) {
    await log(services.io, `the payout of ${payment.id} on ${payout.chain} failed: ${describeError(error)}`);
    const again = { due_ms: services.clock.now() + AGAIN_AFTER_MS, attempts: payout.attempts + 1 };
    await changePayout(await services.ledger(), payment.id, again);
  }
};

/** Pays the receivers of payments that came by a bridge, Pix or card, one after the other. */
export const startPayouts = (services: Services): Worker =>
  startWorker(services.io, 'the treasury', async () => {
    const ledger = await services.ledger();
    const due = await duePayouts(ledger, services.clock.now(), MAX_AT_ONCE);
    for (const payout of due) await attempt(services, payout);
    if (due.length > 0) return 0;
    const next = await nextPayoutMs(ledger);
    return next === undefined ? undefined : Math.max(0, next - services.clock.now());
  });

const PIX_TYPES = ['pixcrypto', 'fiatcrypto'];

/** Assumption: of several receivers the first is named, and the amount is that of all. */
const pixData = (payment: PaymentRow, hash: string) => {
  const { to_chain: chain_name, amount_to, to_currency_symbol: currency } = payment;
  const amount_usdt = convert(amount_to, currency, 'USDT', rateOf(currency, 'USDT') ?? '1');
  const receiver_wallet = receiversOf(payment)[0]?.wallet ?? '';
  return {
    ...(parseJson(payment.global_payment_data) as Readonly<Record<string, unknown>>),
    crypto_payment_details: { chain_name, amount_usdt, receiver_wallet, transaction_hash: hash },
  };
};

/** What a payment becomes when its receivers were paid by the treasury. */
const settledChange = (payment: PaymentRow, hash: string) => {
  const type = payment.transaction_type ?? '';
  if (type === 'crypto') {
    // The payer's own transaction stays in `tid_hash`.
    const metadata = printJson({ bridge: { chain_name: payment.to_chain, transaction_hash: hash } });
    return { status: 'success', metadata };
  }
  const paid = { status: 'success', tid_hash: hash };
  return PIX_TYPES.includes(type) ? { ...paid, global_payment_data: printJson(pixData(payment, hash)) } : paid;
};

/** How a payout ended on its chain; `undefined` while it has to be tried again. */
type PaidOut = { readonly hash: string; readonly isPaid: boolean } | undefined;

/** Signs the payout and saves it: from here on the same bytes are sent, and they cannot pay twice. */
const sign = async (services: Services, node: EvmNode, payment: PaymentRow, payout: PayoutRow): Promise<string> => {
  const token = payout.token === node.chain.coin ? undefined : payout.token;
  const units = BigInt(payout.units);
  await fillTreasury(node, token, units);
  const amounts = sharesOf(receiversOf(payment), units);
  const raw = await signTransfer(await node.buildTransfer({ from: TREASURY, token, amounts }));
  await changePayout(await services.ledger(), payout.payment_id, { raw });
  return raw;
};

const endingOf = async (node: EvmNode, hash: string): Promise<PaidOut> => {
  const receipt = await node.receipt(hash);
  return receipt && { hash, isPaid: receipt.status === 'success' };
};

/**
 * Pays the receivers of a payment from the treasury, exactly once. The signed transaction is saved before it is sent.
 * Another is signed only when this one has no receipt and another transaction used its nonce.
 */
const payOut = async (services: Services, payment: PaymentRow, payout: PayoutRow): Promise<PaidOut> => {
  const node = await services.node(payout.chain);
  const raw = payout.raw ?? (await sign(services, node, payment, payout));
  const hash = await hashOfSigned(raw);
  const before = payout.raw === null ? undefined : await endingOf(node, hash);
  if (before) return before;
  const sent = await node.send(raw);
  const ending = await endingOf(node, hash);
  if (ending) return ending;
  if (!sent.ok && (await node.nonce(TREASURY)) > (await nonceOfSigned(raw))) {
    await changePayout(await services.ledger(), payout.payment_id, { raw: null });
    return undefined;
  }
  throw new Error(sent.ok ? 'the node has no receipt' : `the node refused the payout: ${sent.message}`);
};
