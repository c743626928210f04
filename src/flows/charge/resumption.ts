import type { Input } from '../../client/call.ts';
import type { ChargeIntent } from '../../journal/intents.ts';
import type { OperationState } from '../../journal/operation-state.ts';

/** What is known of a payment by Pix or card that is taken up again. */
export type ChargeResumption = {
  readonly state: OperationState;
  readonly intent: ChargeIntent;
  readonly inputs: { readonly register?: Input | undefined; readonly transaction?: Input | undefined };
  /** The card, which is kept nowhere, and the user's word that it is to be charged. Throws where nobody gives it. */
  readonly askCard: () => Promise<Input>;
  /** Whether a person vouches that nothing became of what was sent: --yes does not. */
  readonly isConfirmed: (question: string) => Promise<boolean>;
};
