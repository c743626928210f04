import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actingIn } from '../../../src/core/text.ts';
import { newHome } from '../../support/bursar.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, type Responder, raw, startServer } from '../../support/server.ts';
import { signedMemo } from '../../support/signed-memo.ts';

const KEY = 'key-of-the-test-0123456789';
const SIGNED = signedMemo('redacted').base64;
const MAX_MEMORY_KB = 150 * 1024;

const ENV = { BURSAR_API_KEY: KEY, FORCE_COLOR: '1' };

/** The result of the program against a server. */
const against = async (responder: Responder, args: readonly string[], stdin = '') => {
  const { url, received } = await startServer(responder);
  const { bursar } = await newHomeInProcess();
  return { ...(await bursar(args, { env: { ...ENV, BURSAR_BASE_URL: url }, stdin })), received };
};

/** The same in its own process, with its duration and its maximum memory. */
const measuredAgainst = async (responder: Responder, args: readonly string[]) => {
  const { url } = await startServer(responder);
  const { home, bursar } = await newHome();
  const hook = join(home, 'memory.cjs');
  const file = join(home, 'memory');
  await writeFile(
    hook,
    // maxRSS includes the memory of the parent at the start of this process.
    `process.on('exit', () => {
      const { readFileSync, writeFileSync } = require('node:fs');
      writeFileSync(${JSON.stringify(file)}, /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
    });`,
  );
  const env = { ...ENV, BURSAR_BASE_URL: url, NODE_OPTIONS: `--require ${hook}` };
  const start = performance.now();
  const { code } = await bursar(args, { env });
  return { code, took: performance.now() - start, memory: Number(await readFile(file, 'utf8')) };
};

const endless: Responder = (_, response) => {
  const chunk = Buffer.alloc(1024 * 1024, '{"a":');
  let left = 2048;
  const more = () => {
    while (!response.destroyed && left > 0) {
      left -= 1;
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.on('drain', more);
  response.writeHead(200, { 'content-type': 'application/json' });
  more();
};

const drip: Responder = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 1000);
  response.on('close', () => clearInterval(timer));
};

/** Texts that act on a terminal or a CI runner. */
const ACTING = [
  '\u001b[2J\u001b]0;title\u0007\u001b]8;;http://x\u001b\\',
  '\r::error::gone\n::set-output name=x::y\n##vso[task.setvariable]x\n##[command]y\n\u009b31m\u202e\u200b\u0008',
  `your key is ${KEY}`,
].join(' ');

const hostile = (http: number): Responder =>
  envelope(http, ACTING, {
    message: ACTING,
    errors: [{ field: ACTING, message: ACTING }],
    data: { id: 'pay_1', status: ACTING, [ACTING]: [ACTING, { [ACTING]: ACTING }] },
  });

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

const expectClean = (text: string): void => {
  // Colours are bursar's own.
  expect(actingIn(text.replaceAll(COLOUR, '').replaceAll('\t', ''))).toBeUndefined();
  expect(text).not.toMatch(/^\s*::/m);
  expect(text).not.toMatch(/##\w*\[/);
};

const READS: readonly (readonly string[])[] = [
  ['pay', 'status', 'pay_1', '--timeout', '4'],
  ['order', 'list', '--timeout', '4', '--json'],
  ['pay', 'status', 'pay_1', '--wait', '--timeout', '4', '--debug'],
];

/** A call that changes something without a question. */
const WRITE = ['kyc', 'send-otp', '--email', 'payer@example.com', '--timeout', '4'];

describe('every call against a hostile server', () => {
  it.each([
    ['sends 2 GB', endless],
    ['drips a byte a second', drip],
  ])('that %s ends in time and in little memory', async (_, responder) => {
    // Each waits for its timeout, so all run at the same time.
    const all = [...READS, WRITE].map((args) => measuredAgainst(responder, args));
    for (const { code, memory, took } of await Promise.all(all)) {
      expect(code).toBe(5);
      expect(took).toBeLessThan(8000);
      expect(memory).toBeLessThan(MAX_MEMORY_KB);
    }
  });
});

describe.each(READS)('%s %s %s %s against a hostile server', (...args) => {
  it.each([200, 400, 500])(
    'prints no command for terminals and CI that the server sends, with HTTP %i',
    async (http) => {
      const { stdout, stderr } = await against(hostile(http), args);
      expectClean(stderr);
      expectClean(stdout);
      expect(stdout + stderr).not.toContain(KEY);
    },
  );

  it('follows no redirect, and its target never gets the key', async () => {
    const other = await startServer(envelope(200, 'payment_found', { data: {} }));
    const { code, received } = await against(
      raw(307, '', { location: `${other.url}/steal?${ACTING.replaceAll(/[^\x21-\x7e]/g, '')}` }),
      args,
    );
    expect({ code, calls: received.length, elsewhere: other.received }).toEqual({ code: 5, calls: 1, elsewhere: [] });
  });
});

describe('--debug of the program', () => {
  it('prints no key, code, personal data, card or signature, also when the service repeats them', async () => {
    const echo: Responder = ({ body, headers, path }, response) => {
      const said = `${body} ${JSON.stringify(headers)} ${path}`;
      return envelope(400, 'validation_error', {
        message: said,
        errors: [{ field: 'x', message: said }],
        data: { said },
      })({ body, headers, path, method: '' }, response);
    };
    const address = {
      country: 'BR',
      state: 'SP',
      city: 'x',
      neighborhood: 'x',
      street: 'Rua Secreta',
      street_number: '1',
      zipcode: '0',
    };
    const card = { number: '5555555555554444', cvv: '951', holder: 'Ana Payer' };
    const body = {
      payer_email: 'ana@example.com',
      payer_name: 'Ana Payer',
      payer_document: '52998224725',
      payer_document_type: 'CPF',
      card_data: { installments: 1, statement_descriptor: 'SHOP', card, address },
    };
    const create = ['pay', 'transaction', 'pay_1', '--transaction-type', 'cardfiat', '--body', '-', '--debug'];
    const commands: readonly (readonly [readonly string[], string])[] = [
      [create, JSON.stringify(body)],
      [['kyc', 'verify-otp', '--email', 'ana@example.com', '--code', '482915', '--debug'], ''],
      [['kyc', 'status', '--email', 'ana@example.com', '--debug', '--verbose'], ''],
      [['yield', 'broadcast', '--chain-name', 'solana', '--op-signed', SIGNED, '--yes', '--debug'], ''],
    ];
    for (const [args, stdin] of commands) {
      const { stderr, code } = await against(echo, args, stdin);
      expect(code).toBe(9);
      expect(stderr).toContain('> ');
      for (const hidden of [
        KEY,
        '482915',
        'ana@',
        'ana%40',
        'Ana Payer',
        '52998224725',
        '5555555555554444',
        // A port or a time may contain these digits.
        /(?<!\d)951(?!\d)/,
        'Rua Secreta',
        SIGNED.slice(0, 40),
        SIGNED.slice(-40),
      ]) {
        expect(stderr, args.join(' ')).not.toMatch(hidden);
      }
    }
  });
});
