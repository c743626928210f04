import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import { paymentKey } from '../../journal/keys.ts';
import { statesUnder } from '../../journal/look-up.ts';
import type { Operation } from '../../journal/operation.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { deploymentOf, isSameDeployment } from '../../journal/same-service.ts';
import { type FactName, isSameFact } from '../../journal/statement.ts';

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
