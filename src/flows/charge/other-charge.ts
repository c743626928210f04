import type { Io } from '../../io/io.ts';
import { isPixIntent, isStepIntent } from '../../journal/intents.ts';
import { type Deployment, deploymentOf, isSameDeployment, paymentKey } from '../../journal/keys.ts';
import { statesUnder } from '../../journal/look-up.ts';
import type { OperationState, Sent } from '../../journal/operation-state.ts';
import { cardSent, isTerminal } from '../../journal/status.ts';

/** Version 0.1 recorded the card of `pay transaction` as a step without a wallet. */
const isOldCardStep = ({ started: { intent } }: OperationState): boolean =>
  isStepIntent(intent) && intent.operation === 'transaction' && intent.token === '' && intent.payer === '';

const cardSentBy = (state: OperationState): Sent => {
  if (!isOldCardStep(state)) return cardSent(state);
  if (state.stage === 'created') return 'yes';
  return state.stage === 'creating' && state.stop?.is_unknown !== false ? 'maybe' : 'no';
};

/** A card that another operation sent, and is not known to be refused: `maybe` while its answer is missing. */
export type OtherCard = { readonly operationId: string; readonly sent: Exclude<Sent, 'no'> };

/** The newest card of another operation for a payment. Throws `journal_damaged`. */
export const otherCardOf = async (
  io: Io,
  deployment: Deployment,
  paymentId: string,
  ownId?: string,
): Promise<OtherCard | undefined> => {
  for await (const state of statesUnder(io, [paymentKey(paymentId)])) {
    const isOther = state.id !== ownId && state.payment_id === paymentId;
    if (!isOther || !isSameDeployment(deploymentOf(state), deployment)) continue;
    const sent = cardSentBy(state);
    if (sent !== 'no') return { operationId: state.id, sent };
  }
  return undefined;
};

/** What another card, or a charge that the payment shows, says against a card; `undefined` if there is neither. */
export const besideInWords = (paymentId: string, other: OtherCard | undefined, charges: number): string | undefined => {
  if (other?.sent === 'maybe') return `Another card may have been charged for payment ${paymentId}.`;
  if (other?.sent === 'yes') return `Another card was sent for payment ${paymentId}.`;
  return charges > 0 ? `Payment ${paymentId} shows a charge already.` : undefined;
};

/** The open operations of other Pix of a payment, newest first: of shown codes, and of those that were never shown. */
export const openPixOf = async (
  io: Io,
  deployment: Deployment,
  paymentId: string,
  ownId?: string,
): Promise<readonly OperationState[]> => {
  const found: OperationState[] = [];
  for await (const state of statesUnder(io, [paymentKey(paymentId)])) {
    const isOther = state.id !== ownId && state.payment_id === paymentId && !isTerminal(state);
    if (isOther && isPixIntent(state.started.intent) && isSameDeployment(deploymentOf(state), deployment))
      found.push(state);
  }
  return found;
};

/** The Pix that can still be paid by its code, and what it says against another one; `undefined` without one. */
export const payablePix = ({ clock }: Io, paymentId: string, open: readonly OperationState[]) => {
  const state = open.find(({ pix }) => pix !== undefined && Date.parse(pix.expires_at) > clock.now());
  if (state?.pix === undefined) return undefined;
  return { state, message: `Payment ${paymentId} has a Pix already, which expires at ${state.pix.expires_at}.` };
};
