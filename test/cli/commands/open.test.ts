import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newHomeInProcess } from '../../support/in-process.ts';
import { type Journey, PAYMENT, startJourney } from '../../support/journey.ts';
import { envelope, startServer } from '../../support/server.ts';
import { hasTerminal, openTerminal } from '../../support/terminal.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

const urlOf = async (...args: readonly string[]) => String((await journey.json(['open', ...args])).data['url']);

const OF_CRYPTO = ['--payer-wallet', `0x${'1'.repeat(40)}`, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'];

/** A service that returns a payment with its page, and a journal with its transaction. */
const withPage = async (page: string) => {
  const { url } = await startServer(
    envelope(201, 'payment_registered', {
      data: { payment_id: 'pay_1', session_payment: page, crypto_tx: {}, fiat_tx: { message: 'none' } },
    }),
  );
  const { home, bursar } = await newHomeInProcess();
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
  const create = ['pay', 'transaction', 'pay_1', '--transaction-type', 'crypto', '--payer-email', 'p@example.com'];
  const created = await bursar([...create, ...OF_CRYPTO, '--yes'], { env });
  expect([created.code, created.stderr]).toEqual([0, expect.anything()]);
  return { home, env, open: (id: string) => bursar(['open', 'payment', id], { env }) };
};

describe('open without a terminal', () => {
  it('prints the address of the dashboard and of the reference; both answer', async () => {
    expect(await urlOf('dashboard')).toMatch(/\/\?key=[\w-]{22}$/);
    expect(await urlOf()).toBe(await urlOf('dashboard'));
    const dashboard = await fetch(await urlOf('dashboard'), { redirect: 'manual' });
    expect([dashboard.status, dashboard.headers.get('location')]).toEqual([303, '/']);
    const reference = await fetch(await urlOf('reference'));
    expect([reference.status, await reference.text()]).toEqual([200, expect.stringContaining('openapi.json')]);
  });

  it('prints the page of a payment in the sandbox, by payment id or operation id', async () => {
    const { data } = await journey.json(['sandbox', 'trigger', 'success']);
    const id = String(data['payment_id']);
    const url = await urlOf('payment', id, '--profile', 'sandbox');
    expect(url).toMatch(new RegExp(`&payment=${id}$`));
    expect(await urlOf(id, '--profile', 'sandbox'), 'the id alone').toBe(url);
    const entered = await fetch(url, { redirect: 'manual' });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, `/?payment=${id}`]);
    await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
    const registered = await journey.json(['pay', 'register', '--body', join(journey.home, 'payment.json')]);
    const [operation] = (await journey.json(['pay', 'list'])).data as never as { movement: string }[];
    expect(await urlOf('payment', operation?.movement ?? '')).toMatch(
      new RegExp(`&payment=${registered.data['payment_id']}$`),
    );
  });

  it('of a payment that the sandbox does not have is exit 3 without an address', async () => {
    for (const words of [['payment', 'pay_nope'], ['pay_nope']]) {
      const { code, stdout, stderr } = await journey.bursar(['open', ...words, '--profile', 'sandbox']);
      expect([code, stdout, stderr]).toEqual([3, '', expect.stringContaining('payment_not_found')]);
    }
  });

  it('on a live service prints only an address from the service', async () => {
    const { open } = await withPage('https://pay.example.com/pay_1?token=9f2c');
    expect(await open('pay_1')).toMatchObject({
      code: 0,
      stdout: 'https://pay.example.com/pay_1?token=9f2c\n',
      stderr: '',
    });
    const unknown = await open('pay_2');
    expect([unknown.code, unknown.stdout]).toEqual([3, '']);
    expect(unknown.stderr).toMatch(
      /^error: the journal has no page of the payment pay_2\n[\s\S]*\nnext: bursar pay status pay_2/,
    );
  });

  it.each(['http://pay.example.com/', 'javascript:alert(1)', 'file:///etc/passwd', 'http://127.0.0.1.example/'])(
    'prints an unsafe address with a warning: %s',
    async (page) => {
      const { open } = await withPage(page);
      const { code, stdout, stderr } = await open('pay_1');
      expect([code, stdout, stderr]).toEqual([0, `${page}\n`, expect.stringContaining('does not open this address')]);
    },
  );

  it('with an unknown word, without an id, or with an extra id is exit 2', async () => {
    for (const [args, told] of [
      [['payments'], 'Did you mean payment?'],
      [['payment'], 'ID: required'],
      [['dashboard', 'pay_1'], 'open dashboard goes without an id'],
    ] as const) {
      const { code, stderr } = await journey.bursar(['open', ...args]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
    }
  });

  it('without a running sandbox is exit 5 with the command that starts the sandbox', async () => {
    const { bursar } = await newHomeInProcess();
    for (const args of [[], ['dashboard'], ['reference'], ['payment', 'pay_1', '--profile', 'sandbox']]) {
      const { code, stderr } = await bursar(['open', ...args]);
      expect([code, stderr]).toEqual([5, 'error: no sandbox is running\nnext: bursar sandbox start\n']);
    }
  });
});

describe.runIf(hasTerminal())('open at a terminal', () => {
  const opening = async (home: string, env: Readonly<Record<string, string>> = {}) => {
    const file = join(home, `opened-${Math.random()}`);
    const browser = join(home, 'browser.sh');
    await writeFile(browser, 'echo "$2" > "$1"\n');
    const terminal = openTerminal(home, { columns: 80, rows: 24 }, { BROWSER: `sh ${browser} ${file}`, ...env });
    return { terminal, opened: () => readFile(file, 'utf8').catch(() => '') };
  };

  it('opens a one-time link in the browser, without the key', async () => {
    const { terminal, opened } = await opening(journey.home);
    terminal.run('clear; bursar open; echo "exit=$?"');
    expect(await terminal.until('exit=0')).toMatch(/\?key=[\w-]{22}$/m);
    await expect.poll(opened).toMatch(/\/\?once=[\w-]{22}\n$/);
  });

  it('does not open an unsafe address in the browser', async () => {
    const { home, env } = await withPage('http://pay.example.com/pay_1');
    const { terminal, opened } = await opening(home, env);
    terminal.run('clear; bursar open payment pay_1; echo "exit=$?"');
    expect(await terminal.until('exit=0')).toContain('does not open this address');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await opened()).toBe('');
  });

  it('without arguments and without a sandbox shows its help', async () => {
    const { home } = await newHomeInProcess();
    const { terminal } = await opening(home);
    terminal.run('clear; bursar open; echo "exit=$?"');
    expect(await terminal.until('exit=0')).toContain('bursar open pay_0123');
  });
});
