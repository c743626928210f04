import type { Input } from '../../../client/call.ts';
import { Failure } from '../../../core/failure.ts';
import type { PaymentIntent } from '../../../journal/entry.ts';
import type { MovementState, SignedPart } from '../../../journal/state.ts';
import type { OpenKey, PayContext } from '../context.ts';
import type { PaymentState } from '../status.ts';

/** What is known of a payment that is taken up again. */
export type Resumption = {
  readonly state: MovementState;
  readonly intent: PaymentIntent;
  /** The inputs it was begun with; gone where somebody removed them. */
  readonly inputs: { readonly register: Input; readonly transaction: Input } | undefined;
  /** Works with the key of the payer; `undefined` where the user has not said that something new may be signed. */
  readonly withKey: (<T>(work: (key: OpenKey) => Promise<T>) => Promise<T>) | undefined;
};

/** The end of a payment: `payment` is the state that the service shows. */
export type Resumed = { readonly payment_id: string; readonly hash: string | null; readonly payment: PaymentState };

export const again = ({ state }: Resumption): string => `bursar pay resume ${state.id}`;

/** Nothing new is signed without the user's word. */
export const keyOf = (resumption: Resumption, where: string): NonNullable<Resumption['withKey']> => {
  if (resumption.withKey) return resumption.withKey;
  throw new Failure('not_final', `${where}; nothing was sent for it, and it goes on only with your word`, {
    data: { payment_id: resumption.state.payment_id ?? null, status: null },
    next: `${again(resumption)} --yes`,
  });
};

export const inputsOf = ({ inputs, state }: Resumption): NonNullable<Resumption['inputs']> => {
  if (inputs) return inputs;
  const id = state.payment_id;
  throw new Failure('invalid_input', 'what this payment was asked for with is not on this machine any more', {
    hint: 'Nothing was sent for it. Give the options again.',
    next: id ? `bursar pay transaction ${id} …, then bursar pay execute ${id}` : 'bursar pay run …',
  });
};

/** Nobody can tell whether the money moved. */
export const unknown = (
  resumption: Resumption,
  paymentId: string,
  { hash }: SignedPart,
  why: string,
  cause?: Failure,
) =>
  new Failure('outcome_unknown', why, {
    data: { payment_id: paymentId, tid_hash: hash },
    hint: `The transaction ${hash} may have been sent. Do not pay again before that is known; --rpc-url lets a node of the chain tell.`,
    next: again(resumption),
    cause,
  });

/** Records the final state that the service showed. */
export const ended = async (context: PayContext, payment: PaymentState): Promise<void> =>
  context.movement.note({
    step: 'ended',
    payment_id: payment.id,
    status: payment.status,
    tid_hash: payment.tid_hash ?? undefined,
  });
