import { fromUnits } from '../../core/decimal.ts';
import type { Services } from '../services.ts';
import { buildOperation } from './build.ts';
import { fillVault, type Holding, holdingOf, sharesToBurn } from './holding.ts';
import type { Judged } from './judge.ts';
import { type Leg, withdrawLeg } from './legs.ts';
import { judgeOperation, type OperationFields, type Position } from './operation.ts';

const tooMuch = ({ vault }: Position, { units }: Holding): Judged<never> => ({
  ok: false,
  errors: [
    {
      field: 'amount',
      message: `is more than the ${fromUnits(units, vault.token.decimals)} ${vault.token.symbol} that this wallet has with ${vault.provider}`,
    },
  ],
});

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
