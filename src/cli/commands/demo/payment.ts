import { networkFor } from '../../../chain/evm/network.ts';
import type { Client } from '../../../client/call.ts';
import { openNode } from '../../../client/node.ts';
import { sandboxChainPath } from '../../../contract/chains.ts';
import { register } from '../../../contract/pay/register.ts';
import { type Paid, type PayRequest, runPayment } from '../../../flows/pay/run.ts';
import { statedByOptions } from '../../../flows/pay/status.ts';
import type { CommandContext } from '../../context/context.ts';
import { withOperation } from '../../operations/with-operation.ts';
import { PAYMENTS } from '../pay/journal.ts';
import { planPayment } from '../pay/plan.ts';
import { printPaymentEvents } from '../pay/show.ts';

export const CHAIN = 'polygon';
export const TOKEN = 'USDT';
const AMOUNT = '10';

/** The percentages sum to 100. */
export const RECEIVERS = [
  { receiver_wallet: '0x1111111111111111111111111111111111111111', receiver_percent: 70 },
  { receiver_wallet: '0x2222222222222222222222222222222222222222', receiver_percent: 30 },
] as const;

const requestFor = (payer: string): PayRequest => {
  const payment = {
    ...register.example,
    split_payment_config: RECEIVERS,
    from_currency_symbol: TOKEN,
    amount_from: AMOUNT,
    to_currency_symbol: TOKEN,
    to_chain: CHAIN,
  };
  return planPayment({ ...payment, transaction_type: 'crypto', payer_email: 'demo@example.com' }, payer, []);
};

/** Pays from a temporary key and prints each step. */
export const payFrom = async (
  cli: CommandContext,
  client: Client,
  privateKey: Uint8Array,
  payer: string,
): Promise<Paid> => {
  const { profile, kind, baseUrl } = client.service;
  const request = requestFor(payer);
  const stating = statedByOptions(request.intent, undefined);
  const context = {
    client,
    network: networkFor(kind),
    overrides: {},
    stating,
    node: openNode(cli.io, baseUrl + sandboxChainPath(CHAIN), client, { batches: true }),
    approve: async () => true,
    on: printPaymentEvents(cli, true),
  };
  const beginning = { profile, kind, baseUrl, intent: request.intent, stated: stating.statement };
  return withOperation(cli, { area: PAYMENTS, start: async () => ({ beginning, context }) }, (working) =>
    runPayment(working, request, { privateKey, address: payer }),
  );
};
