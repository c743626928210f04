import type { PublicKey } from '@solana/web3.js';
import type { InputOf } from '../../contract/define.ts';
import type { rebalance as endpoint } from '../../contract/yield/rebalance.ts';
import { type ValidationResult, wrongField } from '../handlers/handler.ts';
import type { Services } from '../services.ts';
import type { Solana } from '../solana/solana.ts';
import { findToken } from '../solana/tokens.ts';
import { buildOperation, depositLeg, type Leg, validateWithdrawal } from './operation.ts';
import { combine, validateAmount, validateChain, validateProvider, validateToken, validateWallet } from './position.ts';
import { sharePrice, sharesFor } from './rates.ts';

/** The documented input, with all aliases of its fields. */
export type RebalanceFields = InputOf<typeof endpoint>;

/** An unsigned rebalance. Assumption: the mode and the field of a rebalance in two transactions. */
export type BuiltRebalance =
  | { readonly mode: 'single_transaction'; readonly transaction: string }
  | { readonly mode: 'dual_transaction'; readonly transactions: readonly [string, string] };

/** Returns the first of the alias names that the request has, and its value. */
const readAlias = (fields: RebalanceFields, names: readonly (keyof RebalanceFields)[]): readonly [string, string] => {
  const found = names.find((name) => fields[name] !== undefined && fields[name] !== '');
  return [found ?? names[0] ?? '', String(found ? fields[found] : '')];
};

/** Checks that all aliases of a field have the same value. A symbol and its mint count as the same. */
const validateAliases = (
  fields: RebalanceFields,
  names: readonly (keyof RebalanceFields)[],
): ValidationResult<undefined> => {
  const values = names.flatMap((name) => fields[name] ?? []);
  const meanings = new Set(values.map((value) => findToken(String(value))?.mint ?? value));
  if (meanings.size <= 1) return { ok: true, value: undefined };
  return wrongField(String(names[0]), `${names.join(', ')} have different values`);
};

const ASSET_NAMES = ['asset', 'symbol', 'token_mint', 'mint'] as const;
const WALLET_NAMES = ['wallet', 'signer'] as const;

const validate = async (services: Services, fields: RebalanceFields) => {
  const legs = combine(
    validateProvider(...readAlias(fields, ['provider_out', 'provider'])),
    validateProvider(...readAlias(fields, ['provider_in', 'provider'])),
  );
  const tokenAndWallet = combine(
    validateToken(...readAlias(fields, ASSET_NAMES)),
    validateWallet(...readAlias(fields, WALLET_NAMES)),
  );
  const aliases = combine(validateAliases(fields, ASSET_NAMES), validateAliases(fields, WALLET_NAMES));
  const validated = combine(
    combine(await validateChain(services, fields.chain_name), legs),
    combine(tokenAndWallet, aliases),
  );
  if (!validated.ok) return validated;
  const [[, [out, into]], [[token, owner]]] = validated.value;
  const units = validateAmount(fields.amount, token);
  return units.ok ? { ok: true as const, value: { out, into, token, owner, units: units.value } } : units;
};

/** Packs both legs into one transaction, or else into one each; `undefined` if even two transactions are too small. */
const packLegs = (solana: Solana, owner: PublicKey, out: Leg, into: Leg): BuiltRebalance | undefined => {
  // Both providers must use the same prices, so each transaction of a rebalance has the price reports of both.
  const markets = out.vault === into.vault ? [out.vault] : [out.vault, into.vault];
  const single = buildOperation(solana, owner, [out, into], markets);
  if (single !== undefined) return { mode: 'single_transaction', transaction: single };
  const first = buildOperation(solana, owner, [out], markets);
  const second = buildOperation(solana, owner, [into], markets);
  if (first === undefined || second === undefined) return undefined;
  return { mode: 'dual_transaction', transactions: [first, second] };
};

/** Builds an unsigned rebalance; the value is `undefined` if it is too large. Document: PATCH /yield/rebalance. */
export const buildRebalance = async (
  services: Services,
  fields: RebalanceFields,
): Promise<ValidationResult<BuiltRebalance | undefined>> => {
  const validated = await validate(services, fields);
  if (!validated.ok) return validated;
  const { out, into, token, owner, units } = validated.value;
  const solana = await services.solana();
  const withdrawal = await validateWithdrawal(services, { solana, vault: solana.vaultOf(out, token), owner }, units);
  if (!withdrawal.ok) return withdrawal;
  const vault = solana.vaultOf(into, token);
  const shares = sharesFor(vault, units, sharePrice(vault, services.clock.now()));
  const value = packLegs(solana, owner, withdrawal.value, depositLeg({ vault, owner, units, shares }, 0n));
  return { ok: true, value };
};
