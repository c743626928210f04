import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runAsking } from '../../../src/cli/argv/run-asking.ts';
import { AREAS } from '../../../src/cli/command/areas.ts';
import type { Command } from '../../../src/cli/command/command.ts';
import { isFailure } from '../../../src/core/failure.ts';
import { newHome } from '../../support/bursar.ts';
import { CARD_ARGS, CARD_FIELDS, IN_REAIS, TOKEN } from '../../support/charge.ts';
import { newKey } from '../../support/cheap-key.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { testIo } from '../../support/io.ts';
import { PAYMENT } from '../../support/journey.ts';
import { storedOrder } from '../../support/order-service.ts';
import { LIVE as LIVE_PROFILE, profiled } from '../../support/profiled.ts';
import { envelope, startServer } from '../../support/server.ts';

const LIVE = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };

const ORDERS = { data: { orders: [storedOrder('order_1')], pagination: { total_pages: 1 } } };

const DEPOSIT = ['--provider', 'provider_a', '--chain-name', 'solana', '--asset', 'USDC', '--amount', '1'];

const leaves: readonly Command[] = (await Promise.all(AREAS.map(({ load }) => load()))).flat();

/** Commands that need no input. */
const NEEDS_NOTHING = ['demo', 'sandbox start', 'sandbox inbox', 'sandbox kyc', 'sandbox clock', 'sandbox tenant'];

/** It waits for webhooks. */
const ENDLESS = 'webhook listen';

const quiet = leaves.filter(
  ({ words }) => words.join(' ') !== ENDLESS && !NEEDS_NOTHING.includes(words.join(' ')) && words[0] !== 'sandbox',
);

/** The options and fields that a document of errors names. */
const missingIn = (stdout: string): readonly string[] =>
  (JSON.parse(stdout).error?.errors ?? []).map(({ option, field }: Record<string, string>) => option ?? field);

describe('a command without input and without a terminal', () => {
  it('is tested for more than 40 commands', () => {
    expect(quiet.length).toBeGreaterThan(40);
  });

  it.each(quiet.map((leaf) => [leaf.words.join(' '), leaf] as const))(
    '%s ends with an expected exit code, and exit 2 names every required value',
    async (name, leaf) => {
      const { bursar } = await newHomeInProcess();
      const { code, stdout } = await bursar([...leaf.words, '--json'], { env: LIVE });
      expect([0, 2, 3, 4, 5], name).toContain(code);
      if (code !== 2 || stdout === '') return;
      const named = missingIn(stdout).join(' ');
      const needed = (leaf.arguments ?? []).filter(({ isOptional }) => !isOptional);
      if (named !== '') for (const argument of needed) expect(named).toContain(argument.name);
      const options = (leaf.options ?? []).filter(({ description }) => description.endsWith('(required)'));
      for (const { flag } of options) expect(named).toContain(flag);
    },
    20_000,
  );

  it.each<[string, readonly string[], readonly string[]]>([
    ['pay status', ['pay', 'status'], ['PAYMENT_ID']],
    ['pay sign', ['pay', 'sign'], ['PAYMENT_ID or --unsigned', '--key']],
    ['pay execute', ['pay', 'execute'], ['PAYMENT_ID', '--key or --signed-transaction']],
    ['key export', ['key', 'export'], ['NAME', '--format', '--out']],
    ['key verify-message', ['key', 'verify-message'], ['--address', '--message', '--signature']],
    ['kyc verify-otp', ['kyc', 'verify-otp'], ['--email', '--code-stdin or --code']],
    [
      'pay run of a card',
      ['pay', 'run', '--transaction-type', 'cardfiat'],
      ['--amount-from', '--payer-name', '--address-zipcode', '--card-token or --card-file'],
    ],
  ])('%s names all missing values at once', async (_, words, wanted) => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout } = await bursar([...words, '--json'], { env: LIVE });
    expect(code).toBe(2);
    expect(missingIn(stdout)).toEqual(expect.arrayContaining([...wanted]));
    expect(JSON.parse(stdout).error.next).toBe(`bursar help ${words.slice(0, 2).join(' ')}`);
  });

  it('lists each missing value once, with its description and the help command', async () => {
    const { bursar } = await newHomeInProcess();
    const one = await bursar(['yield', 'best'], { env: LIVE });
    expect(one.stderr).toBe(
      'error: missing:\n  ASSET_SYMBOL: required (The token, such as USDC)\nnext: bursar help yield best\n',
    );
    const other = await bursar(['pay', 'run'], { env: LIVE });
    expect(other.stderr).toContain('  --amount-from: required (Amount in the source currency, such as 10)\n');
    const pair = await bursar(['quote'], { env: LIVE });
    expect(pair.stderr, 'an example is printed once').toContain('(Asset to price, such as BTC)\n');
  });

  it('accepts a postal code with separators, and sends its digits', async () => {
    const { bursar } = await newHomeInProcess();
    const payer = ['--payer-email', 'a@example.com', '--payer-name', 'Ana', '--payer-document', '1'];
    const zip = (code: string) => {
      const fields = CARD_FIELDS.map((word, at) => (CARD_FIELDS[at - 1] === '--address-zipcode' ? code : word));
      const card = ['--payer-document-type', 'PASSPORT', '--card-token', 't', '--payer-ip', '203.0.113.7', ...fields];
      const type = ['--transaction-type', 'cardfiat', '--session-id', 's', '--curl'];
      return bursar(['pay', 'transaction', 'pay_1', ...type, ...payer, ...card], { env: LIVE });
    };
    for (const code of ['01310-100', '01.310-100', '01310 100']) {
      expect((await zip(code)).stdout, code).toMatch(/zipcode\W+01310100\b/);
    }
    expect((await zip('0131x')).stderr).toContain('--address-zipcode: must be digits only');
  });

  it('names its own help, with any options before its words', async () => {
    const { bursar } = await newHomeInProcess();
    const { stderr } = await bursar(['--profile', 'sandbox', 'yield', 'best', '--nope'], { env: LIVE });
    expect(stderr).toContain('next: bursar help yield best\n');
  });
});

