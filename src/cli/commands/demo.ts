import { evmAddressOf } from '../../chain/evm/address.ts';
import { networkFor } from '../../chain/registry.ts';
import type { Client } from '../../client/call.ts';
import { call } from '../../client/call.ts';
import { register } from '../../contract/pay/register.ts';
import { market } from '../../contract/quote/market.ts';
import { secret } from '../../core/secret.ts';
import { type Paid, type PayRequest, runPayment } from '../../flows/pay/run.ts';
import { beginMovement } from '../../journal/movement.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import { planPayment } from './pay/plan.ts';
import { receiptOf } from './pay/receipt.ts';
import { sayEvents } from './pay/show.ts';

const CHAIN = 'polygon';
const TOKEN = 'USDT';
const AMOUNT = '10';
const FUNDS = '25';
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

const runWith = async (cli: Cli, client: Client, privateKey: Uint8Array, payer: string): Promise<Paid> => {
  const { profile, kind, baseUrl } = client.service;
  const request = requestFor(payer);
  const movement = await beginMovement(cli.io, { profile, kind, baseUrl, intent: request.intent });
  const context = {
    client,
    network: networkFor(kind),
    movement,
    overrides: {},
    approve: async () => true,
    on: sayEvents(cli, true),
  };
  return runPayment(context, request, { privateKey, address: payer });
};

/** What the demo reads of the sandbox's control. */
type Balances = (address: string, chain: string) => Promise<{ readonly balances: readonly Balance[] }>;
type Balance = { readonly symbol: string; readonly amount: string };

const balanceOf = async (read: Balances, address: string): Promise<string | undefined> =>
  (await read(address, CHAIN)).balances.find(({ symbol }) => symbol === TOKEN)?.amount;

/** The quote, the key, its funds, the payment, and what everybody has on the chain before and after. */
const act = async (cli: Cli): Promise<void> => {
  const { io } = cli;
  const { startSandbox } = await import('../../sandbox/launcher.ts');
  const { control } = await import('../../sandbox/control-client.ts');
  const sandbox = await io.spin('Starting the sandbox', startSandbox(io, {}));
  const service = {
    profile: 'sandbox',
    kind: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: secret(sandbox.api_key),
  } as const;
  const client: Client = { io, service, deadline: io.clock.monotonic() + cli.globals.timeoutMs };
  await cli.say(`The sandbox answers on ${sandbox.url}. No real money moves.`);

  const quote = await call(client, market, { from: 'BTC', to: TOKEN });
  await cli.say(`Quote: 1 BTC is ${String((quote.data as { price?: unknown }).price)} ${TOKEN}.`);

  const privateKey = io.random.bytes(32);
  const payer = evmAddressOf(privateKey);
  await control(io, sandbox).fund({ address: payer, chain: CHAIN, token: TOKEN, amount: FUNDS });
  await cli.say(`A throwaway key, ${payer}, has ${FUNDS} ${TOKEN} on ${CHAIN}.`);

  const wallets = {
    payer,
    ...Object.fromEntries(RECEIVERS.map((one, at) => [`receiver ${at + 1}`, one.receiver_wallet])),
  };
  const balances = () =>
    Promise.all(Object.values(wallets).map((address) => balanceOf(control(io, sandbox).balances, address)));
  const before = await balances();
  const paid = await runWith(cli, client, privateKey, payer);
  privateKey.fill(0);
  const after = await balances();
  const rows = Object.entries(wallets).map(([who, wallet], at) => ({
    who,
    wallet,
    token: TOKEN,
    before: before[at],
    after: after[at],
  }));
  await cli.answer({ ...receiptOf(paid, service), balances: rows }, rows);
};

export const demo: Leaf = {
  words: ['demo'],
  summary: 'Take a payment in the sandbox, from registration to the chain',
  about: ['Needs no account, no configuration and no network. Whatever else is configured is left alone.'],
  examples: ['demo', 'demo --json'],
  run: act,
};
