import type { Client, Input } from '../../../client/call.ts';
import { briefly } from '../../../core/json.ts';
import { isSameText } from '../../../core/text.ts';
import type { PayInputs } from '../../../flows/pay/resume/resumption.ts';
import { type PaymentState, readPayment } from '../../../flows/pay/status.ts';
import { assertAsStated, assertNoDifference } from '../../../flows/statement.ts';
import type { OperationState } from '../../../journal/operation-state.ts';
import { flagOf } from '../../command/fields.ts';

/** Fields of a payment that are not facts of the review. The service shows them too. */
const OTHER_FIELDS = ['executor_id', 'order_code', 'transaction_type', 'payer_email', 'payer_wallet', 'on_ramp'];

const isDifferent = (stated: unknown, known: unknown): boolean => !isSameText(String(stated), String(known));

/** Throws `refused_by_review` if a field of the payment differs from its option. */
export const assertOtherFields = (payment: PaymentState, input: Input): void => {
  const errors = OTHER_FIELDS.flatMap((field) => {
    const [stated, shown] = [input[field], payment[field]];
    if (stated === undefined || shown === undefined || shown === null || !isDifferent(stated, shown)) return [];
    return [{ field, message: `you stated ${briefly(stated)}, and the service shows ${briefly(shown)}` }];
  });
  assertAsStated(payment.id, errors);
};

/** Throws `invalid_input` if the options name another payer than the key that signs. */
export const assertPayerIsKey = ({ payer_wallet: stated }: Input, address: string | undefined): void => {
  if (stated === undefined || address === undefined || !isDifferent(stated, address)) return;
  const message = `${briefly(stated)} here, and the key is that of ${address}`;
  assertNoDifference([{ field: 'payer_wallet', message, option: flagOf('payer_wallet') }]);
};

/** A resumed payment with its first inputs. */
type EnteredPayment = { readonly state: OperationState; readonly inputs: PayInputs; readonly payer: string };

/**
 * Compares the other fields of a resume with the first inputs of the payment. If this machine has no such inputs, it
 * compares them with the service. Throws `invalid_input` with both values, and as `assertOtherFields`.
 */
export const assertFieldsAsEntered = async (
  client: Client,
  { state, inputs: { register, transaction }, payer }: EnteredPayment,
  input: Input,
): Promise<void> => {
  const entered: Input = { ...register, ...transaction, payer_wallet: payer };
  const isWhole = register !== undefined && transaction !== undefined;
  const stated = OTHER_FIELDS.filter((field) => input[field] !== undefined);
  const known = stated.filter((field) => isWhole || entered[field] !== undefined);
  assertNoDifference(
    known
      .filter((field) => isDifferent(input[field], entered[field] ?? 'none'))
      .map((field) => {
        const before = entered[field] === undefined ? 'none' : briefly(entered[field]);
        const message = `${briefly(input[field])} here, and ${before} was entered before on this machine`;
        return { field, message, option: flagOf(field) };
      }),
  );
  if (stated.length === known.length || state.payment_id === undefined) return;
  assertOtherFields(await readPayment(client, state.payment_id), input);
};
