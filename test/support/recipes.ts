import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '../../src/cli/command/command.ts';
import { EXAMPLE_ORDER_ID } from '../../src/contract/order/shared.ts';
import { openStore } from '../../src/webhook/open-store.ts';
import type { Ended } from './bursar.ts';
import { newEvmKey, newSolanaKey, SANDBOX_ENV } from './cheap-key.ts';
import { runInProcess } from './in-process.ts';
import { ioAt } from './io.ts';
import { PAYMENT } from './journey.ts';
import { newDatabase } from './postgres.ts';
import { register } from './prepared-payment.ts';
import { envelope, raw, startServer } from './server.ts';
import { startYieldJourney, type YieldJourney } from './yield-journey.ts';

/** A whole command line that succeeds. */
export type Line = {
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** Makes a line. Each call prepares a new object to work on, if the command changes something. */
type Recipe = (world: World) => Line | Promise<Line>;

/** A home in which every command has something to work on. */
export type World = Omit<YieldJourney, 'end'> & {
  readonly end: () => Promise<void>;
  /** A new name that begins with `prefix`. */
  readonly fresh: (prefix: string) => string;
  /** Runs a command of the built program in the process of the test. */
  readonly here: (line: Line, env?: Readonly<Record<string, string>>) => Promise<Ended>;
  /** The same with --json. Returns the data; throws the output of a failure. */
  readonly data: (...args: readonly string[]) => Promise<Record<string, never>>;
  /** Writes a text to a new file. Returns its path. */
  readonly file: (text: string) => Promise<string>;
  readonly paymentId: string;
  readonly orderId: string;
};

const ORDER = [
  '--from-currency-symbol',
  'BRL',
  '--amount-from',
  '5',
  '--to-currency-symbol',
  'USDT',
  '--allow',
  'crypto',
];

/** A file of one payment of 1 USDT. */
const ROWS = [
  'id,amount_from,from_currency_symbol,to_currency_symbol,to_chain,split,payer_email,public_client_id,webhook_url',
  `row-1,1,USDT,USDT,polygon,0x${'1'.repeat(40)}=100,payer@example.com,client_${'0'.repeat(32)},https://shop.example/hook`,
].join('\n');

/** Starts a home with a sandbox, funded keys, a payment, an order and a deposit. */
export const startWorld = async (): Promise<World> => {
  const journey = await startYieldJourney();
  let count = 0;
  const fresh = (prefix: string): string => {
    count += 1;
    return `${prefix}-${count}`;
  };
  const here: World['here'] = ({ args, stdin = '', env: own }, env) =>
    runInProcess(journey.home, args, { env: { ...SANDBOX_ENV, ...own, ...env }, stdin });
  const data: World['data'] = async (...args) => {
    const { code, stdout, stderr } = await here({ args: [...args, '--json'] });
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
    return JSON.parse(stdout);
  };
  const file = async (text: string) => {
    const path = join(await mkdtemp(join(journey.home, 'file-')), 'given');
    await writeFile(path, text, { mode: 0o600 });
    return path;
  };
  const body = await file(JSON.stringify(PAYMENT));
  const registered = await data('pay', 'register', '--body', body);
  const order = await data('order', 'create', ...ORDER);
  await data('pay', 'run', '--body', body, '--key', 'payer', '--yes');
  await data('yield', 'deposit', ...OPERATION, '--provider', 'provider_a', '--key', 'saver', '--broadcast', '--yes');
  const ids = { paymentId: registered['payment_id'] ?? '', orderId: order['order_id'] ?? '' };
  return { ...journey, fresh, here, data, file, ...ids };
};

const OPERATION = ['--chain-name', 'solana', '--asset', 'USDC', '--amount', '5'];

/** The options that state the deposit of `OPERATION`. */
const DEPOSITED = ['--kind', 'deposit', ...OPERATION, '--provider', 'provider_a'];

const line =
  (...args: readonly string[]): Recipe =>
  () => ({ args });

const paymentFile = ({ file }: World) => file(JSON.stringify(PAYMENT));

const registerPayment = ({ ask }: World): Promise<string> => register(ask, PAYMENT);

const transactionOf = (world: World, id: string): readonly string[] => [
  ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
  ...['--payer-wallet', world.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
];

const createTransaction = async (world: World): Promise<{ id: string; unsigned: string }> => {
  const id = await registerPayment(world);
  const data = await world.data(...transactionOf(world, id));
  return { id, unsigned: await world.file(JSON.stringify(data['crypto_tx'])) };
};

const newestOperation = async (world: World, area: string): Promise<string> =>
  ((await world.data(area, 'list')) as unknown as readonly { movement: string }[])[0]?.movement ?? '';

const newKey = async (world: World): Promise<string> => {
  const name = world.fresh('key');
  await newSolanaKey(world.home, name);
  return name;
};

const newUser = async (world: World): Promise<string> => {
  const address = `${world.fresh('user')}@example.com`;
  await world.ask('POST', '/kyc/prepare', { email: address });
  return address;
};

const sendCode = async ({ ask }: World, address: string): Promise<string> => {
  await ask('POST', '/security/email/send-otp', { email: address });
  const { emails } = await ask('GET', `/_sandbox/inbox?to=${address}`);
  return (emails as readonly { readonly code: string }[])[0]?.code ?? '';
};

const newVerifiedUser = async (world: World): Promise<string> => {
  const address = await newUser(world);
  await world.ask('POST', '/security/email/verify-otp', { email: address, code: await sendCode(world, address) });
  return address;
};

const newProfile = async (world: World): Promise<string> => {
  const name = world.fresh('profile');
  await world.data('profile', 'set', name, 'base_url=https://api.example.com');
  return name;
};

/** Registers a payment in BRL and creates its Pix or card transaction. Returns the payment id. */
const newFiatPayment = async (world: World, transaction: object): Promise<string> => {
  const methods = { ...PAYMENT.payment_method_allowed, pixcrypto: true, cardcrypto: true };
  const order = { executor_id: 'order_transaction', from_currency_symbol: 'BRL', amount_from: '100' };
  const payment_id = await register(world.ask, { ...PAYMENT, ...order, payment_method_allowed: methods });
  const fields = { payment_id, payer_email: 'payer@example.com', ...transaction };
  await world.ask('POST', '/payment/register/intents-create-transaction', fields);
  return payment_id;
};

/** Stores a webhook in a home, and returns its id. */
const newDelivery = async (home: string): Promise<string> => {
  const { io } = ioAt(home);
  // No receiver of this home runs, and no claim is that of an ended process.
  const processes = { ...io.processes, liveness: async () => 'alive' as const };
  const store = await openStore({ ...io, processes });
  const body = new TextEncoder().encode('{"event":"payment.status_changed","data":{"id":"pay_1","status":"success"}}');
  const [stored] = await store.add([{ method: 'POST', path: '/', headers: {}, body }]);
  return stored?.id ?? '';
};

const PIX = { transaction_type: 'pixcrypto', payer_cpf: '52998224725' };

const CARD = {
  ...{ transaction_type: 'cardcrypto', payer_name: 'Ana Souza', payer_document: '52998224725' },
  ...{ payer_document_type: 'CPF', payer_ip: '203.0.113.7', session_id: 'session_1' },
  card_data: {
    ...{ installments: 1, statement_descriptor: 'SHOP', card_token: 'tok_pending' },
    address: {
      ...{ country: 'BR', state: 'SP', city: 'Sao Paulo', neighborhood: 'Centro' },
      ...{ street: 'Rua A', street_number: '1', zipcode: '01001000' },
    },
  },
};

const walletProof = async (world: World): Promise<readonly string[]> => {
  const { message } = await world.data('kyc', 'challenge', '--wallet', world.address);
  const text = String(message);
  const { signature } = await world.data('key', 'sign-message', 'payer', '--message', text);
  return ['--wallet', world.address, '--message', text, '--signed-bytes', String(signature)];
};

const buildDeposit = async (world: World): Promise<string> => {
  const options = [...OPERATION, '--provider', 'provider_a', '--wallet', world.wallet];
  return world.file(JSON.stringify(await world.data('yield', 'deposit', ...options)));
};

const positionOptions = (world: World) => [
  '--provider',
  'provider_a',
  '--chain-name',
  'solana',
  '--asset',
  'USDC',
  '--wallet',
  world.wallet,
];

/** The first example of a command, with the ids of the home. */
const fromExample =
  ({ examples: [example = ''] }: Command): Recipe =>
  ({ paymentId, orderId }) => ({
    args: example.replaceAll('pay_0123', paymentId).replaceAll(EXAMPLE_ORDER_ID, orderId).split(' '),
  });

/** The recipe of a command: its entry in `RECIPES`, or its first example. */
export const recipeOf = (command: Command): Recipe => RECIPES[command.words.join(' ')] ?? fromExample(command);

/** A batch of one row in the queue of a new database. */
const queuedBatch = async (world: World): Promise<Required<Pick<Line, 'env'>>> => {
  const { url } = await newDatabase();
  const env = { BURSAR_JOURNAL: url };
  const put = ['pay', 'bulk', await world.file(ROWS), '--queue', url, '--batch', 'May', '--key', 'payer'];
  for (const args of [
    ['journal', 'init'],
    [...put, '--max-total', '5=USDT', '--yes'],
  ]) {
    const { code, stderr } = await world.here({ args }, env);
    if (code !== 0) throw new Error(stderr);
  }
  return { env };
};

/** The recipe of each command whose first example does not succeed in the home of a world. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  demo: line('demo'),
  quote: line('quote', 'BTC', 'USDT'),
  products: line('products'),
  'pay bulk': async (world) => ({
    args: ['pay', 'bulk', await world.file(ROWS), '--key', 'payer', '--check'],
  }),
  'pay bulk-status': async (world) => ({ args: ['pay', 'bulk-status', 'May'], ...(await queuedBatch(world)) }),
  'pay bulk-withdraw': async (world) => ({
    args: ['pay', 'bulk-withdraw', 'May', '--yes'],
    ...(await queuedBatch(world)),
  }),
  worker: async (world) => {
    const [name, env] = [world.fresh('worker'), { BURSAR_JOURNAL: (await newDatabase()).url }];
    await newEvmKey(world.home, name);
    await world.here({ args: ['key', 'policy', 'set', name, 'most_per_transaction.USDT=5'] });
    await world.here({ args: ['journal', 'init'] }, env);
    return { args: ['worker', '--key', name, '--max-total', '5=USDT', '--until-empty', '--yes'], env };
  },
  'pay run': async (world) => ({
    args: [
      'pay',
      'run',
      '--body',
      await paymentFile(world),
      '--key',
      'payer',
      '--yes',
      '--intent',
      world.fresh('intent'),
    ],
  }),
  'pay register': async (world) => ({ args: ['pay', 'register', '--body', await paymentFile(world)] }),
  'pay transaction': async (world) => ({ args: transactionOf(world, await registerPayment(world)) }),
  'pay sign': async (world) => ({
    args: [
      ...['pay', 'sign', '--unsigned', (await createTransaction(world)).unsigned, '--key', 'payer'],
      ...['--body', await paymentFile(world)],
    ],
  }),
  'pay execute': async (world) => ({
    args: [
      'pay',
      'execute',
      (await createTransaction(world)).id,
      '--key',
      'payer',
      '--yes',
      '--body',
      await paymentFile(world),
    ],
  }),
  'pay resume': line('pay', 'resume', '--all'),
  'pay list': line('pay', 'list'),
  'pay show': async (world) => ({ args: ['pay', 'show', await newestOperation(world, 'pay')] }),
  'pay forget': async (world) => {
    await world.data('pay', 'register', '--body', await paymentFile(world));
    return { args: ['pay', 'forget', await newestOperation(world, 'pay'), '--yes'] };
  },
  'order create': line('order', 'create', ...ORDER),
  'order list': line('order', 'list'),
  'order update': ({ orderId }) => ({ args: ['order', 'update', orderId, '--amount-from', '6'] }),
  'order toggle': ({ orderId }) => ({ args: ['order', 'toggle', orderId] }),
  'order enable': ({ orderId }) => ({ args: ['order', 'enable', orderId] }),
  'order disable': ({ orderId }) => ({ args: ['order', 'disable', orderId] }),
  'order export': line('order', 'export'),
  'order apply': async (world) => {
    const { stdout } = await world.here({ args: ['order', 'export'] });
    return { args: ['order', 'apply', '-f', await world.file(stdout), '--yes'] };
  },
  'kyc start': async (world) => {
    const address = await newUser(world);
    await world.data('sandbox', 'kyc', address, '--approve');
    return { args: ['kyc', 'start', '--email', address] };
  },
  'kyc prepare': (world) => ({ args: ['kyc', 'prepare', '--email', `${world.fresh('user')}@example.com`] }),
  'kyc send-otp': async (world) => ({ args: ['kyc', 'send-otp', '--email', await newUser(world)] }),
  'kyc verify-otp': async (world) => {
    const address = await newUser(world);
    const stdin = `${await sendCode(world, address)}\n`;
    return { args: ['kyc', 'verify-otp', '--email', address, '--code-stdin'], stdin };
  },
  'kyc challenge': ({ address }) => ({ args: ['kyc', 'challenge', '--wallet', address] }),
  'kyc prepare-wallet': async (world) => ({ args: ['kyc', 'prepare-wallet', ...(await walletProof(world))] }),
  'kyc wallet-prove': line('kyc', 'wallet-prove', '--key', 'payer', '--yes'),
  'kyc create': async (world) => ({ args: ['kyc', 'create', '--email', await newVerifiedUser(world)] }),
  'kyc status': async (world) => ({ args: ['kyc', 'status', '--email', await newVerifiedUser(world)] }),
  'yield strategies': line('yield', 'strategies'),
  'yield opportunities': line('yield', 'opportunities', 'USDC'),
  'yield best': line('yield', 'best', 'USDC'),
  'yield deposit': ({ wallet }) => ({
    args: ['yield', 'deposit', ...OPERATION, '--provider', 'provider_a', '--wallet', wallet],
  }),
  'yield withdraw': ({ wallet }) => ({
    args: [
      'yield',
      'withdraw',
      '--provider',
      'provider_a',
      '--wallet',
      wallet,
      ...OPERATION.slice(0, 4),
      '--amount',
      '1',
    ],
  }),
  'yield rebalance': ({ wallet }) => ({
    args: [
      ...['yield', 'rebalance', '--provider-out', 'provider_a', '--provider-in', 'provider_b', '--wallet', wallet],
      ...[...OPERATION.slice(0, 4), '--amount', '1'],
    ],
  }),
  'yield sign': async (world) => ({
    args: ['yield', 'sign', '--transaction', await buildDeposit(world), '--key', 'saver', ...DEPOSITED],
  }),
  'yield broadcast': async (world) => {
    const args = ['yield', 'sign', '--transaction', await buildDeposit(world), '--key', 'saver', ...DEPOSITED];
    const { signed_transaction } = await world.data(...args);
    return {
      args: [
        ...['yield', 'broadcast', '--op-signed', String(signed_transaction), '--yes'],
        ...[...DEPOSITED, '--wallet', world.wallet],
      ],
    };
  },
  'yield earnings': (world) => ({ args: ['yield', 'earnings', ...positionOptions(world)] }),
  'yield list': line('yield', 'list'),
  'yield show': async (world) => ({ args: ['yield', 'show', await newestOperation(world, 'yield')] }),
  'yield resume': line('yield', 'resume', '--all'),
  'yield forget': async (world) => ({ args: ['yield', 'forget', await newestOperation(world, 'yield'), '--yes'] }),
  review: async (world) => ({ args: ['review', (await createTransaction(world)).unsigned] }),
  'key new': (world) => ({ args: ['key', 'new', world.fresh('key'), '--chain', 'evm'] }),
  'key import': (world) => ({
    args: ['key', 'import', world.fresh('key'), '--chain', 'evm', '--private-key-stdin'],
    stdin: `${'46'.repeat(32)}\n`,
  }),
  'key list': line('key', 'list'),
  'key show': line('key', 'show', 'payer'),
  'key export': async (world) => ({
    args: ['key', 'export', 'payer', '--format', 'v3', '--out', join(world.home, world.fresh('out')), '--yes'],
  }),
  'key rename': async (world) => ({ args: ['key', 'rename', await newKey(world), world.fresh('renamed')] }),
  'key passwd': async (world) => ({
    args: ['key', 'passwd', await newKey(world), '--new-password-file', await world.file('pw2\n')],
  }),
  'key policy': async (world) => ({ args: ['key', 'policy', 'set', await newKey(world), 'chains=polygon'] }),
  'journal init': async () => ({ args: ['journal', 'init'], env: { BURSAR_JOURNAL: (await newDatabase()).url } }),
  'journal join': async (world) => {
    const env = { BURSAR_JOURNAL: (await newDatabase()).url };
    const { stdout } = await world.here({ args: ['journal', 'init', '--json'], env });
    const { key_file: path } = JSON.parse(stdout);
    return { args: ['journal', 'join', '--key-stdin'], stdin: await readFile(path, 'utf8'), env };
  },
  'journal migrate': async () => {
    const { url } = await newDatabase();
    const home = await mkdtemp(join(tmpdir(), 'bursar-home-'));
    const env = { BURSAR_HOME: home };
    await runInProcess(home, ['journal', 'init'], { env: { ...env, BURSAR_JOURNAL: url } });
    return { args: ['journal', 'migrate', '--to', url], env };
  },
  'journal export': (world) => ({ args: ['journal', 'export', join(world.home, world.fresh('export'))] }),
  'journal upgrade': async (world) => {
    const env = { BURSAR_JOURNAL: (await newDatabase()).url };
    await world.here({ args: ['journal', 'init'] }, env);
    return { args: ['journal', 'upgrade'], env };
  },
  'alias set': (world) => ({ args: ['alias', 'set', world.fresh('alias'), 'pay list --limit 5'] }),
  'alias delete': async (world) => {
    const name = world.fresh('alias');
    await world.data('alias', 'set', name, 'pay list --limit 5');
    return { args: ['alias', 'delete', name] };
  },
  'key remove': async (world) => ({ args: ['key', 'remove', await newKey(world), '--yes'] }),
  'key sign-message': line('key', 'sign-message', 'payer', '--message', 'I own this wallet'),
  'key verify-message': async (world) => {
    const { signature } = await world.data('key', 'sign-message', 'payer', '--message', 'hello');
    const options = ['--address', world.address, '--message', 'hello', '--signature', String(signature)];
    return { args: ['key', 'verify-message', ...options] };
  },
  login: async (world) => {
    const { url } = await startServer(envelope(200, 'products_listed', { data: {} }));
    const options = ['--profile', world.fresh('login'), '--base-url', url, '--insecure-storage'];
    return { args: ['login', ...options, '--api-key-stdin'], stdin: 'sk_live_0123456789\n' };
  },
  logout: async (world) => ({ args: ['logout', '--profile', await newProfile(world)] }),
  whoami: line('whoami', '--offline'),
  'profile list': line('profile', 'list'),
  'profile use': line('profile', 'use', 'sandbox'),
  'profile show': line('profile', 'show', 'sandbox'),
  'profile set': line('profile', 'set', 'sandbox', 'keys.evm=payer', 'keys.solana=saver'),
  'profile remove': async (world) => ({ args: ['profile', 'remove', await newProfile(world), '--yes'] }),
  'sandbox start': line('sandbox', 'start'),
  'sandbox status': line('sandbox', 'status'),
  'sandbox open': line('sandbox', 'open'),
  'sandbox logs': line('sandbox', 'logs', '--lines', '5'),
  'sandbox fund': line('sandbox', 'fund', 'payer', '--chain', 'polygon'),
  'sandbox balance': line('sandbox', 'balance', 'payer', '--chain', 'polygon'),
  'sandbox trigger': line('sandbox', 'trigger', 'processing'),
  'sandbox inbox': line('sandbox', 'inbox'),
  'sandbox kyc': line('sandbox', 'kyc'),
  'sandbox pix': async (world) => ({ args: ['sandbox', 'pix', await newFiatPayment(world, PIX)] }),
  'sandbox card': async (world) => ({ args: ['sandbox', 'card', await newFiatPayment(world, CARD), '--approve'] }),
  'sandbox clock': line('sandbox', 'clock'),
  'sandbox advance': line('sandbox', 'advance', '1s'),
  'sandbox fault': line('sandbox', 'fault'),
  'sandbox events': line('sandbox', 'events'),
  'sandbox chain': line('sandbox', 'chain'),
  'sandbox tenant': line('sandbox', 'tenant'),
  'sandbox snapshot': line('sandbox', 'snapshot'),
  'sandbox restore': async (world) => {
    await world.data('sandbox', 'snapshot');
    return { args: ['sandbox', 'restore', '--yes'] };
  },
  'sandbox reset': line('sandbox', 'reset', '--yes'),
  'sandbox stop': line('sandbox', 'stop'),
  explain: line('explain', '11'),
  doctor: line('doctor'),
  completion: line('completion', 'bash'),
  open: line('open', 'dashboard'),
  openapi: line('openapi'),
  'smoke run': line('smoke', 'run', 'reads'),
  'smoke record': async (world) => {
    await world.data('quote', 'BTC', 'USDT');
    return { args: ['smoke', 'record', '--last', '1'] };
  },
  'webhook listen': line('webhook', 'listen', '--idle', '1'),
  'webhook show': async ({ home }) => ({ args: ['webhook', 'show', await newDelivery(home)] }),
  'webhook replay': async ({ home }) => {
    const { url } = await startServer(raw(200, ''));
    return { args: ['webhook', 'replay', await newDelivery(home), '--forward-to', url] };
  },
};
