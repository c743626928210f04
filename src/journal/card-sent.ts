import { isChargeIntent } from './intents.ts';
import type { OperationState, Sent } from './operation-state.ts';

/**
 * Whether a card was sent: `maybe` when nothing says what became of the call, `yes` when it was taken and its end is not
 * known. Once in doubt it stays so until it was taken, or its payment ended.
 */
export const cardSent = ({ begun: { intent }, stage, stop, isCardInDoubt }: OperationState): Sent => {
  if (!isChargeIntent(intent) || intent.operation !== 'card') return 'no';
  if (stage === 'created') return 'yes';
  return stage === 'creating' && (isCardInDoubt || stop?.is_unknown !== false) ? 'maybe' : 'no';
};
