import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AREAS } from '../../../src/cli/command/areas.ts';
import type { Endpoint } from '../../../src/contract/define.ts';
import { ENDPOINTS } from '../../../src/contract/index.ts';
import { isCredential } from '../../../src/core/secret.ts';
import { cardFields } from '../../sandbox/money.ts';
import { newEvmKey } from '../../support/cheap-key.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, startServer } from '../../support/server.ts';

/** Characters that a shell interprets. */
const ODD = 'it\'s "odd" $HOME `id` \\ !! @file é漢 a\nb';

/** Commands whose words differ from the id of their endpoint. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'quote.market': ['quote'],
  'products.list': ['products'],
  'yield.strategies-of': ['yield', 'strategies'],
  'yield.opportunities-of': ['yield', 'opportunities'],
};

const flag = (name: string) => `--${name.replaceAll('_', '-')}`;
const options = (input: object) => Object.entries(input).flatMap(([name, value]) => [flag(name), String(value)]);

/** Fields that are arguments of a command, besides the fields of the path. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'pay.transaction': ['payment_id'],
  'pay.execute': ['payment_id'],
  'quote.market': ['from', 'to'],
};

/** The command line of an endpoint's example: paths and queries as words, the body from standard input. */
const commandOf = (endpoint: Endpoint) => {
  const { id, params = {}, query, body, example } = endpoint;
  const names = [...Object.keys(params), ...(ARGUMENTS[id] ?? [])];
  const rest = Object.fromEntries(Object.entries(example).filter(([name]) => !names.includes(name)));
  const words = [...(WORDS[id] ?? id.split('.')), ...names.map((name) => String(example[name]))];
  if (id === 'pay.execute') return { args: [...words, '--signed-transaction', '0x02ab'], stdin: '' };
  if (body) return { args: [...words, '--body', '-'], stdin: JSON.stringify({ ...rest, x_note: ODD }) };
  return { args: [...words, ...(query ? options(rest) : [])], stdin: '' };
};

/** A body as --dry-run shows it, with masked codes and signed bytes. */
const shownBody = (body: object) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, isCredential(name) ? '********' : value]));

describe.each(ENDPOINTS)('$id with --curl', (endpoint) => {
  it('sends nothing, and prints a shell line that sends the request of bursar', async () => {
    const { url, received } = await startServer(envelope(400, 'no'));
    const { home, bursar } = await newHomeInProcess();
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
    const { args, stdin } = commandOf(endpoint);
    const shown = await bursar([...args, '--curl'], { env, stdin });
    // bursar sends an undocumented field with a warning.
    const said = shown.stderr.replace(/^warning: --body: .* x_note\..*\n/, '');
    expect({ said, code: shown.code, received }).toEqual({ said: '', code: 0, received: [] });
    const dry = await bursar([...args, '--dry-run', '--json'], { env, stdin });
    // An update must read the order to show its changes.
    expect(received.splice(0).filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(shown.stdout).toContain('"x-api-key: $BURSAR_API_KEY"');
    expect(shown.stdout + dry.stdout).not.toContain('key-of-the-test');
    execFileSync('bash', ['-n', '-c', shown.stdout]);
    const everywhere = { http_proxy: 'http://127.0.0.1:9', all_proxy: 'http://127.0.0.1:9' };
    const shell = { PATH: process.env['PATH'] ?? '', HOME: home, ...env, ...everywhere };
    await promisify(execFile)('bash', ['-c', shown.stdout], { env: shell });
    const document = JSON.parse(dry.stdout);
    expect(received).toHaveLength(1);
    expect(received[0]?.method).toBe(document.method);
    expect(url + received[0]?.path).toBe(document.url);
    expect(received[0]?.headers['x-api-key']).toBe('key-of-the-test');
    if (endpoint.body) expect(shownBody(JSON.parse(received[0]?.body ?? ''))).toEqual(document.body);
    else expect(received[0]?.body).toBe('');
  });
});

describe('a card', () => {
  const TRANSACTION = ['pay', 'transaction', 'pay_1', '--body', '-'];

  const open = async (card: Readonly<Record<string, unknown>>) => {
    const { url, received } = await startServer(envelope(400, 'no'));
    const { home, bursar } = await newHomeInProcess();
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
    const stdin = JSON.stringify({ ...cardFields(card), payer_email: 'payer@example.com', payer_name: ODD });
    return { received, home, env, stdin, run: (flag: string) => bursar([...TRANSACTION, flag], { env, stdin }) };
  };

  it('with a token is printed without the token, and the line reads the token from the environment', async () => {
    const { received, home, env, stdin, run } = await open({ card_token: 'tok_5fGh1' });
    const [curl, dry] = [await run('--curl'), await run('--dry-run')];
    expect([curl.code, dry.code, curl.stderr]).toEqual([0, 0, '']);
    expect(curl.stdout + dry.stdout).not.toContain('tok_5fGh1');
    const shell = { PATH: process.env['PATH'] ?? '', HOME: home, ...env, CARD_TOKEN: 'tok_5fGh1' };
    await promisify(execFile)('bash', ['-c', curl.stdout], { env: shell });
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ ...JSON.parse(stdin), payment_id: 'pay_1' });
  });

  it('with raw details has no --curl line: exit 2', async () => {
    const { run } = await open({ card: { number: '4111111111111111' } });
    const { code, stdout, stderr } = await run('--curl');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--curl never prints card details');
    expect((await run('--dry-run')).stdout).not.toContain('4111');
  });
});

