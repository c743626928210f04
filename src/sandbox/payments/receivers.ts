import type { FieldError } from '../../core/failure.ts';
import { digitsOf, parseJson } from '../../core/json.ts';
import type { PaymentRow } from '../ledger/payments.ts';

/**
 * Whether a text is an EVM address that can receive money. The zero address cannot. A checksum (EIP-55), where it has
 * one, must be right: a wrong one means a typing error.
 */
export const isEvmAddress = async (text: string): Promise<boolean> => {
  if (!/^0x[0-9a-f]{40}$/i.test(text) || /^0x0{40}$/i.test(text)) return false;
  const { isAddress } = await import('ethers/address');
  return isAddress(text);
};

/** What is wrong with a text that `isEvmAddress` does not take. */
export const NOT_AN_ADDRESS = 'must be an EVM address: 0x and 40 hex digits, with a right checksum if it has one';

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
