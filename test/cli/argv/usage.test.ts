import { describe, expect, it } from 'vitest';
import { AREAS } from '../../../src/cli/command/areas.ts';
import { newHome } from '../../support/bursar.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, startServer } from '../../support/server.ts';

const LIVE = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };

describe('help', () => {
  it('of the program lists every area on stdout: exit 0', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout, stderr } = await bursar(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { name } of AREAS) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  });

  it('is the same by the word and by the option, with an example', async () => {
    const { bursar } = await newHomeInProcess();
    const [word, option] = await Promise.all([bursar(['help', 'order', 'list']), bursar(['order', 'list', '--help'])]);
    expect(word).toEqual(option);
    expect(word.stdout).toContain('$ bursar order list');
  });

  it.each([
    [['help', 'nope'], 'nope', undefined],
    [['ordr', 'list'], 'ordr', 'order'],
    [['help', 'order', 'lst'], 'lst', 'list'],
  ])('%s is exit 2, and the error names the unknown word', async (args, word, suggestion) => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout, stderr } = await bursar(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(word);
    if (suggestion) expect(stderr).toContain(`Did you mean ${suggestion}?`);
  });
});

describe('a wrong option or argument', () => {
  const TWICE = ['pay', 'register', '--amount-from', '10', '--amount-from', '20'];
  it.each([
    [TWICE, '--amount-from is given twice'],
    [['quote', 'A', 'B', '--profile', 'a', '--profile', 'b'], '--profile is given twice'],
    [['order', 'list', '--on-ramp=false'], '--on-ramp takes no value\nhint: Its opposite is --no-on-ramp.'],
    [['key', 'list', '--quiet=false'], '--quiet takes no value'],
    [['order', 'list', '--js'], 'Did you mean --json?'],
    [['pay', 'run', '--receivers', 'x'], 'Did you mean --split?'],
    [['pay', 'run', '--ammount', '10'], 'Did you mean --amount-from?'],
    [['pay', 'run', '--reciever', 'x'], 'Did you mean --split?'],
    [['sandbox', 'kyc', 'a@example.com', '--refuse'], 'Did you mean --decline?'],
    [['sandbox', 'card', 'pay_1', '--decline'], 'Did you mean --refuse?'],
    [['pay', 'run', '--split-payment-config', 'x'], 'Did you mean --split?'],
    [['pay', 'run', '--token', 'x'], 'Did you mean --payer-token-symbol or --card-token?'],
    [['login', '--apikey', 'x'], 'Secrets are never options'],
    [['pay', 'list', '--profile', '--all'], '--profile needs a value: --profile NAME'],
    [['pay', 'list', '--profile'], '--profile needs a value: --profile NAME'],
    [['--base-url', '--', 'pay', 'list'], '--base-url needs a value'],
    [['order', 'list', '--gateway-method', 'sub'], 'Did you mean subs?'],
    [['order', 'list', 'all'], 'bursar order list takes no argument, and there is also "all"'],
    [['--quiet'], 'no command was given'],
    [['key', 'list', '--timeout', '0'], 'above 0'],
    [['order', 'list', '--fields', ''], '--fields names no field'],
  ])('%j is exit 2, and the error names the correction', async (args, says) => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout, stderr } = await bursar(args, { env: LIVE });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });

  it('an extra argument beside a key is not repeated, because it may be a password', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stderr } = await bursar(['key', 'new', 'treasury', 'hunter2', '--chain', 'evm']);
    expect(code).toBe(2);
    expect(stderr).not.toContain('hunter2');
  });

  it.each([
    ['pay run --body p.json --key treasury --password-stdin hunter'],
    ['whoami sk_live_0123456789'],
    ['order list -phunter'],
  ])('%s: the error does not repeat a possible secret', async (line) => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout, stderr } = await bursar([...line.split(' '), '--json']);
    expect(code).toBe(2);
    expect(stdout + stderr).not.toMatch(/hunter|sk_live/);
  });

  it('a switch may be given twice, and the last of two timeouts counts', async () => {
    const { bursar } = await newHomeInProcess();
    expect((await bursar(['key', 'list', '--timeout', 'x', '--timeout', '60'])).code).toBe(0);
    expect((await bursar(['key', 'list', '--json', '--json'])).code).toBe(0);
  });

  it('help lists the --no- form of a switch', async () => {
    const { bursar } = await newHomeInProcess();
    expect((await bursar(['help', 'order', 'create'])).stdout).toMatch(/^ {2}--no-on-ramp /m);
    expect((await bursar(['help', 'order', 'list'])).stdout).toMatch(/^ {2}--no-active /m);
  });
});

