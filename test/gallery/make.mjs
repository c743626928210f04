// Makes the pictures of docs/gallery.md from real runs: npm run gallery. The built program runs in a temporary home with a new
// sandbox, in a terminal of 80 columns (tmux) and in Chromium. No test compares the pictures.
import { execFile, execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { svgOf } from './svg.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUT = join(ROOT, 'docs/gallery');
const COLUMNS = 80;
const ROWS = 60;
const RECEIVERS = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];

/** Hides the keys of links in a row. */
const withoutKeys = (row) => row.replaceAll(/\b(key|act)=[\w-]{22}/g, (_, name) => `${name}=${'•'.repeat(8)}`);

const home = await mkdtemp(join(tmpdir(), 'shop-'));
const env = {
  PATH: process.env.PATH,
  ...{ HOME: home, BURSAR_HOME: home, BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD_FILE: join(home, 'password') },
  ...{ LANG: 'C.UTF-8', PS1: '$ ', BROWSER: 'true' },
};
const PROGRAM = join(ROOT, 'bin/bursar.js');

const bursar = async (...args) => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args, '--json'], { env, cwd: home });
  return JSON.parse(stdout);
};

/** A terminal in tmux. `record` types a command line, answers its questions, and resolves with the screens in order. */
const openTerminal = async () => {
  const name = `gallery-${process.pid}`;
  const tmux = (...args) => execFileSync('tmux', ['-L', name, '-f', '/dev/null', ...args], { encoding: 'utf8', env });
  const startUp = join(home, 'start.sh');
  await writeFile(startUp, `unset ENV\nbursar() { "${process.execPath}" "${PROGRAM}" "$@"; }\n`);
  const words = Object.entries({ ...env, ENV: startUp }).map(([key, value]) => `${key}=${value}`);
  tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), '-c', home, 'env', ...words, 'sh');
  const screen = () => tmux('capture-pane', '-p', '-e').split('\n').map(withoutKeys);
  const record = async (line, answers = []) => {
    tmux('send-keys', '-R', 'clear', 'Enter');
    await pause(300);
    tmux('send-keys', '-l', line);
    const screens = [screen()];
    tmux('send-keys', 'Enter');
    const waiting = [...answers];
    const deadline = Date.now() + 60_000;
    for (let quiet = 0; quiet < 12 && Date.now() < deadline; ) {
      await pause(120);
      const current = screen();
      const isSame = current.join('\n') === screens.at(-1).join('\n');
      quiet = isSame ? quiet + 1 : 0;
      if (!isSame) screens.push(current);
      const text = current.join('\n');
      const [question, keys] = waiting[0] ?? [];
      if (question !== undefined && text.includes(question) && isSame) {
        waiting.shift();
        tmux('send-keys', keys, 'Enter');
      }
      // The program has ended when the shell prints its prompt.
      const rows = current.map((row) => row.trimEnd()).filter(Boolean);
      if (rows.at(-1) !== '$') quiet = 0;
    }
    if (waiting.length > 0)
      throw new Error(`${line} never showed the question ${waiting[0][0]}:\n${screen().join('\n')}`);
    return screens.map((rows) => rows.filter((row, at) => row.trimEnd() !== '$' || at === 0));
  };
  return { record, end: () => tmux('kill-server') };
};

const PAYMENT = {
  tenant_data: { public_client_id: `client_${'0'.repeat(32)}`, webhook_url: 'https://shop.example/hook' },
  payment_method_allowed: { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true },
  split_payment_config: [
    { receiver_wallet: RECEIVERS[0], receiver_percent: 70 },
    { receiver_wallet: RECEIVERS[1], receiver_percent: 30 },
  ],
  ...{ from_currency_symbol: 'USDT', amount_from: '10', to_currency_symbol: 'USDT', to_chain: 'polygon' },
  payer_email: 'payer@example.com',
};

const DEPOSIT = { provider: 'provider_a', chain_name: 'solana', asset: 'USDC', amount: '25' };

/** An approval without a limit, as an attacker would request it. */
const APPROVAL = {
  ...{ schema_version: 1, family: 'evm', chain_name: 'polygon', meta: { source: 'unknown' } },
  transactionRequest: {
    from: `0x${'3'.repeat(40)}`,
    to: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    data: `0x095ea7b3${'4'.repeat(40).padStart(64, '0')}${'f'.repeat(64)}`,
    ...{ value: 0, chainId: 137, gasLimit: '65000', nonce: 7 },
    ...{ maxPriorityFeePerGas: '30000000000', maxFeePerGas: '60000000000' },
  },
};

const prepare = async () => {
  await writeFile(join(home, 'password'), 'correct horse battery staple', { mode: 0o600 });
  await writeFile(join(home, 'payment.json'), JSON.stringify(PAYMENT));
  await writeFile(join(home, 'deposit.json'), JSON.stringify(DEPOSIT));
  await writeFile(join(home, 'approval.json'), JSON.stringify(APPROVAL));
  const started = await bursar('sandbox', 'start');
  await bursar('key', 'new', 'treasury', '--chain', 'evm');
  await bursar('key', 'new', 'saver', '--chain', 'solana');
  await bursar('sandbox', 'fund', 'treasury', '--chain', 'polygon');
  await bursar('sandbox', 'fund', 'saver');
  return started;
};

