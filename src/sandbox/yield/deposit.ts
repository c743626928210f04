import { divideDecimals, fromUnits, multiplyDecimals, toUnits } from '../../core/decimal.ts';
import { exactNumber } from '../../core/json.ts';
import { PLATFORM_FEE_PERCENT, WHITELABEL_FEE_PERCENT } from '../assumptions.ts';
import { type Judged, wrongField } from '../handlers/handler.ts';
import type { Services } from '../services.ts';
import type { SolanaToken } from '../solana/tokens.ts';
import {
  buildOperation,
  depositLeg,
  fillVault,
  type Holding,
  holdingOf,
  judgeOperation,
  type Leg,
  type OperationFields,
  type Position,
  sharesToBurn,
  withdrawLeg,
} from './operation.ts';
import { sharePrice, sharesFor } from './rates.ts';

/** A part of an amount, cut to a unit of the token. */
const percentOf = (units: bigint, percent: string, { decimals }: SolanaToken): bigint => {
  const part = multiplyDecimals(fromUnits(units, decimals), percent);
  return toUnits(divideDecimals(part, '100', decimals), decimals);
};

const amount = (units: bigint, { decimals }: SolanaToken) => exactNumber(fromUnits(units, decimals));

/** An unsigned deposit. The fees are part of the amount: the wallet pays exactly that. Document: POST /yield/deposit. */
export const buildDeposit = async (services: Services, fields: OperationFields & { readonly amount: string }) => {
  const judged = await judgeOperation(services, fields);
  if (!judged.ok) return judged;
  const { solana, vault, owner, units } = judged.value;
  const platform = percentOf(units, PLATFORM_FEE_PERCENT, vault.token);
  const whitelabel = percentOf(units, WHITELABEL_FEE_PERCENT, vault.token);
  const put = units - platform - whitelabel;
  const shares = sharesFor(vault, put, sharePrice(vault, services.clock.now()));
  const leg = depositLeg({ vault, owner, units: put, shares }, platform + whitelabel);
  const transaction = buildOperation(solana, owner, [leg], [vault]);
  if (transaction === undefined) throw new Error('a deposit does not fit a transaction');
  const value = {
    transaction,
    charged_platform_fee_amount: amount(platform, vault.token),
    charged_whitelabel_fee_amount: amount(whitelabel, vault.token),
    platform_fee_percentage_applied: exactNumber(PLATFORM_FEE_PERCENT),
    used_yield_platform_custom_fee: false,
  };
  return { ok: true, value } satisfies Judged<typeof value>;
};

const tooMuch = ({ vault: { token, provider } }: Position, { units }: Holding): Judged<never> => {
  const most = `${fromUnits(units, token.decimals)} ${token.symbol}`;
  return wrongField('amount', `is more than the ${most} that this wallet has with ${provider}`);
};

/** The leg that takes an amount out; wrong when the wallet has not so much there. */
export const judgeWithdrawal = async (services: Services, position: Position, units: bigint): Promise<Judged<Leg>> => {
  const { solana, vault, owner } = position;
  const holding = holdingOf(solana, vault, owner, services.clock.now());
  const shares = sharesToBurn(vault, holding, units);
  if (shares === undefined) return tooMuch(position, holding);
  await fillVault(solana, vault, units);
  return { ok: true, value: withdrawLeg({ vault, owner, units, shares }) };
};

/** An unsigned withdrawal. Document: POST /yield/withdraw. */
export const buildWithdrawal = async (
  services: Services,
  fields: OperationFields & { readonly amount: string },
): Promise<Judged<{ readonly transaction: string }>> => {
  const judged = await judgeOperation(services, fields);
  if (!judged.ok) return judged;
  const { solana, vault, owner, units } = judged.value;
  const leg = await judgeWithdrawal(services, judged.value, units);
  if (!leg.ok) return leg;
  const transaction = buildOperation(solana, owner, [leg.value], [vault]);
  if (transaction === undefined) throw new Error('a withdrawal does not fit a transaction');
  return { ok: true, value: { transaction } };
};
