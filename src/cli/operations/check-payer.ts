import type { Input } from '../../client/call.ts';
import { isPixType } from '../../contract/pay/shared.ts';
import { Failure, type FieldError } from '../../core/failure.ts';
import { isTaxId } from '../../core/secret.ts';
import type { ReadContext } from '../command/command.ts';
import { isFiat } from './check-amounts.ts';
import { evmShapedProblem } from './check-receivers.ts';

const bare = (text: string): string => text.replaceAll(/[\s./-]/g, '').toUpperCase();

/** A number of one repeated digit passes the checksum, but belongs to no taxpayer. */
export const isOneDigit = (text: string): boolean => /^(\d)\1*$/.test(bare(text));

/** What is wrong with a CPF or a CNPJ. The message never repeats the number, which is personal. */
export const taxIdProblem = (text: string): string | undefined => {
  if (isTaxId(bare(text))) return undefined;
  const hasForm = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/.test(bare(text));
  return hasForm
    ? 'must be a CPF or a CNPJ: its check digits are wrong'
    : 'must be a CPF of 11 digits or a CNPJ of 14 characters';
};

/** The error of a payer by Pix whose CPF or CNPJ is mistyped. A missing one is found by the contract. */
export const taxIdErrors = ({ transaction_type: type, payer_cpf: id }: Input): readonly FieldError[] => {
  const message = isPixType(type) && typeof id === 'string' && id !== '' ? taxIdProblem(id) : undefined;
  return message === undefined ? [] : [{ field: 'payer_cpf', message }];
};

/** Throws `invalid_input` for a transaction with a mistyped CPF, CNPJ or wallet of the payer. */
export const checkPayer = async (_: ReadContext, input: Input): Promise<void> => {
  const { payer_wallet: wallet } = input;
  const message = typeof wallet === 'string' ? await evmShapedProblem(wallet) : undefined;
  const ofWallet = message === undefined ? [] : [{ field: 'payer_wallet', message: `${wallet} ${message}` }];
  const errors = [...taxIdErrors(input), ...ofWallet];
  if (errors.length > 0) throw new Failure('invalid_input', 'nothing was sent: the payer cannot be right', { errors });
};

/**
 * The missing token of a payment in crypto whose price is in fiat. The usual default, the currency of the price, is no token.
 */
export const payerTokenErrors = (input: Input): readonly FieldError[] => {
  const { from_currency_symbol: currency, payer_token_symbol: token } = input;
  if (token !== undefined || typeof currency !== 'string' || !isFiat(currency)) return [];
  const message = `required: the token to pay with, because ${currency} is none`;
  return [{ field: 'payer_token_symbol', message, isMissing: true, isExplained: true }];
};
