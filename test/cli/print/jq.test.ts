import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AT_ONCE_MS } from '../../support/at-once.ts';
import { runBursar, startBursar } from '../../support/bursar.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, type Responder, raw, startServer } from '../../support/server.ts';

const DATA = `{"price":1.10,"big":1000000000000000001,"text":"a\\tb","evil":"\\u001b[2J\\u202ex\\n::error::y","list":[{"id":"one"},{"id":"two"}]}`;

const service = async (
  responder: Responder = raw(200, `{"statusCode":200,"success":true,"status":"quote_ok","message":"","data":${DATA}}`),
) => {
  const { url, received } = await startServer(responder);
  const { home, bursar } = await newHomeInProcess();
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
  const jq = (expression: string, ...more: string[]) =>
    bursar(['quote', 'BTC', 'USDT', '--jq', expression, ...more], { env });
  /** Runs bursar in its own process. */
  const alone = (expression: string) => runBursar(home, ['quote', 'BTC', 'USDT', '--jq', expression], { env });
  return { jq, alone, received, home, env };
};

describe('--jq', () => {
  it.each([
    ['.list[].id', 'one\ntwo\n'],
    ['.price, .big', '1.10\n1000000000000000001\n'],
    ['.list', '[{"id":"one"},{"id":"two"}]\n'],
    ['.list | map(.id) | @tsv', 'one\ttwo\n'],
    ['.text', 'a\tb\n'],
    ['empty', ''],
    ['.nothing, ""', 'null\n\n'],
    ['.list | length # how many', '2\n'],
  ])('%s prints %j: text unchanged, and all else as JSON, digit for digit', async (expression, stdout) => {
    const { jq } = await service();
    expect(await jq(expression)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('prints no command for a terminal or a CI log that a server sends', async () => {
    const { jq } = await service();
    for (const expression of ['.evil', '{evil}', '[.evil] | @tsv']) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that the output must not contain
      expect((await jq(expression)).stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]|^\s*::/m);
    }
  });

  it.each([
    ['.list[', /line 1, column/],
    ['.list |\n  nope(1)', /nope\/1 is not defined .*line 2/],
  ])('%j is exit 2 with the place of the error, before anything is sent', async (expression, place) => {
    const { jq, received } = await service();
    const { code, stdout, stderr } = await jq(expression);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(place);
    expect(stderr).not.toContain('empty end');
    expect(received).toEqual([]);
  });

  it('that does not fit the answer is exit 2 with the reason', async () => {
    const { jq } = await service();
    const { code, stderr } = await jq('.price.x');
    expect(code).toBe(2);
    expect(stderr).toContain('Cannot index number with');
    // The error names the fields of an object that is used as a list.
    expect((await jq('.[0]')).stderr).toMatch(/The input is an object: .*\bprice\b/);
  });

  it('applies after --fields and --envelope', async () => {
    const { jq } = await service();
    expect((await jq('keys | join(" ")', '--fields', 'price')).stdout).toBe('price\n');
    expect((await jq('.status', '--envelope')).stdout).toBe('quote_ok\n');
  });

  it('leaves stdout empty when the call fails, and with --json prints the error document', async () => {
    const { jq } = await service(envelope(400, 'pair_not_found'));
    const plain = await jq('.price');
    expect(plain.stdout).toBe('');
    expect(plain.stderr).toContain('pair_not_found');
    expect(JSON.parse((await jq('.price', '--json')).stdout).error.status).toBe('pair_not_found');
  });

  it('reads nothing of this machine', async () => {
    const { alone, home } = await service();
    const { stdout } = await alone('env, $ENV');
    expect(stdout).not.toContain(home);
    expect(stdout).not.toContain('key-of-the-test');
    expect((await alone('input_filename, ("/etc/passwd" | @json "\\(.)")')).stdout).not.toContain('root:');
  });

  it('without an end is stopped at once by Ctrl-C', async () => {
    const { home, env } = await service();
    const { child, ended } = startBursar(home, ['quote', 'BTC', 'USDT', '--jq', 'last(repeat(1))'], { env });
    await pause(2500);
    const start = Date.now();
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(Date.now() - start).toBeLessThan(AT_ONCE_MS);
  });

  it('prints a result of 2 MB completely', async () => {
    const orders = Array.from({ length: 20_000 }, (_, at) => ({ id: `cmb${at}`, note: 'x'.repeat(100) }));
    const { alone } = await service(envelope(200, 'quote_ok', { data: { orders } }));
    expect((await alone('.orders[].id')).stdout.split('\n')).toHaveLength(20_001);
  });
});