describe('pay run --curl', () => {
  const answering = async (id: string | undefined) => {
    const { url, received } = await startServer((one, response) =>
      (id === undefined
        ? envelope(400, 'validation_error')
        : envelope(201, 'payment_registered', { data: { payment_id: id } }))(one, response),
    );
    const { home, bursar } = await newHomeInProcess();
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
    const money = '--amount-from 10 --from-currency-symbol BRL --to-currency-symbol USDT --to-chain polygon';
    const split = `--split 0x${'1'.repeat(40)}=100 --public-client-id c_${'0'.repeat(32)} --webhook-url https://a.example/h`;
    const payer = '--transaction-type pixcrypto --payer-email a@example.com --payer-cpf 52998224725';
    const shown = await bursar(['pay', 'run', ...`${money} ${split} ${payer} --curl`.split(' ')], { env });
    expect([shown.code, shown.stderr, received.length]).toEqual([0, '', 0]);
    const shell = { PATH: process.env['PATH'] ?? '', HOME: home, ...env };
    await promisify(execFile)('bash', ['-c', shown.stdout], { env: shell }).catch(() => undefined);
    return received.map(({ path, body }) => ({ path, body: JSON.parse(body) }));
  };

  // The script reads the first answer with jq. Every image of the CI has jq; elsewhere: apt-get install jq.
  it('is a script whose second call has the payment id of the first answer', async () => {
    const [first, second, ...more] = await answering('pay_"odd\\" $HOME');
    expect(first).toMatchObject({ path: '/payment/register/intents-create-order', body: { amount_from: '10' } });
    expect(second?.path).toBe('/payment/register/intents-create-transaction');
    expect(second?.body).toMatchObject({ payment_id: 'pay_"odd\\" $HOME', payer_email: 'a@example.com' });
    expect(more).toEqual([]);
  });

  it('makes no second call when the first is refused', async () => {
    expect(await answering(undefined)).toHaveLength(1);
  });
});

it('pay execute --curl without signed bytes is exit 2 and names pay sign', async () => {
  const { bursar, home } = await newHomeInProcess();
  const env = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };
  await newEvmKey(home, 'treasury');
  const { code, stderr } = await bursar(['pay', 'execute', 'pay_1', '--curl'], { env });
  expect(code).toBe(2);
  expect(stderr).toContain('next: bursar pay sign pay_1 --key treasury --jq .signed_transaction');
});

it('every command with --dry-run is an endpoint, any request, or one of five flows', async () => {
  const leaves = (await Promise.all(AREAS.map(({ load }) => load()))).flat();
  const showing = leaves.filter(({ supportsDryRun }) => supportsDryRun).map(({ words }) => words.join(' '));
  const known = ENDPOINTS.map((endpoint) => WORDS[endpoint.id]?.join(' ') ?? endpoint.id.replace('.', ' '));
  expect(showing.filter((words) => !known.includes(words)).toSorted()).toEqual([
    ...['api', 'kyc wallet-prove', 'order apply', 'order disable', 'order enable', 'pay run'],
  ]);
});
