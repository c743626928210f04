import type { Client } from '../../../client/call.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import { briefly } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import { isSameText } from '../../../core/same-text.ts';
import type { PayInputs } from '../../../flows/pay/resume/resumption.ts';
import { type PaymentState, readPayment } from '../../../flows/pay/status.ts';
import type { OperationState } from '../../../journal/operation-state.ts';
import type { Body } from '../../command/body.ts';

/** Fields of a payment that are no facts, and that the service shows too. */
const OTHER_FIELDS = ['executor_id', 'order_code', 'transaction_type', 'payer_email', 'payer_wallet', 'on_ramp'];

const isOther = (stated: unknown, known: unknown): boolean => !isSameText(String(stated), String(known));

/** Throws `refused_by_review` where the payment has other fields than the options say. */
export const assertOtherFields = (payment: PaymentState, input: Body): void => {
  const errors = OTHER_FIELDS.flatMap((field) => {
    const [stated, shown] = [input[field], payment[field]];
    if (stated === undefined || shown === undefined || shown === null || !isOther(stated, shown)) return [];
    return [{ field, message: `you stated ${briefly(stated)}, and the service shows ${briefly(shown)}` }];
  });
  if (errors.length === 0) return;
  throw new Failure('refused_by_review', `payment ${payment.id} is not what you stated for it`, {
    errors,
    hint: 'Nothing was signed or sent.',
    next: nextStep('pay.status', payment.id),
  });
};

const optionFor = (field: string): string => `--${field.replaceAll('_', '-')}`;

const differOf = (errors: readonly FieldError[]): void => {
  if (errors.length === 0) return;
  throw new Failure('invalid_input', 'nothing was sent: two statements of yours differ', { errors });
};

/** Throws `invalid_input` where the options name another payer than the key that signs, naming both. */
export const assertPayerIsKey = ({ payer_wallet: stated }: Body, address: string | undefined): void => {
  if (stated === undefined || address === undefined || !isOther(stated, address)) return;
  const message = `${briefly(stated)} here, and the key is that of ${address}`;
  differOf([{ field: 'payer_wallet', message, option: optionFor('payer_wallet') }]);
};

/** What an operation was begun with, by the names of the fields. */
type Entered = { readonly state: OperationState; readonly inputs: PayInputs; readonly payer: string };

/**
 * Compares the options of a resume that state no facts with what the payment was begun with, or where that is not on this
 * machine, with what the service shows. Throws `invalid_input` naming both, and as `assertOtherFields`.
 */
export const assertFieldsAsEntered = async (
  client: Client,
  { state, inputs: { register, transaction }, payer }: Entered,
  input: Body,
): Promise<void> => {
  const entered: Body = { ...register, ...transaction, payer_wallet: payer };
  const isWhole = register !== undefined && transaction !== undefined;
  const stated = OTHER_FIELDS.filter((field) => input[field] !== undefined);
  const known = stated.filter((field) => isWhole || entered[field] !== undefined);
  differOf(
    known
      .filter((field) => isOther(input[field], entered[field] ?? 'none'))
      .map((field) => {
        const before = entered[field] === undefined ? 'none' : briefly(entered[field]);
        const message = `${briefly(input[field])} here, and ${before} was entered before on this machine`;
        return { field, message, option: optionFor(field) };
      }),
  );
  if (stated.length === known.length || state.payment_id === undefined) return;
  assertOtherFields(await readPayment(client, state.payment_id), input);
};
