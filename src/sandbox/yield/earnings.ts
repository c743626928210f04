import { fromUnits } from '../../core/decimal.ts';
import { exactNumber } from '../../core/json.ts';
import type { Services } from '../services.ts';
import { holdingOf } from './holding.ts';
import { judgePosition, type OperationFields } from './operation.ts';
import { PRICE_ONE } from './rates.ts';

const PRICE_DIGITS = PRICE_ONE.toString().length - 1;

/** What a wallet has with a provider, as it is worth now. Document: Earnings entry. */
export const readEarnings = async (services: Services, fields: OperationFields) => {
  const judged = await judgePosition(services, fields);
  if (!judged.ok) return judged;
  const { solana, vault, owner } = judged.value;
  const { shares, price, units } = holdingOf(solana, vault, owner, services.clock.now());
  const value = {
    provider: vault.provider,
    asset: vault.token.symbol,
    wallet: owner.toBase58(),
    chain_name: fields.chain_name,
    position_on_protocol: exactNumber(fromUnits(units, vault.token.decimals)),
    earnings_status: 'ok',
    earnings_details: { shares: fromUnits(shares, vault.shareDecimals), share_price: fromUnits(price, PRICE_DIGITS) },
  };
  return { ok: true as const, value };
};
