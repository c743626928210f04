import { networkFor } from '../../../chain/evm/network.ts';
import { evmAddressOf } from '../../../chain/evm/signing-key.ts';
import { type Client, call, dataOf } from '../../../client/call.ts';
import { openNode } from '../../../client/node.ts';
import { sandboxChainPath } from '../../../contract/chains.ts';
import { register } from '../../../contract/pay/register.ts';
import { market } from '../../../contract/quote/market.ts';
import { amended, Failure, interrupted } from '../../../core/failure.ts';
import { commandLine, nextStep, withOptions } from '../../../core/next.ts';
import { secret } from '../../../core/secret.ts';
import type { PayEvent } from '../../../flows/pay/context.ts';
import { type Paid, type PayRequest, runPayment } from '../../../flows/pay/run.ts';
import { statedByOptions } from '../../../flows/pay/status.ts';
import type { Io } from '../../../io/io.ts';
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
  return planPayment(
    { ...payment, transaction_type: 'crypto', payer_email: 'demo@example.com' },
    { name: 'the temporary key', address: payer },
    [],
  );
};

/** Pays from a temporary key and prints each step. */
const payFrom = async (cli: CommandContext, client: Client, privateKey: Uint8Array, payer: string): Promise<Paid> => {
  const { profile, kind, baseUrl } = client.service;
  const request = requestFor(payer);
  const stating = statedByOptions(request.intent, undefined);
  const print = printPaymentEvents(cli, true);
  const context = {
    client,
    network: networkFor(kind),
    overrides: {},
    stating,
    node: openNode(cli.io, baseUrl + sandboxChainPath(CHAIN), client, { batches: true }),
    approve: async () => true,
    // The payment page ends with the sandbox of the demo.
    on: (event: PayEvent) => print(event.kind === 'created' ? { ...event, page: undefined } : event),
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
  await cli.printNote(`A sandbox for this demo runs at ${sandbox.url}.\nNo real money moves.`);
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
  await cli.printCommitted({ ...receiptOf(paid, client.service), balances, next: nextCommand(cli.io) }, balances);
};

/**
 * The command of the user's own first payment, in the sandbox of the user's own home. npm names its script: `npm run demo`
 * runs in a checkout, where `bursar` need not be installed.
 */
const nextCommand = ({ env }: Io): string => {
  const { argv, ...step } = withOptions(nextStep('pay.run'), ['--profile', 'sandbox']);
  const program = env['npm_lifecycle_event'] === 'demo' ? ['node', 'bin/bursar.js'] : argv.slice(0, 1);
  return commandLine({ ...step, argv: [...program, ...argv.slice(1)] });
};

const CLEAN = 'The demo stopped its sandbox and removed its files.';

/** A failure without the operations of the home, which is gone. */
const withoutHome = ({ io }: CommandContext, { code, sentence, details: { status, http, hint } }: Failure): Failure => {
  if (io.interrupted.aborted) return interrupted({ hint: CLEAN });
  const next = nextStep(code === 'sandbox_unavailable' ? 'sandbox.start' : 'doctor');
  return new Failure(code, sentence, { status, http, hint, next });
};

/** Runs in a home of its own, so that neither the user's files nor a running sandbox is touched. */
const run = async (cli: CommandContext): Promise<void> => {
  const { startSandbox } = await launcher();
  const { inThrowawayHome } = await import('../../../sandbox/throwaway.ts');
  const work = inThrowawayHome(cli.io, async (io) => {
    const sandbox = await io.spin('Starting the sandbox', startSandbox(io, { ephemeral: true }));
    await printDemo({ ...cli, io, interruptSummaries: new Set() }, sandbox);
  });
  await work.catch(amended((failure) => withoutHome(cli, failure)));
  await cli.printNote(CLEAN);
  await cli.printNote('To make a payment of your own in the sandbox, by questions:');
  await cli.printNote(`next: ${nextCommand(cli.io)}`);
};

/** `demo`. */
export const demo: Command = {
  words: ['demo'],
  summary: 'Run a complete sample payment in the sandbox',
  about: [
    'Needs no account, no configuration and no network. Runs in a temporary home with a sandbox of its own.',
    'At the end, also after Ctrl-C, the sandbox is stopped and the home is removed.',
  ],
  fails: ['sandbox_unavailable', 'unavailable', 'payment_failed', 'outcome_unknown'],
  examples: ['demo', 'demo --json'],
  interruptGraceMs: 16_000,
  run,
};
