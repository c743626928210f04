import type { Client } from '../../client/call.ts';
import { type ChainNode, receiptOf } from '../../client/node.ts';
import { apiKeyFingerprint, deploymentOfService, type Service } from '../../client/service.ts';
import type { OperationEvent } from '../../journal/event.ts';
import { isChargeIntent, isPaymentIntent } from '../../journal/intents.ts';
import { deploymentOf, isSameDeployment, paymentKey } from '../../journal/keys.ts';
import { statesUnder } from '../../journal/look-up.ts';
import { reopenOperation } from '../../journal/operation.ts';
import { mayBeSent, type OperationState } from '../../journal/operation-state.ts';
import { isTerminal } from '../../journal/status.ts';
import { sameHash } from './execute.ts';
import type { PaymentState } from './status.ts';

/** Opens the node that decides on a chain, if the service has one. */
type OpenNode = (chain: string) => Promise<ChainNode | undefined>;

/**
 * The end that a read proves: a charge is final when the service says so. A success in crypto needs the hash of own
 * bytes, and with a node their receipt. Everything else is for `pay resume`, which compares and asks.
 */
const endOf = async (
  { started: { intent }, signed }: OperationState,
  { id: payment_id, status, tid_hash }: PaymentState,
  openNode: OpenNode,
): Promise<OperationEvent | undefined> => {
  const end = { step: 'ended', payment_id, status, tid_hash: tid_hash ?? undefined } as const;
  if (isChargeIntent(intent)) return end;
  if (status !== 'success' || !isPaymentIntent(intent)) return undefined;
  const own = signed.find((part) => mayBeSent(part) && sameHash(tid_hash, part.hash));
  const node = own && (await openNode(intent.chain));
  if (own === undefined || node === undefined) return own && end;
  return (await receiptOf(node, own.hash)) === 'landed' ? { ...end, shown_by: 'node' } : undefined;
};

/** Whether a resume with this service and API key would continue the operation. */
const isOfService = (state: OperationState, service: Service): boolean =>
  isSameDeployment(deploymentOf(state), deploymentOfService(service)) &&
  (state.started.asker === undefined || state.started.asker === apiKeyFingerprint(service));

/**
 * Records the final state of a payment, which the user has read, in its open operations: the journal then shows what the
 * service shows. Records nothing that `pay resume` would not record without a question. Throws as `reopenOperation`.
 */
export const noteRead = async ({ io, service }: Client, payment: PaymentState, openNode: OpenNode): Promise<void> => {
  if (payment.status !== 'success' && payment.status !== 'error') return;
  for await (const state of statesUnder(io, [paymentKey(payment.id)], () => undefined)) {
    if (state.payment_id !== payment.id || isTerminal(state) || !isOfService(state, service)) continue;
    const { operation } = await reopenOperation(io, state.id);
    try {
      const end = await endOf(operation.state(), payment, openNode);
      if (end) await operation.record(end);
    } finally {
      await operation.close();
    }
  }
};
