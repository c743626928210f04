import { SOLANA } from '../../contract/chains.ts';
import { splitUnits } from '../../core/decimal.ts';
import type { FieldError } from '../../core/failure.ts';
import { digitsOf, parseJson } from '../../core/json.ts';
import type { Share } from '../chains/contracts/encode.ts';
import { type ValidationResult, wrongField } from '../handlers/handler.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { isSolanaAddress, NOT_A_SOLANA_ADDRESS } from '../solana/address.ts';
import { chainOf, decimalsOf, floorUnits, symbolsOf } from './amount.ts';

/**
 * Whether a text is an EVM address other than the zero address. Letters in both cases are a checksum (EIP-55) and must
 * be right, because a wrong checksum means a typing error.
 */
export const isEvmAddress = async (text: string): Promise<boolean> => {
  if (!/^0x[0-9a-f]{40}$/i.test(text) || /^0x0{40}$/i.test(text)) return false;
  const { isAddress } = await import('ethers/address');
  return isAddress(text);
};

/** The problem of a text that `isEvmAddress` refuses. */
export const NOT_AN_ADDRESS = 'must be an EVM address: 0x and 40 hex digits, with a right checksum if it has one';

/** The receivers of a payment with their percentages, which are decimal texts and sum to 100. */
export type Receivers = readonly { readonly wallet: string; readonly percent: string }[];

type Split = readonly { readonly receiver_wallet: string; readonly receiver_percent: unknown }[];

/** The receivers of a request's split. */
export const receiversIn = (split: Split): Receivers =>
  split.map(({ receiver_wallet, receiver_percent }) => ({
    wallet: receiver_wallet,
    percent: digitsOf(receiver_percent) ?? '',
  }));

/** The receivers of a payment. */
export const receiversOf = (row: PaymentRow): Receivers => receiversIn(parseJson(row.split_payment_config) as Split);

/** Divides an amount in smallest units among the receivers. The shares sum to the amount. */
export const sharesOf = (receivers: Receivers, units: bigint): readonly Share[] => {
  const percents = receivers.map(({ percent }) => percent);
  const shares = splitUnits(units, percents);
  return receivers.map(({ wallet }, index) => ({ to: wallet, units: shares[index] ?? 0n }));
};

/** The problem of an EVM address of a payer or a receiver, if any. */
export const checkAddress = async (field: string, address: string): Promise<readonly FieldError[]> =>
  (await isEvmAddress(address)) ? [] : [{ field, message: NOT_AN_ADDRESS }];

const checkSolanaAddress = async (field: string, address: string): Promise<readonly FieldError[]> =>
  isSolanaAddress(address) ? [] : [{ field, message: NOT_A_SOLANA_ADDRESS }];

/** The receivers with a wallet that is no address of the chain's family. */
export const checkReceivers = async (receivers: Receivers, chain: string): Promise<readonly FieldError[]> => {
  const check = chain === SOLANA ? checkSolanaAddress : checkAddress;
  const checks = receivers.map(({ wallet }, at) => check(`split_payment_config.${at}.receiver_wallet`, wallet));
  return (await Promise.all(checks)).flat();
};

/** The payout of the treasury: `amount_to` in smallest units of the target currency, on the destination chain. */
export type Plan = { readonly chain: string; readonly token: string; readonly units: bigint };

/** The payout to the receivers when the treasury pays them in place of the payer, or the problem that prevents it. */
export const planPayout = (row: PaymentRow): ValidationResult<Plan> => {
  const { to_chain, to_currency_symbol: token } = row;
  const chain = chainOf(to_chain);
  if (!chain) return wrongField('to_chain', `the sandbox pays out on its EVM chains, not on ${to_chain}`);
  if (!symbolsOf(chain).includes(token)) {
    return wrongField('to_currency_symbol', `must be one of ${symbolsOf(chain).join(', ')} on ${to_chain}`);
  }
  const units = floorUnits(row.amount_to, decimalsOf(chain, token));
  if (units === 0n) return wrongField('amount_from', `is less than the smallest unit of ${token}`);
  return { ok: true, value: { chain: to_chain, token, units } };
};

/** The payout of a payment that `checkPayout` passed. Throws for another payment. */
export const planOf = (row: PaymentRow): Plan => {
  const planned = planPayout(row);
  if (planned.ok) return planned.value;
  throw new Error(`payment ${row.id} cannot be paid out: ${planned.errors[0]?.message}`);
};

/** The problems of a payout: its plan, a chain that is switched off, receivers with a wrong address. */
export const checkPayout = async (row: PaymentRow, disabled: readonly string[]): Promise<readonly FieldError[]> => {
  const planned = planPayout(row);
  if (!planned.ok) return planned.errors;
  if (disabled.includes(row.to_chain)) {
    return [{ field: 'to_chain', message: `the chain ${row.to_chain} is not enabled` }];
  }
  return checkReceivers(receiversOf(row), row.to_chain);
};
