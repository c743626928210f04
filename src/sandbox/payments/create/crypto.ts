import { splitUnits } from '../../../core/decimal.ts';
import { printJson } from '../../../core/json.ts';
import { CRYPTO_ONLY_DATA, NO_FIAT_TX, TRANSACTION_SOURCE } from '../../assumptions.ts';
import { removeCharge } from '../../ledger/charges.ts';
import { readDisabledChains } from '../../ledger/settings.ts';
import type { Services } from '../../services.ts';
import { judgeCrypto, type Order } from '../check-transaction.ts';
import { type Unsigned, unsignedFrom, writeUnsigned } from '../unsigned.ts';
import type { Input, Judge, Made } from './made.ts';

/** The shares of the receivers as one unsigned transaction, with the node's own nonce, gas and fees. */
const build = async (services: Services, { chain, payer, symbol, units, receivers }: Order): Promise<Unsigned> => {
  const shares = splitUnits(
    units,
    receivers.map(({ percent }) => percent),
  );
  const node = await services.node(chain.name);
  const built = await node.buildTransfer({
    from: payer,
    token: symbol === chain.coin ? undefined : symbol,
    amounts: receivers.map(({ wallet }, index) => ({ to: wallet, units: shares[index] ?? 0n })),
  });
  return unsignedFrom(chain.name, built);
};

const make = async (services: Services, input: Input, order: Order): Promise<Made> => {
  const unsigned = await build(services, order);
  return {
    change: {
      transaction_type: input.transaction_type,
      payer_email: input.payer_email,
      payer_wallet: order.payer,
      payer_token_symbol: order.symbol,
      payer_cpf: null,
      chain_name: order.chain.name,
      from_chain: order.chain.name,
      unsigned_tx: writeUnsigned(unsigned),
      global_payment_data: printJson(CRYPTO_ONLY_DATA),
    },
    also: (step) => removeCharge(step, input.payment_id),
    crypto_tx: { ...unsigned, meta: { source: TRANSACTION_SOURCE } },
    fiat_tx: NO_FIAT_TX,
  };
};

/** A payment whose payer signs. */
export const judgeCryptoPayment: Judge = async (services, row, input) => {
  const judged = await judgeCrypto(row, input, await readDisabledChains(await services.ledger()));
  return judged.ok ? { ok: true, make: () => make(services, input, judged.order) } : judged;
};
