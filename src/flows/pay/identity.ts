import type { Input } from '../../client/call.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { textAt } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { Io } from '../../io/io.ts';
import { deploymentOf, isSameDeployment, paymentKey } from '../../journal/keys.ts';
import { statesUnder } from '../../journal/look-up.ts';
import type { Operation } from '../../journal/operation.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { type FactName, isSameFact } from '../../journal/statement.ts';
import type { IdentityRequest, PayContext } from './context.ts';

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
  const named = { payment_id: paymentId, email: textAt(input, 'payer_email'), wallet: textAt(input, 'payer_wallet') };
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

/** The facts of a registration. Other facts come with the transaction. */
const REGISTERED: readonly FactName[] = ['amount', 'currency', 'to_chain', 'to_currency', 'receivers'];

/** Whether the service, not the user, supplied the operation's payment id. */
export const isRegistration = ({ started }: OperationState): boolean => started.payment_id === undefined;

/** The registered facts in which two operations differ. */
export const differing = (one: OperationState, other: OperationState): readonly FactName[] =>
  REGISTERED.filter((name) => {
    const [a, b] = [one.stated.facts[name]?.value, other.stated.facts[name]?.value];
    return a !== undefined && b !== undefined && !isSameFact(a, b);
  });

/** Whether an operation states a registered fact: `pay transaction` alone states none. */
const statesSome = ({ stated }: OperationState): boolean => REGISTERED.some((name) => stated.facts[name] !== undefined);

/** Other registrations of this deployment with the same payment id. Ids are case-sensitive. */
const othersOf = async (io: Io, state: OperationState): Promise<readonly OperationState[]> => {
  const found: OperationState[] = [];
  if (state.payment_id === undefined) return found;
  for await (const other of statesUnder(io, [paymentKey(state.payment_id)])) {
    const isOfPayment = other.payment_id === state.payment_id && other.id !== state.id;
    const isOfService = isSameDeployment(deploymentOf(other), deploymentOf(state));
    if (isOfPayment && isOfService && isRegistration(other) && statesSome(other)) found.push(other);
  }
  return found;
};

/**
 * Checks the id of a new registration. An id that exists with other facts is recorded as a contradiction: no
 * registration of it counts. An id with equal facts is the same payment, and the journal points to the first
 * operation. Throws `refused_by_review`.
 */
export const assertNewOrSame = async (io: Io, operation: Operation): Promise<void> => {
  const state = operation.state();
  const { payment_id } = state;
  if (payment_id === undefined) return;
  const others = await othersOf(io, state);
  const other = others.find((each) => differing(state, each).length > 0);
  if (other) {
    const fields = differing(state, other);
    await operation.record({ step: 'contradicted', payment_id, by: other.id, fields });
    throw new Failure('refused_by_review', `the service gave the id ${payment_id} to another payment before`, {
      errors: fields.map((field) => ({ field, message: `is not that of operation ${other.id}` })),
      hint: 'Nothing was signed. No registration of this id counts any more: state the payment by options.',
      next: nextStep('operation.show', 'pay', other.id),
    });
  }
  const first = others.at(-1);
  if (first) await operation.record({ step: 'registered', payment_id, same_as: first.id });
};