describe('missing or wrong input', () => {
  it.each([
    [['order', 'list', '--nope'], 'bursar help order list'],
    [['quote', 'BTC', 'USDT', '--nope'], 'bursar help quote'],
    [['order', 'lst'], 'bursar help order list'],
    [['order', 'list', '--timeout', '0'], 'bursar help order list'],
    [['order', 'list', '--jq', '.['], 'bursar help order list'],
    [['smoke', 'list', '--dry-run'], 'bursar help smoke list'],
    [['order', 'nothing'], 'bursar help order'],
    [['nope'], 'bursar help'],
    [['helpp'], 'bursar help'],
  ])('%s: the next command is the most specific help', async (args, next) => {
    const { bursar } = await newHomeInProcess();
    expect((await bursar(args)).stderr.split('\n')).toContain(`next: ${next}`);
  });

  it('is listed in one error, by option, without a stack trace, and nothing is sent', async () => {
    const { bursar } = await newHomeInProcess();
    const { url, received } = await startServer(envelope(201, 'payment_registered', { data: { payment_id: 'pay_1' } }));
    const { code, stdout, stderr } = await bursar(['pay', 'register'], { env: { ...LIVE, BURSAR_BASE_URL: url } });
    expect({ code, stdout, received }).toEqual({ code: 2, stdout: '', received: [] });
    for (const option of ['public-client-id', 'webhook-url', 'allow', 'split', 'amount-from', 'to-chain']) {
      expect(stderr).toContain(`--${option}: required`);
    }
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('of pay run includes --key and omits --payer-wallet, which follows from the key', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stderr } = await bursar(['pay', 'run']);
    expect(code).toBe(2);
    expect(stderr).toContain('--key: required');
    expect(stderr).toContain('--payer-email: required');
    expect(stderr).not.toContain('--payer-wallet');
  });

  it('with --json is one document on stdout, and stderr is empty', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout, stderr } = await bursar(['pay', 'status', '--json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'invalid_input', errors: [{ field: 'id', option: 'PAYMENT_ID', message: 'required' }] },
    });
  });

  const base = ['pay', 'register', '--public-client-id', `c_${'0'.repeat(32)}`, '--webhook-url', 'https://a.example/h'];
  const money = ['--from-currency-symbol', 'USDT', '--to-currency-symbol', 'USDT', '--to-chain', 'polygon'];
  it.each([
    ['percentages short of 100', ['--split', '0x1=70', '--split', '0x2=29.99'], '--split', '99.99'],
    [
      'percentages that only floating point sums to 100',
      ['--split', '0x1=33.1', '--split', '0x2=66.89999999999999999'],
      '--split',
      '99.99999999999999999',
    ],
    ['an amount in words', ['--amount-from', '1e3'], '--amount-from', 'decimal'],
    ['an amount with a sign', ['--amount-from=-5'], '--amount-from', 'decimal'],
    ['on-ramp with Pix', ['--allow', 'pixcrypto', '--on-ramp'], '--on-ramp', 'Pix'],
  ])('%s: exit 2, and the error names the option', async (_, args, option, word) => {
    const { bursar } = await newHomeInProcess();
    const rest = args.includes('--split') ? [] : ['--split', '0x1=100'];
    const amount = args.join(' ').includes('--amount-from') ? [] : ['--amount-from', '10'];
    const allow = args.includes('--allow') ? [] : ['--allow', 'crypto'];
    const { code, stderr } = await bursar([...base, ...money, ...rest, ...amount, ...allow, ...args], { env: LIVE });
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^ {2}${option}: .*${word}`, 'm'));
  });

  it('with --json is named by an existing option: --body for a field without its own option', async () => {
    const { bursar } = await newHomeInProcess();
    const optionsOf = async (args: readonly string[], stdin = '') => {
      const { stdout } = await bursar([...args, '--json'], { env: LIVE, stdin });
      return JSON.parse(stdout).error.errors.map(({ option }: { option?: string }) => option);
    };
    expect(await optionsOf(['order', 'update', 'order_1'])).toEqual(['--body']);
    const card = { statement_descriptor: 'x', card_token: 't', installments: 2 };
    const body = JSON.stringify({ transaction_type: 'cardfiat', card_data: card });
    const named = await optionsOf(['pay', 'transaction', 'pay_1', '--body', '-'], body);
    expect(named).toContain('--body');
    expect(named.every((option: string) => /^--[a-z-]+$/.test(option))).toBe(true);
  });

  it('of kyc verify-otp names the same options for the code, with and without --email', async () => {
    const { bursar } = await newHomeInProcess();
    const CODE = '--code-stdin or --code';
    for (const args of [[], ['--email', 'a@example.com']]) {
      const { code, stdout } = await bursar(['kyc', 'verify-otp', ...args, '--json'], { env: LIVE });
      const options = JSON.parse(stdout).error.errors.map(({ option }: { option: string }) => option);
      expect([code, options]).toEqual([2, args.length === 0 ? ['--email', CODE] : [CODE]]);
    }
  });

  it('profile remove sandbox is exit 2 when that profile has no settings', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stderr } = await bursar(['profile', 'remove', 'sandbox']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is built in and has no settings')]);
  });

  it('a value for a switch: the error names both forms of the switch', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stderr } = await bursar(['order', 'create', '--on-ramp', 'false'], { env: LIVE });
    expect([code, stderr]).toEqual([2, expect.stringContaining('takes no value: give --on-ramp or --no-on-ramp.')]);
  });

  it.each([
    ['card_data.installments in --body', { installments: 2 }, '1'],
    ['--address-city', { installments: 1 }, 'required'],
  ])('in a nested body is named by its option or its path: %s', async (named, card, word) => {
    const { bursar } = await newHomeInProcess();
    const body = {
      transaction_type: 'cardfiat',
      payer_email: 'a@example.com',
      payer_name: 'A',
      payer_document: '1',
      payer_document_type: 'CPF',
      payer_ip: '203.0.113.7',
      session_id: 's',
      card_data: { statement_descriptor: 'x', card_token: 't', address: {}, ...card },
    };
    const { code, stderr } = await bursar(['pay', 'transaction', 'pay_1', '--body', '-'], {
      env: LIVE,
      stdin: JSON.stringify(body),
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`${named.replaceAll('.', '\\.')}: .*${word}`));
  });

  it.each([
    ['{"a":', 'not valid JSON'],
    ['[1]', 'must be an object'],
    ['a: [', 'not valid JSON or YAML'],
    ['{"a":1,"a":2}', 'Duplicate key'],
  ])('a body %s: exit 2 with the reason', async (stdin, word) => {
    const { bursar } = await newHomeInProcess();
    const { code, stderr } = await bursar(['pay', 'register', '--body', '-'], { env: LIVE, stdin });
    expect(code).toBe(2);
    expect(stderr).toContain(word);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('a YAML body keeps its digits, and options override its fields', async () => {
    const { bursar } = await newHomeInProcess();
    const yaml = [
      'tenant_data:',
      `  public_client_id: c_${'0'.repeat(32)}`,
      '  webhook_url: https://a.example/h',
      'payment_method_allowed: { crypto: true }',
      'split_payment_config:',
      '  - { receiver_wallet: "0x1111111111111111111111111111111111111111", receiver_percent: 33.330 }',
      '  - { receiver_wallet: "0x2222222222222222222222222222222222222222", receiver_percent: 66.670 }',
      'from_currency_symbol: USDT',
      'amount_from: "10"',
      'to_currency_symbol: USDT',
      'to_chain: polygon',
    ].join('\n');
    const args = ['pay', 'register', '--body', '-', '--amount-from', '12.50', '--dry-run', '--json'];
    const { code, stdout } = await bursar(args, { env: LIVE, stdin: yaml });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).body.amount_from).toBe('12.50');
    expect(stdout).toContain('"receiver_percent": 33.330');
  });

  it.each([['sandbox reset --yes'], ['key new k --chain evm'], ['key list'], ['pay sign pay_1 --key k']])(
    '%s with --dry-run is exit 2, and no key is created',
    async (line) => {
      const { bursar } = await newHomeInProcess();
      const env = { ...LIVE, BURSAR_KEY_PASSWORD: 'pw' };
      const { code, stderr } = await bursar([...line.split(' '), '--dry-run'], { env });
      expect(code).toBe(2);
      expect(stderr).toContain('--dry-run');
      expect((await bursar(['key', 'list'])).stdout).toBe('');
    },
  );

  it('a missing body file is exit 2, and the error names the file', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stderr } = await bursar(['pay', 'register', '--body', './none.json'], { env: LIVE });
    expect({ code, named: stderr.includes('./none.json') }).toEqual({ code: 2, named: true });
  });

  it('a symbol with an invalid character is exit 2 before any call', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stderr } = await bursar(['quote', 'B!TC', 'USDT'], { env: LIVE });
    expect(code).toBe(2);
    expect(stderr).toContain('FROM:');
  });
});

describe('an option for a secret', () => {
  it.each(['--api-key', '--password', '--private-key', '--mnemonic'])(
    '%s does not exist, and the error does not repeat its value',
    async (flag) => {
      const { bursar } = await newHomeInProcess();
      const { code, stdout, stderr } = await bursar(['quote', 'BTC', 'USDT', `${flag}=hunter2`], { env: LIVE });
      expect(code).toBe(2);
      expect(stderr).toContain('BURSAR_API_KEY_FILE');
      expect(stdout + stderr).not.toContain('hunter2');
    },
  );
});

describe('the choice of the service', () => {
  it('without a terminal and settings: exit 4, and the error names --profile sandbox', async () => {
    const { bursar } = await newHome();
    const { code, stderr } = await bursar(['quote', 'BTC', 'USDT']);
    expect(code).toBe(4);
    expect(stderr).toContain('--profile sandbox');
  });

  it.each([
    ['a key without a base URL', { BURSAR_API_KEY: 'k' }, []],
    ['plain http beyond this machine', { BURSAR_BASE_URL: 'http://api.example', BURSAR_API_KEY: 'k' }, []],
    ['a profile and a base URL', { BURSAR_PROFILE: 'sandbox', BURSAR_BASE_URL: 'https://api.example' }, []],
    ['an unknown profile', {}, ['--profile', 'nope']],
    ['a key file that is missing', { BURSAR_BASE_URL: 'https://api.example', BURSAR_API_KEY_FILE: '/none' }, []],
  ])('%s: exit 2', async (_, env, args) => {
    const { bursar } = await newHomeInProcess();
    expect((await bursar(['quote', 'BTC', 'USDT', ...args], { env })).code).toBe(2);
  });

  it('whoami with a key but no base URL: exit 2, and the next command is bursar login', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stderr } = await bursar(['whoami', '--offline'], { env: { BURSAR_API_KEY: 'k' } });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('next: bursar login --base-url "$BASE_URL" --api-key-file "$API_KEY_FILE"\n'),
    ]);
  });

  it('a base URL without a key: exit 4, before any call', async () => {
    const { bursar } = await newHomeInProcess();
    const { code } = await bursar(['quote', 'BTC', 'USDT'], { env: { BURSAR_BASE_URL: LIVE.BURSAR_BASE_URL } });
    expect(code).toBe(4);
  });
});
