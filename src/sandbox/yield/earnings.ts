import { fromUnits } from '../../core/decimal.ts';
import { exactNumber } from '../../core/json.ts';
import { EARNINGS_LOOKUP_FAILED } from '../assumptions.ts';
import { describeError, log } from '../log.ts';
import type { Services } from '../services.ts';
import { holdingOf, judgePosition, type OperationFields, type Position } from './operation.ts';
import { PRICE_ONE } from './rates.ts';

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

/** A wallet's position with a provider and its present value. `isBroken`: the look-up fails. Document: Earnings entry. */
export const readEarnings = async (services: Services, fields: OperationFields, isBroken: boolean) => {
  const judged = await judgePosition(services, fields);
  if (!judged.ok) return judged;
  const { vault, owner } = judged.value;
  const value = {
    provider: vault.provider,
    asset: vault.token.symbol,
    wallet: owner.toBase58(),
    chain_name: fields.chain_name,
    ...(await lookUpOrFail(services, judged.value, isBroken)),
  };
  return { ok: true as const, value };
};