describe('a command without input at a terminal', () => {
  const NO_KEY = /there is no key/;

  it.each(quiet.map((leaf) => [leaf.words.join(' '), leaf] as const))(
    '%s asks for each required value, and does not only name it',
    async (name, leaf) => {
      const { io, asked } = await testIo({ answers: [] });
      const open = () => profiled(io, {}, {}, { ...LIVE_PROFILE, baseUrl: LIVE.BURSAR_BASE_URL });
      const error = await runAsking(leaf, open, {}).catch((thrown: unknown) => thrown);
      if (!isFailure(error, 'invalid_input')) return;
      expect(asked, name).toEqual([]);
      const messages = error.details.errors?.map(({ message }) => message);
      expect(messages, name).toEqual([expect.stringMatching(NO_KEY)]);
    },
  );
});

describe('yes in a pipe', () => {
  it('answers no question about money or a secret: exit 2, nothing is sent or changed', async () => {
    const { url, received } = await startServer(envelope(200, 'orders_listed', ORDERS));
    const { home, bursar } = await newHome();
    const key = await newKey(home, 'k', 'evm');
    await writeFile(join(home, 'reais.json'), JSON.stringify(IN_REAIS));
    await writeFile(join(home, 'payment.json'), JSON.stringify(PAYMENT));
    await writeFile(join(home, 'o.json'), '{"version":1,"orders":[{"id":"order_1","amount_from":"30"}]}');
    const signed = `0x02${'00'.repeat(40)}`;
    const lines: readonly (readonly string[])[] = [
      ['pay', 'run', '--body', 'payment.json', '--key', 'k'],
      [...CARD_ARGS, ...CARD_FIELDS, ...TOKEN('tok_approved')],
      ['pay', 'execute', 'pay_1', '--signed-transaction', signed],
      ['order', 'apply', '--file', 'o.json'],
      ['yield', 'broadcast', '--chain-name', 'solana', '--op-signed', 'AA=='],
      ['yield', 'deposit', ...DEPOSIT, '--key', 's', '--broadcast', '--rpc-url', 'http://127.0.0.1:9'],
      ['key', 'remove', 'k'],
      ['key', 'export', 'k', '--format', 'private-key', '--out', '-'],
    ];
    await newKey(home, 's', 'solana');
    for (const line of lines) {
      const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'a-key', BURSAR_KEY_PASSWORD: 'pw' };
      const { code, stdout, stderr } = await bursar(line, { env, stdin: 'y\ny\n\nyes\n'.repeat(9) });
      expect([line.slice(0, 2).join(' '), code], stderr).toEqual([line.slice(0, 2).join(' '), 2]);
      expect(stderr).toContain('--yes');
      expect(stdout).toBe('');
    }
    expect(received.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await bursar(['key', 'list', '--json'])).stdout).toContain(key);
  });
});
