import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { type NextId, type NextStep, nextStep } from '../../src/core/next.ts';
import { writeMove } from '../../src/journal/moved.ts';
import { newHome } from '../support/bursar.ts';
import { cardPayment } from '../support/card-payment.ts';
import { newEvmKey, newSolanaKey } from '../support/cheap-key.ts';
import { runInProcess } from '../support/in-process.ts';
import { temporaryFolder } from '../support/io.ts';
import { type Meddler, PAYMENT } from '../support/journey.ts';
import { follow, type Here, type Story, useWorld } from '../support/next.ts';
import { newDatabase } from '../support/postgres.ts';
import { envelope, raw, startServer } from '../support/server.ts';
import { answer, openTerminal } from '../support/terminal.ts';
import { journalIo } from '../support/test-journal.ts';
import { newListener, post } from '../support/webhook.ts';

const world = useWorld();

/** A home without a sandbox, for one scenario. */
type Home = Here & { readonly home: string };

const newPlace = async (env: Readonly<Record<string, string>> = {}): Promise<Home> => {
  const { home } = await newHome();
  return {
    home,
    here: ({ args, stdin = '' }, more) =>
      runInProcess(home, args, { stdin, env: { BURSAR_KEY_PASSWORD: 'pw', ...env, ...more } }),
  };
};

const json = (args: readonly string[]) => ({ args: [...args, '--json'] });

const products = json(['products']);

const keyFile = async (): Promise<string> => {
  const file = join(await temporaryFolder(), 'key');
  await writeFile(file, 'key-of-the-test\n', { mode: 0o600 });
  return file;
};

const serving = async () => (await startServer(envelope(200, 'products_listed', { data: {} }))).url;

/** A situation and its home. */
type Told = Story & { readonly at: Here };

type Ids = Exclude<NextId, `${'pay' | 'operation' | 'yield' | 'kyc' | 'order.list'}${string}` | 'again'>;

/** A payment at a terminal that waits for a bank, and names the command that acts as the bank. */
const askedOfBank = async (body: object, asked: RegExp, stepOf: (id: string) => NextStep): Promise<Told> => {
  const file = await world().file(JSON.stringify(body));
  const terminal = openTerminal(world().home, { columns: 140, rows: 60 }, { BURSAR_PROFILE: 'sandbox' });
  terminal.run(`clear; bursar pay run --body '${file}' --yes; echo "exit=$?"`);
  const screen = await terminal.until(asked);
  const [line = '', id = ''] = asked.exec(screen) ?? [];
  const printed = { code: 8, stdout: '', stderr: `next: ${line}\n` };
  const afterwards = async () => ({ code: 0, stdout: await terminal.until('exit=0'), stderr: '' });
  return { at: world(), printed, afterwards, step: stepOf(id) };
};

