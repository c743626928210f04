import { evmAddressOf } from '../../../chain/evm/address.ts';
import { type Client, call, dataOf } from '../../../client/call.ts';
import { market } from '../../../contract/quote/market.ts';
import { secret } from '../../../core/secret.ts';
import { newPrivateKey } from '../../../keystore/key.ts';
import type { Command } from '../../command/command.ts';
import type { CommandContext } from '../../context/context.ts';
import { receiptOf } from '../pay/show.ts';
import { CHAIN, payFrom, RECEIVERS, TOKEN } from './payment.ts';

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
  const [{ control }, { fund, readBalances }] = await Promise.all([
    import('../../../sandbox/control-client.ts'),
    import('../../../contract/control/chains.ts'),
  ]);
  const call = control(cli.io, sandbox);
  const read = async (address: string) =>
    (await call(readBalances, { address, chain: CHAIN })).balances.find(({ symbol }) => symbol === TOKEN)?.amount;
  const fundPayer = (address: string) => call(fund, { address, chain: CHAIN, token: TOKEN, amount: FUNDS });
  return { fundPayer, readAll: (wallets: readonly string[]) => Promise.all(wallets.map(read)) };
};

/** Shows a quote, funds a new key, pays, and prints all balances before and after. */
const printDemo = async (cli: CommandContext, sandbox: Address): Promise<void> => {
  await cli.say(`The sandbox runs at ${sandbox.url}. No real money moves.`);
  const client = clientOf(cli, sandbox);
  const { price } = dataOf(market, 'quote_ok', await call(client, market, { from: 'BTC', to: TOKEN }));
  await cli.say(`Quote: 1 BTC is ${price} ${TOKEN}.`);

  const privateKey = newPrivateKey(cli.io.random);
  const payer = evmAddressOf(privateKey);
  const { fundPayer, readAll } = await balanceReader(cli, sandbox);
  await fundPayer(payer);
  await cli.say(`A temporary key, ${payer},\nhas ${FUNDS} ${TOKEN} on ${CHAIN}.`);

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
