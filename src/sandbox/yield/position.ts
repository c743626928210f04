import { PublicKey } from '@solana/web3.js';
import { SOLANA } from '../../contract/chains.ts';
import { PROVIDERS } from '../../contract/yield/providers.ts';
import { fromUnits, plainDecimal, toUnits } from '../../core/decimal.ts';
import { messageOf } from '../../core/failure.ts';
import { exactNumber } from '../../core/json.ts';
import { EARNINGS_LOOKUP_FAILED } from '../assumptions.ts';
import { type ValidationResult, wrongField } from '../handlers/handler.ts';
import { describeError, log } from '../log.ts';
import type { Services } from '../services.ts';
import { lentPositionOf, sharesIn } from '../solana/instructions.ts';
import type { Solana } from '../solana/solana.ts';
import { findToken, isSolanaKey, type Provider, type SolanaToken, tokensOf, type Vault } from '../solana/tokens.ts';
import { PRICE_ONE, sharePrice, unitsOf } from './rates.ts';
import { isOff } from './strategies.ts';

const valid = <T>(value: T): ValidationResult<T> => ({ ok: true, value });

/** Combines two results: both values, or the errors of both. */
export const combine = <A, B>(a: ValidationResult<A>, b: ValidationResult<B>): ValidationResult<readonly [A, B]> => {
  if (a.ok && b.ok) return valid([a.value, b.value]);
  return { ok: false, errors: [a, b].flatMap((each) => (each.ok ? [] : each.errors)) };
};

/** Finds a provider by its name. `field` is the name of the request's field. */
export const validateProvider = (field: string, name: string): ValidationResult<Provider> => {
  const found = PROVIDERS.find((provider) => provider === name);
  return found ? valid(found) : wrongField(field, `must be ${PROVIDERS.join(' or ')}`);
};

/** Checks that the chain is Solana and not switched off. Document: "a chain that is not valid or not enabled". */
export const validateChain = async (services: Services, name: string): Promise<ValidationResult<typeof SOLANA>> => {
  if (name !== SOLANA) return wrongField('chain_name', `must be ${SOLANA}`);
  return (await isOff(services, SOLANA)) ? wrongField('chain_name', `${SOLANA} is switched off`) : valid(SOLANA);
};

/** Finds a token by its symbol or mint. `field` is the name of the request's field. */
export const validateToken = (field: string, name: string): ValidationResult<SolanaToken> => {
  const found = findToken(name);
  return found ? valid(found) : wrongField(field, `no provider supports ${name.slice(0, 50)}`);
};

/** Reads a wallet's address in base58. `field` is the name of the request's field. */
export const validateWallet = (field: string, text: string): ValidationResult<PublicKey> =>
  isSolanaKey(text) ? valid(new PublicKey(text)) : wrongField(field, 'must be a Solana public key');

const MAX_UNITS = 2n ** 63n;

/** Converts an amount to the smallest units of its token. */
export const validateAmount = (text: string, { decimals, symbol }: SolanaToken): ValidationResult<bigint> => {
  try {
    const units = toUnits(plainDecimal(text) ?? text, decimals);
    if (units === 0n) return wrongField('amount', 'must be more than zero');
    return units < MAX_UNITS ? valid(units) : wrongField('amount', `is too large an amount of ${symbol}`);
  } catch (error) {
    return wrongField('amount', messageOf(error));
  }
};

/** The common fields of deposits and withdrawals. */
export type OperationFields = Readonly<Record<'provider' | 'chain_name' | 'asset' | 'wallet', string>>;

/** A wallet and a vault. */
export type Position = { readonly solana: Solana; readonly vault: Vault; readonly owner: PublicKey };

/** Reads the position of a request, or returns the errors of all wrong fields. */
export const validatePosition = async (
  services: Services,
  fields: OperationFields,
): Promise<ValidationResult<Position>> => {
  const market = combine(
    await validateChain(services, fields.chain_name),
    validateProvider('provider', fields.provider),
  );
  const tokenAndWallet = combine(validateToken('asset', fields.asset), validateWallet('wallet', fields.wallet));
  const validated = combine(market, tokenAndWallet);
  if (!validated.ok) return validated;
  const [[, provider], [token, owner]] = validated.value;
  const solana = await services.solana();
  return { ok: true, value: { solana, vault: solana.vaultOf(provider, token), owner } };
};

/** Like `validatePosition`, and adds the amount in the smallest units of the token. */
export const validateOperation = async (
  services: Services,
  fields: OperationFields & { readonly amount: string },
): Promise<ValidationResult<Position & { readonly units: bigint }>> => {
  const validated = await validatePosition(services, fields);
  if (!validated.ok) return validated;
  const amount = validateAmount(fields.amount, validated.value.vault.token);
  return amount.ok ? { ok: true, value: { ...validated.value, units: amount.value } } : amount;
};

/** The size of a position on the chain, in the smallest units. `units` is the value of the shares in the token. */
export type Holding = Readonly<Record<'shares' | 'price' | 'units', bigint>>;

/** The shares of a wallet: tokens of the share mint, or the number in the lending program's account. */
const sharesOf = ({ chain }: Solana, { shareMint, token }: Vault, owner: PublicKey): bigint => {
  if (shareMint !== undefined) return tokensOf(chain, owner.toBase58(), shareMint);
  const [position] = lentPositionOf(owner, new PublicKey(token.mint));
  return sharesIn(chain.account(position.toBase58()));
};

/** A wallet's position in a vault at a time; an empty position is all zeros. */
export const holdingOf = (solana: Solana, vault: Vault, owner: PublicKey, nowMs: number): Holding => {
  const shares = sharesOf(solana, vault, owner);
  const price = sharePrice(vault, nowMs);
  return { shares, price, units: unitsOf(vault, shares, price) };
};

/** Like `holdingOf`, for a valid address in base58. */
export const holdingOfWallet = (solana: Solana, vault: Vault, wallet: string, nowMs: number): Holding =>
  holdingOf(solana, vault, new PublicKey(wallet), nowMs);

const PRICE_DIGITS = PRICE_ONE.toString().length - 1;

const FAILED = { position_on_protocol: 0, earnings_status: EARNINGS_LOOKUP_FAILED, earnings_details: null };

const lookUp = ({ solana, vault, owner }: Position, now: number) => {
  const { shares, price, units } = holdingOf(solana, vault, owner, now);
  return {
    position_on_protocol: exactNumber(fromUnits(units, vault.token.decimals)),
    earnings_status: 'ok',
    earnings_details: { shares: fromUnits(shares, vault.shareDecimals), share_price: fromUnits(price, PRICE_DIGITS) },
  };
};

const lookUpOrFail = async (services: Services, position: Position, isBroken: boolean) => {
  if (isBroken) return FAILED;
  try {
    return lookUp(position, services.clock.now());
  } catch (error) {
    await log(services.io, `a position could not be read: ${describeError(error)}`);
    return FAILED;
  }
};

/** A wallet's position with a provider, and its current value. `isBroken`: a fault makes it fail. Document: Earnings entry. */
export const readEarnings = async (services: Services, fields: OperationFields, isBroken: boolean) => {
  const validated = await validatePosition(services, fields);
  if (!validated.ok) return validated;
  const { vault, owner } = validated.value;
  const value = {
    provider: vault.provider,
    asset: vault.token.symbol,
    wallet: owner.toBase58(),
    chain_name: fields.chain_name,
    ...(await lookUpOrFail(services, validated.value, isBroken)),
  };
  return { ok: true as const, value };
};