const SCENARIOS: Readonly<Record<Ids, () => Promise<Told>>> = {
  'alias.list': async () => {
    const at = await newPlace();
    return { at, printed: await at.here(json(['alias', 'delete', 'nope'])), step: nextStep('alias.list') };
  },
  'key.list': async () => {
    const at = await newPlace();
    return { at, printed: await at.here(json(['key', 'show', 'nope'])), step: nextStep('key.list') };
  },
  'key.show': async () => {
    const at = await newPlace({ BURSAR_PROFILE: 'sandbox' });
    await newEvmKey(at.home, 'bare');
    const path = join(at.home, 'keys', 'bare.json');
    const { address: _, ...rest } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify(rest));
    const printed = await at.here(json(['kyc', 'wallet-prove', '--key', 'bare', '--yes']));
    return { at, printed, step: nextStep('key.show', 'bare') };
  },
  'key.new': async () => {
    const at = await newPlace({ BURSAR_PROFILE: 'sandbox' });
    const printed = await at.here(json(['pay', 'execute', 'pay_1', '--yes']));
    return { at, printed, step: nextStep('key.new', 'treasury', 'evm') };
  },
  'order.create': async () => {
    const at = await newPlace();
    const terminal = openTerminal(at.home, { columns: 200, rows: 40 });
    terminal.run('clear; bursar order update; echo "exit=$?"');
    const printed = { code: 2, stdout: await terminal.until('exit=2'), stderr: '' };
    const fields = ['--amount-from', '7', '--from-currency-symbol', 'BRL', '--to-currency-symbol', 'USDT'];
    return {
      at,
      printed,
      step: nextStep('order.create'),
      answers: [...fields, '--allow', 'crypto', '--profile', 'sandbox'],
    };
  },
  'key.policy.unset': async () => {
    const at = await newPlace();
    const { address } = await newEvmKey(at.home, 'till');
    await at.here(json(['key', 'policy', 'set', 'till', 'chains=polygon', '--yes']));
    const folder = join(at.home, 'policies');
    for (const name of await readdir(folder)) await writeFile(join(folder, name), '{}');
    const sign = json(['key', 'sign-message', 'till', '--message', 'x']);
    const printed = await at.here(json(['key', 'policy', 'show', 'till']));
    return { at, printed, step: nextStep('key.policy.unset', address), afterwards: () => at.here(sign) };
  },
  'login.profile': async () => {
    const at = await newPlace({ BURSAR_PROFILE: 'shop' });
    await at.here(json(['profile', 'set', 'shop', `base_url=${await serving()}`]));
    return {
      ...{ at, printed: await at.here(products), step: nextStep('login.profile', 'shop') },
      ...{ answers: ['--insecure-storage'], env: { API_KEY_FILE: await keyFile() } },
      afterwards: () => at.here(products),
    };
  },
  'login.new': async () => {
    const at = await newPlace({ BURSAR_PROFILE: 'staging' });
    return {
      ...{ at, printed: await at.here(products), step: nextStep('login.new', 'staging') },
      ...{ answers: ['--insecure-storage'], env: { API_KEY_FILE: await keyFile(), BASE_URL: await serving() } },
      afterwards: () => at.here(products),
    };
  },
  login: async () => {
    const at = await newPlace();
    return {
      ...{ at, printed: await at.here(products), step: nextStep('login') },
      ...{ answers: ['--insecure-storage'], env: { API_KEY_FILE: await keyFile(), BASE_URL: await serving() } },
      afterwards: () => at.here(products),
    };
  },
  whoami: async () => {
    const { url } = await startServer(envelope(401, 'unauthorized'));
    const at = await newPlace({ BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' });
    return { at, printed: await at.here(products), step: nextStep('whoami') };
  },
  'profile.list': async () => {
    const at = await newPlace();
    const both = json(['products', '--profile', 'sandbox', '--base-url', 'https://pay.example']);
    return { at, printed: await at.here(both), step: nextStep('profile.list') };
  },
  'profile.unset': async () => {
    const at = await newPlace();
    const policy = { most_per_transaction: { NOSUCH: '1' } };
    const profiles = { shop: { base_url: 'https://pay.example', policy } };
    await writeFile(join(at.home, 'profiles.json'), JSON.stringify({ version: 1, profiles }), { mode: 0o600 });
    const { stdout } = await at.here(json(['doctor', '--offline']));
    const { checks } = JSON.parse(stdout) as { checks: readonly { check: string; state: string }[] };
    const found = checks.find(({ check, state }) => check === 'policies' && state === 'warn');
    const printed = { code: 0, stdout: JSON.stringify(found), stderr: '' };
    return { at, printed, step: nextStep('profile.unset', 'shop', 'policy.most_per_transaction.NOSUCH') };
  },
  'profile.use': async () => {
    const at = await newPlace();
    const printed = await at.here(json(['login', '--profile', 'sandbox']));
    return { at, printed, step: nextStep('profile.use', 'sandbox') };
  },
  doctor: async () => {
    const at = await newPlace({ BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'key-of-the-test' });
    // Only the operator of a service can fix a service that does not answer.
    return { at, printed: await at.here(products), step: nextStep('doctor'), ends: 5 };
  },
  explain: async () => {
    const at = await newPlace();
    await newSolanaKey(at.home, 'vault');
    const printed = await at.here(json(['key', 'sign-message', 'vault', '--message', '']));
    return { at, printed, step: nextStep('explain', 'refused_by_review') };
  },
  help: async () => {
    const at = await newPlace();
    return { at, printed: await at.here(json(['pay', 'run', '--nope'])), step: nextStep('help', 'pay', 'run') };
  },
  'sandbox.fund': async () => {
    const name = world().fresh('poor');
    await newEvmKey(world().home, name);
    const body = await world().file(JSON.stringify(PAYMENT));
    const run = json(['pay', 'run', '--body', body, '--key', name, '--yes']);
    const printed = await world().here(run);
    return {
      at: world(),
      printed,
      step: nextStep('sandbox.fund', name, { chain: 'polygon', token: 'USDT', amount: '10' }),
      afterwards: () => world().here(run),
    };
  },
  'sandbox.pix': async () => {
    const allowed = { ...PAYMENT.payment_method_allowed, pixcrypto: true };
    const order = { executor_id: 'order_transaction', from_currency_symbol: 'BRL', amount_from: '10.07' };
    const payer = { transaction_type: 'pixcrypto', payer_cpf: '52998224725' };
    const body = { ...PAYMENT, ...order, ...payer, payment_method_allowed: allowed };
    return askedOfBank(body, /bursar sandbox pix (\S+) --pay/, (id) => nextStep('sandbox.pix', id));
  },
  'sandbox.card': async () => {
    const email = PAYMENT.payer_email;
    await world().ask('POST', '/kyc/prepare', { email });
    await world().here(json(['sandbox', 'kyc', email, '--approve']));
    const body = cardPayment(PAYMENT) as { readonly card_data: object };
    const card = { card_data: { ...body.card_data, card_token: 'tok_pending' } };
    const payer = { payer_ip: '203.0.113.7', session_id: 'session-1' };
    return askedOfBank({ ...body, ...card, ...payer }, /bursar sandbox card (\S+) --approve/, (id) =>
      nextStep('sandbox.card', id),
    );
  },
  'webhook.list': async () => {
    const at = await newPlace();
    const printed = await at.here(json(['webhook', 'show', 'wh_nope']));
    return { at, printed, step: nextStep('webhook.list') };
  },
  'webhook.replay': async () => {
    const at = await newPlace();
    const { url, ended } = await newListener(['--count', '1'], {}, at.home);
    await post(url, '{}');
    await ended;
    let isUp = false;
    const target = `${(await startServer((...call) => raw(isUp ? 200 : 500, '')(...call))).url}/hook`;
    const printed = await at.here(json(['webhook', 'replay', '--since', '1h', '--forward-to', target]));
    isUp = true;
    const [{ id }] = JSON.parse(printed.stdout).error.data;
    return { at, printed, step: nextStep('webhook.replay', [id], [target]) };
  },
  'sandbox.events': async () => {
    const printed = await world().here(json(['sandbox', 'events', '--show', '999999']));
    return { at: world(), printed, step: nextStep('sandbox.events') };
  },
  'sandbox.start': async () => {
    const inbox = json(['sandbox', 'inbox']);
    const strange: Meddler = async ({ path }, forward) =>
      path.startsWith('/_sandbox/inbox') ? { status: 200, body: '<html>' } : forward();
    const printed = await world().through(strange, () => world().here(inbox));
    return { at: world(), printed, step: nextStep('sandbox.start'), afterwards: () => world().here(inbox) };
  },
  'sandbox.status': async () => {
    const printed = await world().here(json(['sandbox', 'start', '--foreground']));
    return { at: world(), printed, step: nextStep('sandbox.status') };
  },
  'sandbox.stop': async () => {
    const at = await newPlace();
    await at.here({ args: ['sandbox', 'start'] });
    const start = json(['sandbox', 'start', '--ephemeral']);
    const afterwards = async () => {
      const started = await at.here(start);
      await at.here({ args: ['sandbox', 'stop'] });
      return started;
    };
    return { at, printed: await at.here(start), step: nextStep('sandbox.stop'), afterwards };
  },
  'sandbox.log': async () => {
    const at = await newPlace();
    await damageLedger(at);
    const printed = await at.here(json(['sandbox', 'start']));
    const afterwards = async () => {
      await at.here({ args: ['sandbox', 'start'] });
      return at.here({ args: ['sandbox', 'stop'] });
    };
    return { at, printed, afterwards, step: nextStep('sandbox.log', ['bursar', 'sandbox', 'reset']) };
  },
  'sandbox.snapshots': async () => {
    const printed = await world().here(json(['sandbox', 'restore', 'nope']));
    return { at: world(), printed, step: nextStep('sandbox.snapshots') };
  },
  openapi: async () => {
    const printed = await world().here(json(['api', 'GET', '/nope', '--profile', 'sandbox']));
    return { at: world(), printed, step: nextStep('openapi') };
  },
  'sandbox.reset': async () => {
    const at = await newPlace();
    await damageLedger(at);
    return { at, printed: await at.here(json(['sandbox', 'start', '--foreground'])), step: nextStep('sandbox.reset') };
  },
  'sandbox.trigger': async () => {
    const at = world();
    const printed = await at.here(json(['sandbox', 'trigger', '--release', 'pay_0123']));
    return { at, printed, step: nextStep('sandbox.trigger') };
  },
  'sandbox.chain.enable': async () => {
    const at = world();
    await at.here({ args: ['sandbox', 'chain', 'disable', 'base'] });
    const trigger = ['sandbox', 'trigger', 'success', '--chain', 'base'];
    const printed = await at.here(json(trigger));
    const afterwards = () => at.here({ args: trigger });
    return { at, printed, step: nextStep('sandbox.chain.enable', 'base'), afterwards };
  },
  'again.yes': async () => {
    const at = await newPlace();
    await newEvmKey(at.home, 'old');
    const args = ['key', 'remove', 'old'];
    return { at, printed: await at.here({ args }), step: nextStep('again.yes', args) };
  },
  'again.broadcast': async () => {
    const { wallet, home } = world();
    const terminal = openTerminal(home, { columns: 200, rows: 40 }, { BURSAR_PROFILE: 'sandbox' });
    const words = ['--provider', 'provider_a', '--chain-name', 'solana', '--asset', 'USDC', '--wallet', wallet];
    terminal.run(`clear; bursar yield deposit ${words.join(' ')}; echo "exit=$?"`);
    await answer(terminal, '--amount', '2');
    await answer(terminal, 'Review, sign and send now?', 'n');
    const screen = await terminal.until('exit=0');
    const [line = ''] = /next: bursar .*/.exec(screen) ?? [];
    const printed = { code: 0, stdout: '', stderr: `${line.trimEnd()}\n` };
    const step = nextStep('again.broadcast', ['yield', 'deposit', ...words, '--amount', '2']);
    return { at: world(), printed, step, answers: ['--key', 'saver', '--yes'] };
  },
  'file.private': async () => {
    const at = await newPlace({ BURSAR_KEY_PASSWORD: '' });
    await newEvmKey(at.home, 'till');
    const path = join(at.home, 'password of the till');
    await writeFile(path, 'pw\n');
    await chmod(path, 0o644);
    const sign = json(['key', 'sign-message', 'till', '--message', 'x', '--password-file', path]);
    const step = nextStep('file.private', '600', path);
    return { at, printed: await at.here(sign), step, afterwards: () => at.here(sign) };
  },
  'keyring.store': async () => {
    const bin = await temporaryFolder();
    const tool = `#!/bin/sh\ncase "$1" in store) cat >"${bin}/kept" ;; *) cat "${bin}/kept" 2>/dev/null ;; esac\n`;
    await writeFile(join(bin, 'secret-tool'), tool, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const at = await newPlace({ BURSAR_KEY_PASSWORD: '', ...env });
    await newSolanaKey(at.home, 'vault');
    const sign = json(['key', 'sign-message', 'vault', '--message', 'x', '--password-keyring']);
    const store = ['secret-tool', 'store', '--label=bursar vault', 'service', 'bursar', 'key', 'vault'];
    const step = nextStep('keyring.store', store);
    // The tool asks for the password.
    return { at, env, printed: await at.here(sign), step, stdin: 'pw', afterwards: () => at.here(sign) };
  },
  'file.aside': async () => {
    const at = await newPlace({ BURSAR_BASE_URL: await serving(), BURSAR_API_KEY: 'key-of-the-test' });
    const path = join(at.home, 'bursar.json');
    await mkdir(path);
    return {
      ...{ at, printed: await at.here(products), step: nextStep('file.aside', path) },
      afterwards: () => at.here(products),
    };
  },
  'journal.init': async () => {
    const at = await newPlace({ BURSAR_JOURNAL: (await newDatabase()).url });
    const list = json(['pay', 'list']);
    return { at, printed: await at.here(list), step: nextStep('journal.init'), afterwards: () => at.here(list) };
  },
  'journal.join': async () => {
    const env = { BURSAR_JOURNAL: (await newDatabase()).url, BURSAR_PROFILE: 'sandbox' };
    const maker = await newPlace(env);
    const { key_file: path } = JSON.parse((await maker.here(json(['journal', 'init']))).stdout);
    const at = await newPlace(env);
    const key = await readFile(path, 'utf8');
    const resume = json(['pay', 'resume', 'pay_1']);
    const step = nextStep('journal.join');
    // The user brings the key of the other home.
    const here: typeof at.here = (line, more) => at.here({ ...line, stdin: key }, more);
    return { at: { ...at, here }, printed: await at.here(resume), step };
  },
  'journal.migrate': async () => {
    const { url } = await newDatabase();
    const at = await newPlace();
    const { journal } = JSON.parse((await at.here(json(['journal', 'init']), { BURSAR_JOURNAL: url })).stdout);
    const step = nextStep('journal.migrate', url);
    // A move that was killed has left its mark.
    await writeMove(journalIo(at.home), { journal, where: url, isDone: false });
    const list = json(['pay', 'list']);
    const afterwards = () => at.here(list, { BURSAR_JOURNAL: url });
    return { at, printed: await at.here(list), step, afterwards };
  },
  'file.remove': async () => {
    const at = await newPlace();
    await mkdir(join(at.home, 'sandbox'), { mode: 0o700 });
    const path = join(at.home, 'sandbox', 'server.json');
    await writeFile(path, '{', { mode: 0o600 });
    const status = json(['sandbox', 'status']);
    const step = nextStep('file.remove', path);
    return { at, printed: await at.here(status), step, afterwards: () => at.here(status) };
  },
};

/** A sandbox that has run and whose ledger is damaged. */
const damageLedger = async ({ home, here }: Home): Promise<void> => {
  await here({ args: ['sandbox', 'start'] });
  await here({ args: ['sandbox', 'stop'] });
  const folder = join(home, 'sandbox');
  for (const name of await readdir(folder)) {
    if (name.startsWith('ledger')) await writeFile(join(folder, name), 'no database '.repeat(1000));
  }
};

describe('the printed next command', () => {
  it.each(Object.keys(SCENARIOS) as Ids[])('%s makes progress until the task ends or waits', async (id) => {
    const told = await SCENARIOS[id]();
    await follow(told.at, told);
  });
});