/** The recordings: file name, text alternative, command line, and the answers to its questions. */
const RECORDINGS = [
  [
    'pay-run',
    'A payment: its review, the question, and its result',
    'bursar pay run --body payment.json --key treasury',
    [['(Y/n)', 'y']],
  ],
  [
    'yield-deposit',
    'A deposit on a lending market',
    'bursar yield deposit --body deposit.json --key saver --broadcast',
    [['(Y/n)', 'y']],
  ],
  ['refused', 'A review that refuses an approval without a limit', 'bursar review approval.json', []],
  ['pay-list', 'The payments of this machine', 'bursar pay list', []],
  ['explain', 'What an error means, and what to do', 'bursar explain stale_transaction_nonce', []],
  ['sandbox-status', 'The sandbox, its addresses and chains', 'bursar sandbox status', []],
];

const recordAll = async () => {
  const terminal = await openTerminal();
  try {
    for (const [name, title, line, answers] of RECORDINGS) {
      const screens = await terminal.record(line, answers);
      await writeFile(join(OUT, `${name}.svg`), svgOf(screens, { title, columns: COLUMNS }));
      process.stdout.write(`docs/gallery/${name}.svg\n`);
    }
  } finally {
    terminal.end();
  }
};

const control = async ({ url, control_key }, path, body) => {
  const headers = { 'x-control-key': control_key, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/_sandbox/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()).data;
};

/** Makes payments in different states over some hours, sets faults, and opens a KYC session. */
const fill = async (sandbox) => {
  for (const [states, advance] of [
    [['success', 'success', 'error'], '2h'],
    [['success', 'success', 'success', 'retry'], '2h'],
    [['success', 'registered', 'success'], '2h'],
    [['success', 'success', 'processing', 'success'], '1h'],
  ]) {
    for (const state of states) await bursar('sandbox', 'trigger', state);
    await control(sandbox, 'clock', { advance });
  }
  await bursar('sandbox', 'fault', 'pay.execute', 'stale_transaction_nonce', '--count', '2');
  await bursar('sandbox', 'fault', 'quote.market', '429', '--count', '3');
  await bursar('quote', 'ETH', 'USDT').catch(() => undefined);
  await bursar('kyc', 'prepare', '--email', 'ana@example.com');
  await bursar('kyc', 'send-otp', '--email', 'ana@example.com');
  const [{ code }] = await bursar('sandbox', 'inbox');
  await bursar('kyc', 'verify-otp', '--email', 'ana@example.com', '--code', code);
  return bursar('kyc', 'create', 'verify_public_kyc', '--email', 'ana@example.com');
};

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const canRun = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const browserPath = () =>
  process.env.BURSAR_TEST_BROWSER ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(canRun);

const photograph = async (sandbox, { session }) => {
  const status = await bursar('sandbox', 'status');
  const { actingLink } = await deriveActingLink(sandbox);
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: browserPath(), args });
  try {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ colorScheme, viewport: { width: 1000, height: 760 } });
      const page = await context.newPage();
      const shoot = async (name) => {
        const path = join(OUT, `${name}-${colorScheme}.png`);
        await page.screenshot({ path });
        process.stdout.write(`docs/gallery/${name}-${colorScheme}.png\n`);
      };
      await page.goto(status.dashboard);
      for (const [name, query] of [
        ['payments', '?list=payments'],
        ['requests', '?list=requests'],
      ]) {
        await page.goto(`${sandbox.url}/${query}`);
        await shoot(name);
      }
      await page.goto(actingLink);
      const acting = page.url();
      await page.goto(`${acting}?list=faults`);
      await shoot('faults');
      await page.goto(`${acting}decide?do=process.advance&advance=1d`);
      await shoot('decision');
      await page.goto(session.session_url);
      await shoot('kyc');
      await page.goto(`${sandbox.url}/reference#pay.register`);
      await shoot('reference');
      await context.close();
    }
  } finally {
    await browser.close();
  }
};

/** The link to the dashboard with actions. Only a terminal shows it, so this derives it as the sandbox does. */
const deriveActingLink = async ({ url, control_key }) => {
  const { createHmac } = await import('node:crypto');
  const key = createHmac('sha256', control_key).update('acting').digest('base64url').slice(0, 22);
  return { actingLink: `${url}/?act=${key}` };
};

await rm(OUT, { recursive: true, force: true });
await mkdir(OUT, { recursive: true });
try {
  const sandbox = await prepare();
  await recordAll();
  await photograph(sandbox, await fill(sandbox));
} finally {
  await bursar('sandbox', 'stop').catch(() => undefined);
  await rm(home, { recursive: true, force: true });
}
