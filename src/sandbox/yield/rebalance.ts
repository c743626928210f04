import type { PublicKey } from '@solana/web3.js';
import type { InputOf } from '../../contract/define.ts';
import type { rebalance as endpoint } from '../../contract/yield/rebalance.ts';
import { type ValidationResult, wrongField } from '../handlers/handler.ts';
import type { Services } from '../services.ts';
import type { Solana } from '../solana/solana.ts';
import { findToken } from '../solana/tokens.ts';
import { buildOperation, depositLeg, type Leg, validateWithdrawal } from './operation.ts';
import { both, validateAmount, validateChain, validateProvider, validateToken, validateWallet } from './position.ts';
import { sharePrice, sharesFor } from './rates.ts';

/** The documented input, every other name of a field among it. */
export type RebalanceFields = InputOf<typeof endpoint>;

/** How a rebalance is built. Assumption: the mode and the field of a rebalance in two transactions. */
export type BuiltRebalance =
  | { readonly mode: 'single_transaction'; readonly transaction: string }
  | { readonly mode: 'dual_transaction'; readonly transactions: readonly [string, string] };

/** The requested amount: the first of its names that is given, and its value. */
const given = (fields: RebalanceFields, names: readonly (keyof RebalanceFields)[]): readonly [string, string] => {
  const found = names.find((name) => fields[name] !== undefined && fields[name] !== '');
  return [found ?? names[0] ?? '', String(found ? fields[found] : '')];
};

/** Names of one thing that say different things. */
const validateAliases = (
  fields: RebalanceFields,
  names: readonly (keyof RebalanceFields)[],
): ValidationResult<undefined> => {
  const values = names.flatMap((name) => fields[name] ?? []);
  const meanings = new Set(values.map((value) => findToken(String(value))?.mint ?? value));
  if (meanings.size <= 1) return { ok: true, value: undefined };
  return wrongField(String(names[0]), `${names.join(', ')} say different things`);
};

const ASSET_NAMES = ['asset', 'symbol', 'token_mint', 'mint'] as const;
const WALLET_NAMES = ['wallet', 'signer'] as const;

const validate = async (services: Services, fields: RebalanceFields) => {
  const legs = both(
    validateProvider(...given(fields, ['provider_out', 'provider'])),
    validateProvider(...given(fields, ['provider_in', 'provider'])),
  );
  const what = both(validateToken(...given(fields, ASSET_NAMES)), validateWallet(...given(fields, WALLET_NAMES)));
  const aliases = both(validateAliases(fields, ASSET_NAMES), validateAliases(fields, WALLET_NAMES));
  const validated = both(both(await validateChain(services, fields.chain_name), legs), both(what, aliases));
  if (!validated.ok) return validated;
  const [[, [out, into]], [[token, owner]]] = validated.value;
  const units = validateAmount(fields.amount, token);
  return units.ok ? { ok: true as const, value: { out, into, token, owner, units: units.value } } : units;
};

/** Both legs in one transaction, or else one each, in this order; `undefined` when even that does not fit. */
const packed = (solana: Solana, owner: PublicKey, out: Leg, into: Leg): BuiltRebalance | undefined => {
  // Both sides must agree on the value: each transaction of a rebalance carries both price reports.
  const markets = out.vault === into.vault ? [out.vault] : [out.vault, into.vault];
  const single = buildOperation(solana, owner, [out, into], markets);
  if (single !== undefined) return { mode: 'single_transaction', transaction: single };
  const first = buildOperation(solana, owner, [out], markets);
  const second = buildOperation(solana, owner, [into], markets);
  if (first === undefined || second === undefined) return undefined;
  return { mode: 'dual_transaction', transactions: [first, second] };
};

/** An unsigned move between providers; `undefined` when it does not fit. Document: PATCH /yield/rebalance. */
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
  const value = packed(solana, owner, withdrawal.value, depositLeg({ vault, owner, units, shares }, 0n));
  return { ok: true, value };
};
