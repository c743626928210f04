import type { Input } from '../../client/call.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { IdentityRequest, PayContext } from './context.ts';

const textIn = (input: Input, field: string): string | undefined => {
  const value = input[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** The names by which the service identifies the payer. Only sent fields count. */
export const namedBy = ({ email, wallet }: IdentityRequest): string => {
  const names = [...(email ? [`the e-mail ${email}`] : []), ...(wallet ? [`the wallet ${wallet}`] : [])];
  if (names.length === 0)
    return 'The payment names neither an e-mail nor a wallet of its payer: the service needs one.';
  return `The payment names its payer by ${names.join(' and ')}.`;
};

/** The payment waits until the payer's identity is verified. */
const waitsFor = ({ operation }: Pick<PayContext, 'operation'>, asked: IdentityRequest): Failure => {
  const { details, message } = asked.failure;
  const meaning = details.hint === message ? '' : (details.hint ?? '');
  return new Failure('identity_gate', message, {
    ...details,
    data: details.data ?? { [WIRE_ID]: operation.id, payment_id: asked.payment_id, tid_hash: null },
    hint: `${meaning} ${namedBy(asked)} Once the payer is approved: bursar pay resume ${operation.id}`.trim(),
    // A key can also be selected by its address.
    next: nextStep('kyc.start', { email: asked.email, key: asked.wallet }),
    cause: asked.failure,
  });
};

/**
 * Creates the transaction of a payment, for any method. If the service requires the payer's identity, verifies it and
 * creates the transaction again. Document: KYC/KYB rules for transaction creation. Throws `identity_gate` with the
 * next commands if the payer was not verified.
 */
export const throughIdentityGate = async <T>(
  context: Pick<PayContext, 'operation' | 'identify'>,
  paymentId: string,
  input: Input,
  create: () => Promise<T>,
): Promise<T> => {
  const named = { payment_id: paymentId, email: textIn(input, 'payer_email'), wallet: textIn(input, 'payer_wallet') };
  const attempt = async (): Promise<{ readonly made: T } | IdentityRequest> => {
    try {
      return { made: await create() };
    } catch (error) {
      if (!isFailure(error, 'identity_gate')) throw error;
      return { ...named, failure: error };
    }
  };
  const first = await attempt();
  if ('made' in first) return first.made;
  if (!(await context.identify?.(first))) throw waitsFor(context, first);
  const second = await attempt();
  if ('made' in second) return second.made;
  throw waitsFor(context, second);
};
