import { networkFor } from '../../../chain/evm/network.ts';
import { evmAddressOf } from '../../../chain/evm/signing-key.ts';
import { type Client, call, dataOf } from '../../../client/call.ts';
import { openNode } from '../../../client/node.ts';
import { sandboxChainPath } from '../../../contract/chains.ts';
import { register } from '../../../contract/pay/register.ts';
import { market } from '../../../contract/quote/market.ts';
import { secret } from '../../../core/secret.ts';
import { type Paid, type PayRequest, runPayment } from '../../../flows/pay/run.ts';
import { statedByOptions } from '../../../flows/pay/status.ts';
import { newPrivateKey } from '../../../keystore/key.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { withOperation } from '../../operations/with-operation.ts';
import { PAYMENTS, printPaymentEvents, receiptOf } from '../pay/journal.ts';
import { planPayment } from '../pay/plan.ts';

const CHAIN = 'polygon';
const TOKEN = 'USDT';
const AMOUNT = '10';

/** The percentages sum to 100. */
const RECEIVERS = [
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
const payFrom = async (cli: CommandContext, client: Client, privateKey: Uint8Array, payer: string): Promise<Paid> => {
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
    runPayment(working, request, { address: payer, open: async () => privateKey }),
  );
};

const FUNDS = '25';

const launcher = () => import('../../../sandbox/launcher.ts');
type Address = Awaited<ReturnType<Awaited<ReturnType<typeof launcher>>['startSandbox']>>;

const clientOf = (cli: CommandContext, { url, api_key }: Address): Client => ({
  io: cli.io,
  service: { profile: 'sandbox', kind: 'sandbox', baseUrl: url, apiKey: secret(api_key) },
  deadline: cli.deadline,
  trace: cli.trace,
});

/** Reads token balances of wallets from the chain. */
const balanceReader = async (cli: CommandContext, sandbox: Address) => {
  const { control } = await import('../../../sandbox/control-client.ts');
  const { fund, readBalances } = await import('../../../contract/control/chains.ts');
  const call = control(cli.io, sandbox);
  const read = async (address: string) =>
    (await call(readBalances, { address, chain: CHAIN })).balances.find(({ symbol }) => symbol === TOKEN)?.amount;
  const fundPayer = (address: string) => call(fund, { address, chain: CHAIN, token: TOKEN, amount: FUNDS });
  return { fundPayer, readAll: (wallets: readonly string[]) => Promise.all(wallets.map(read)) };
};

/** Shows a quote, funds a new key, pays, and prints all balances before and after. */
const printDemo = async (cli: CommandContext, sandbox: Address): Promise<void> => {
  await cli.printNote(`The sandbox runs at ${sandbox.url}. No real money moves.`);
  const client = clientOf(cli, sandbox);
  const { price } = dataOf(market, 'quote_ok', await call(client, market, { from: 'BTC', to: TOKEN }));
  await cli.printNote(`Quote: 1 BTC is ${price} ${TOKEN}.`);

  const privateKey = newPrivateKey(cli.io.random);
  const payer = evmAddressOf(privateKey);
  const { fundPayer, readAll } = await balanceReader(cli, sandbox);
  await fundPayer(payer);
  await cli.printNote(`A temporary key, ${payer},\nhas ${FUNDS} ${TOKEN} on ${CHAIN}.`);

  const wallets = [payer, ...RECEIVERS.map((one) => one.receiver_wallet)];
  const before = await readAll(wallets);
  const paid = await payFrom(cli, client, privateKey, payer).finally(() => privateKey.fill(0));
  const after = await readAll(wallets);
  const balances = wallets.map((wallet, at) => ({ wallet, token: TOKEN, before: before[at], after: after[at] }));
  await cli.printCommitted({ ...receiptOf(paid, client.service), balances }, balances);
};

/** Stops the sandbox afterwards if it was not running before. */
const run = async (cli: CommandContext): Promise<void> => {
  const { sandboxStatus, startSandbox, stopSandbox } = await launcher();
  const wasRunning = (await sandboxStatus(cli.io)).running;
  try {
    await printDemo(cli, await cli.io.spin('Starting the sandbox', startSandbox(cli.io, {})));
  } finally {
    if (!wasRunning) await stopSandbox(cli.io);
  }
};

/** `demo`. */
export const demo: Command = {
  words: ['demo'],
  summary: 'Run a complete sample payment in the sandbox',
  about: ['Needs no account, no configuration and no network. Changes no settings, keys or real accounts.'],
  fails: ['sandbox_unavailable', 'unavailable', 'payment_failed', 'outcome_unknown'],
  examples: ['demo', 'demo --json'],
  run,
};
