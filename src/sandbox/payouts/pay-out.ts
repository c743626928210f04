import { splitUnits } from '../../core/decimal.ts';
import type { EvmNode } from '../chains/nodes.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { changePayout, type PayoutRow } from '../ledger/payouts.ts';
import { receiversOf } from '../payments/receivers.ts';
import { hashOfSigned, nonceOfSigned } from '../payments/signed.ts';
import type { Services } from '../services.ts';
import { fillTreasury, signTransfer, TREASURY } from './treasury.ts';

/** How a payout ended on its chain; `undefined` while it has to be tried again. */
export type PaidOut = { readonly hash: string; readonly isPaid: boolean } | undefined;

/** Signs the payout and saves it: from here on the same bytes are sent, and they cannot pay twice. */
const sign = async (services: Services, node: EvmNode, payment: PaymentRow, payout: PayoutRow): Promise<string> => {
  const token = payout.token === node.chain.coin ? undefined : payout.token;
  const units = BigInt(payout.units);
  await fillTreasury(node, token, units);
  const receivers = receiversOf(payment);
  const shares = splitUnits(
    units,
    receivers.map(({ percent }) => percent),
  );
  const amounts = receivers.map(({ wallet }, index) => ({ to: wallet, units: shares[index] ?? 0n }));
  const raw = await signTransfer(await node.buildTransfer({ from: TREASURY, token, amounts }));
  await changePayout(await services.ledger(), payout.payment_id, { raw });
  return raw;
};

const endingOf = async (node: EvmNode, hash: string): Promise<PaidOut> => {
  const receipt = await node.receipt(hash);
  return receipt && { hash, isPaid: receipt.status === 'success' };
};

/**
 * Pays the receivers of a payment from the treasury, exactly once: the signed transaction is saved before it is
 * sent, and another is signed only when this one has no receipt and its nonce was used by another.
 */
export const payOut = async (services: Services, payment: PaymentRow, payout: PayoutRow): Promise<PaidOut> => {
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
