import type { FieldError } from '../../core/failure.ts';
import { digitsOf, parseJson } from '../../core/json.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { isEvmAddress, NOT_AN_ADDRESS } from './address.ts';

/** Who gets which part; the percentages are decimal texts that sum to 100. */
export type Receivers = readonly { readonly wallet: string; readonly percent: string }[];

/** The split of a payment. */
export const receiversOf = (row: PaymentRow): Receivers =>
  (parseJson(row.split_payment_config) as readonly { receiver_wallet: string; receiver_percent: unknown }[]).map(
    ({ receiver_wallet, receiver_percent }) => ({ wallet: receiver_wallet, percent: digitsOf(receiver_percent) ?? '' }),
  );

/** What is wrong with an address that is to pay or be paid: nothing, or the one field. */
export const checkAddress = async (field: string, address: string): Promise<readonly FieldError[]> =>
  (await isEvmAddress(address)) ? [] : [{ field, message: NOT_AN_ADDRESS }];

/** Every receiver that cannot be paid on an EVM chain. */
export const checkReceivers = async (row: PaymentRow): Promise<readonly FieldError[]> => {
  const checks = receiversOf(row).map(({ wallet }, index) =>
    checkAddress(`split_payment_config.${index}.receiver_wallet`, wallet),
  );
  return (await Promise.all(checks)).flat();
};
