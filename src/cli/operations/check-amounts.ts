import { assetNamed, type Chain, findChain } from '../../chain/evm/network.ts';
import type { Input } from '../../client/call.ts';
import { isDecimal, plainDecimal, toUnits } from '../../core/decimal.ts';
import { Failure, type FieldError, undefinedOn } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { escapeText, isSameText } from '../../core/text.ts';
import type { ReadContext } from '../command/command.ts';
import type { PromptContext } from '../command/options.ts';
import { networkOf } from '../profiles/gate.ts';
import { kindOf } from '../profiles/selection.ts';

type WithSelection = Pick<PromptContext, 'selection'>;

/** The problem of an amount with more decimals than its token. No transaction can move such an amount. */
const tooFine = (amount: string, decimals: number, token: string): string | undefined => {
  const plain = plainDecimal(amount) ?? amount;
  if (!isDecimal(plain) || undefinedOn(() => toUnits(plain, decimals), 'invalid_input') !== undefined) return undefined;
  return escapeText(`must have at most ${decimals} decimals: ${token} has no more`);
};

/** An amount that is paid in crypto. The payer's token and chain may be unknown yet. */
type PaidAmount = { readonly [Part in 'amount' | 'currency' | 'token' | 'chain']: unknown };

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The decimals of a symbol on each of some chains; `undefined` where one of them is unknown. */
const mostDecimals = (chains: readonly (Chain | undefined)[], symbol: string): number | undefined => {
  const found = chains.flatMap((chain) => (chain && assetNamed(chain, symbol)?.decimals) ?? []);
  return found.length === 0 ? undefined : Math.max(...found);
};

/**
 * What is wrong with the decimals of a payment's amount. An amount in another currency than the payer's token is
 * converted by the service, so its decimals do not count. While the chain is unknown, any chain may be the one.
 */
export const paidAmountProblem = async (cli: WithSelection, paid: PaidAmount): Promise<string | undefined> => {
  const [amount, currency, chain] = [text(paid.amount), text(paid.currency), text(paid.chain)];
  if (amount === undefined || currency === undefined) return undefined;
  const token = text(paid.token) ?? currency;
  if (!isSameText(token, currency)) return undefined;
  const network = await networkOf(cli, kindOf(await cli.selection()));
  const decimals = mostDecimals(chain === undefined ? network.chains : [findChain(network, chain)], token);
  const place = chain === undefined ? '' : ` on ${chain}`;
  return decimals === undefined ? undefined : tooFine(amount, decimals, token + place);
};

/** The token of a symbol or a mint on Solana, if this machine knows it. */
export const yieldToken = async (cli: WithSelection, asset: string) => {
  const { solanaNetworkFor, tokenNamed } = await import('../../chain/solana/network.ts');
  return tokenNamed(solanaNetworkFor(kindOf(await cli.selection())), asset);
};

/** What is wrong with the decimals of an amount of a yield operation. The token is a symbol or a mint. */
export const yieldAmountProblem = async (
  cli: WithSelection,
  amount: string,
  asset: string,
): Promise<string | undefined> => {
  const token = await yieldToken(cli, asset);
  return token && tooFine(amount, token.decimals, token.symbol);
};

/** The error of a crypto payment whose amount its token cannot have. */
export const paidAmountErrors = async (cli: ReadContext, input: Input): Promise<readonly FieldError[]> => {
  const { amount_from: amount, from_currency_symbol: currency, payer_token_symbol: token } = input;
  const chain = input['chain_name'] ?? input['to_chain'];
  const message = await paidAmountProblem(cli, { amount, currency, token, chain });
  return message === undefined ? [] : [{ field: 'amount_from', message }];
};

/** The usual fiat currencies. A price can be in one; a wallet has none. */
export const FIAT: readonly string[] = ['BRL', 'USD', 'EUR'];

/** Whether a symbol is one of them, in any case. */
export const isFiat = (symbol: string | undefined): symbol is string =>
  symbol !== undefined && FIAT.includes(symbol.toUpperCase());

/** A charge is in whole cents. */
const FIAT_DECIMALS = 2;

/** The error of a payment by Pix or card whose amount has parts of a cent. */
export const chargedAmountErrors = ({ amount_from, from_currency_symbol: currency }: Input): readonly FieldError[] => {
  const [amount, symbol] = [text(amount_from), text(currency)];
  const message = amount !== undefined && isFiat(symbol) ? tooFine(amount, FIAT_DECIMALS, symbol) : undefined;
  return message === undefined ? [] : [{ field: 'amount_from', message }];
};

const assertNone = (errors: readonly FieldError[]): void => {
  if (errors.length > 0) throw new Failure('invalid_input', 'nothing was sent: the amount cannot be paid', { errors });
};

/** Whether a payment can be paid by Pix or card alone. */
const isChargeOnly = ({ payment_method_allowed: allowed }: Input): boolean =>
  isJsonObject(allowed) && allowed['crypto'] !== true && Object.values(allowed).includes(true);

/**
 * Throws `invalid_input` for a registration with an amount that nobody can pay. The payer's chain is unknown yet, so that no
 * chain may have its decimals. By Pix or card alone it has no parts of a cent.
 */
export const checkRegisteredAmount = async (cli: ReadContext, input: Input): Promise<void> => {
  const { amount_from, from_currency_symbol } = input;
  assertNone(await paidAmountErrors(cli, { amount_from, from_currency_symbol }));
  if (isChargeOnly(input)) assertNone(chargedAmountErrors(input));
};

/** Throws `invalid_input` for a yield operation with an amount that its token cannot have. */
export const checkYieldAmount = async (cli: ReadContext, input: Input): Promise<void> => {
  const asset = input['asset'] ?? input['symbol'] ?? input['token_mint'] ?? input['mint'];
  const message = await yieldAmountProblem(cli, String(input['amount']), String(asset));
  assertNone(message === undefined ? [] : [{ field: 'amount', message }]);
};
