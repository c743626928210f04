import { describe, expect, it } from 'vitest';
import { openNode } from '../../../src/client/node.ts';
import { systemHttp } from '../../../src/io/http/http.ts';
import { newHome, type Settings } from '../../support/bursar.ts';
import { CARD_ADDRESS } from '../../support/card-address.ts';
import { testIo } from '../../support/io.ts';
import { envelope, type Responder, startServer } from '../../support/server.ts';
import { certificateFor, type ProxyAnswer, startProxy, startTlsServer } from '../../support/tls.ts';

const KEY = 'key-that-no-proxy-sees';
const HOST = 'api.bursar.example';
const BUSY = 'HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n';

const found = envelope(200, 'payment_found', { data: { id: 'pay_1', status: 'success' } });

/** A service behind a proxy: its name has no address, so only the proxy reaches the service. */
const behind = async (
  options: { readonly respond?: Responder; readonly answer?: (port: number) => ProxyAnswer } = {},
) => {
  const certificate = await certificateFor(HOST);
  const service = await startTlsServer(certificate, options.respond ?? found);
  const proxy = await startProxy(() => options.answer?.(service.port) ?? { tunnelTo: service.port });
  const { bursar } = await newHome();
  const base = {
    BURSAR_BASE_URL: `https://${HOST}`,
    BURSAR_API_KEY: KEY,
    NODE_EXTRA_CA_CERTS: certificate.file,
    HTTPS_PROXY: `http://user:pa%25ss@127.0.0.1:${proxy.port}`,
  };
  const run = (args: readonly string[], settings: Settings = {}) =>
    bursar(args, { ...settings, env: { ...base, ...settings.env } });
  return { service, proxy, run };
};

const EXECUTE = [
  ...['pay', 'transaction', 'pay_1', '--transaction-type', 'cardfiat', '--body', '-'],
  ...['--amount-from', '10', '--from-currency-symbol', 'BRL'],
];

/** The payment as bursar reads it before the charge of a card. */
const SHOWN = envelope(200, 'payment_found', {
  data: { id: 'pay_1', status: 'registered', amount_from: '10', from_currency_symbol: 'BRL' },
});
const CARD = JSON.stringify({
  payer_email: 'payer@example.com',
  payer_name: 'Ana Payer',
  payer_document: '52998224725',
  payer_document_type: 'CPF',
  card_data: {
    installments: 1,
    statement_descriptor: 'S',
    card: { number: '4111111111111111' },
    address: CARD_ADDRESS,
  },
});

describe('through a proxy', () => {
  it('the service is reached; the proxy gets its own password, and never the API key', async () => {
    const { service, proxy, run } = await behind();
    const { code, stdout, stderr } = await run(['pay', 'status', 'pay_1', '--json', '--debug']);
    expect({ code, data: JSON.parse(stdout) }).toMatchObject({ code: 0, data: { id: 'pay_1' } });
    expect(service.received[0]?.headers['x-api-key']).toBe(KEY);
    expect(service.received[0]?.headers['proxy-authorization']).toBeUndefined();
    expect(proxy.seen.heads[0]).toMatch(new RegExp(`^CONNECT ${HOST}:443 HTTP/1\\.1\r\n`));
    const authorization = `Basic ${Buffer.from('user:pa%ss').toString('base64')}`;
    expect(proxy.seen.heads[0]?.toLowerCase()).toContain(`proxy-authorization: ${authorization}`.toLowerCase());
    expect(proxy.seen.heads.join() + proxy.seen.bytes).not.toContain(KEY);
    expect(proxy.seen.bytes.length).toBeGreaterThan(100);
    expect(stderr).not.toContain('pa%');
  });

  it.each([
    [
      'asks for a password',
      'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n',
      /407: it requires a user/,
    ],
    [
      'refuses the connection',
      'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n',
      /403: it does not allow this host/,
    ],
    ['is busy', BUSY, /503: it is not available/],
    ['speaks no HTTP', '220 smtp ready\r\n\r\n', /Parse Error/],
    ['hangs up', '', /socket hang up/],
    ['sends headers without end', `HTTP/1.1 200 OK\r\n${'x: yyyyyyyy\r\n'.repeat(20_000)}`, /Header overflow/i],
  ])('that %s, a card is not sent, and the error states that: exit 5', async (_, answer, words) => {
    const { service, run } = await behind({ answer: () => answer });
    const { code, stderr } = await run(EXECUTE, { stdin: CARD });
    expect(code).toBe(5);
    expect(stderr).toMatch(words);
    expect(stderr).toContain('The request was not sent.');
    expect(stderr).not.toContain('pa%');
    expect(service.received).toHaveLength(0);
  });

  it('that does not answer CONNECT, --timeout ends the call, and the request is not sent', async () => {
    const { proxy, run } = await behind({ answer: () => ({ tunnelTo: 1 }) });
    const start = performance.now();
    const { code, stderr } = await run([...EXECUTE, '--timeout', '2'], { stdin: CARD });
    expect(code).toBe(5);
    expect(stderr).toContain('The request was not sent.');
    expect(proxy.seen.bytes).not.toContain(KEY);
    expect(performance.now() - start).toBeLessThan(6000);
  });

  it('that does not run, the error names the proxy without its password', async () => {
    const { run } = await behind();
    const { code, stderr } = await run(['pay', 'status', 'p'], {
      env: { HTTPS_PROXY: 'http://u:secret-word@127.0.0.1:9' },
    });
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /the proxy from the environment refused the connection \(http:\/\/127\.0\.0\.1:9: .*ECONNREFUSED/,
    );
    expect(stderr).toMatch(/hint: .*Check HTTPS_PROXY.*\nnext: bursar doctor$/m);
    expect(stderr).not.toContain('secret-word');
  });

  it('that intercepts TLS, the certificate is refused, and the API key is not sent', async () => {
    const other = await startTlsServer(await certificateFor(HOST), found);
    const { run } = await behind({ answer: () => ({ tunnelTo: other.port }) });
    const { code, stderr } = await run(['pay', 'status', 'p']);
    expect(code).toBe(5);
    expect(stderr).toContain('this machine does not trust the issuer of the certificate');
    expect(other.received).toHaveLength(0);
  });

  it('a lost answer to a charge is exit 11, as without a proxy', async () => {
    const { service, run } = await behind({
      respond: (received, response) =>
        received.method === 'GET' ? SHOWN(received, response) : void response.socket?.destroy(),
    });
    const { code } = await run(EXECUTE, { stdin: CARD });
    expect(code).toBe(11);
    expect(service.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('bursar also connects to a node of the user', async () => {
    const proxy = await startProxy(() => BUSY);
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { io } = await testIo({ io: { http: systemHttp(new AbortController().signal, env) } });
    const node = openNode(io, 'https://node.example/v1/its-own-key', { deadline: io.clock.monotonic() + 5000 });
    await expect(node.ask('eth_chainId', [])).rejects.toThrow('answered CONNECT with HTTP 503');
    expect(proxy.seen.heads.map((head) => head.split('\r\n')[0])).toEqual(['CONNECT node.example:443 HTTP/1.1']);
  });
});

describe('without a proxy', () => {
  it('bursar connects to this machine, also when variables name a proxy', async () => {
    const { url, received } = await startServer(found);
    const proxy = await startProxy(() => BUSY);
    const { bursar } = await newHome();
    const to = `http://127.0.0.1:${proxy.port}`;
    const env = {
      BURSAR_BASE_URL: url,
      BURSAR_API_KEY: KEY,
      HTTP_PROXY: to,
      http_proxy: to,
      ALL_PROXY: to,
      HTTPS_PROXY: to,
    };
    expect((await bursar(['pay', 'status', 'pay_1'], { env })).code).toBe(0);
    expect(received).toHaveLength(1);
    expect(proxy.seen.heads).toEqual([]);
  });
});

describe('a certificate', () => {
  const direct = async (host: string, days: number, trusts: boolean) => {
    const certificate = await certificateFor(host, days);
    const { port, received } = await startTlsServer(certificate, found);
    const { bursar } = await newHome();
    const env = {
      BURSAR_BASE_URL: `https://localhost:${port}`,
      BURSAR_API_KEY: KEY,
      ...(trusts && { NODE_EXTRA_CA_CERTS: certificate.file }),
    };
    return { ...(await bursar(['pay', 'status', 'pay_1'], { env })), received };
  };

  it('that is trusted allows the call', async () => {
    expect((await direct('localhost', 30, true)).code).toBe(0);
  });

  it.each([
    [
      'without a trusted issuer',
      'localhost',
      30,
      false,
      'this machine does not trust the issuer',
      'NODE_EXTRA_CA_CERTS',
    ],
    ['that has expired', 'localhost', -1, true, 'has expired', 'clock'],
    ['of another host', 'other.example', 30, true, 'is for another host', 'address'],
  ])('%s is refused with a hint, and the API key is not sent', async (_, host, days, trusts, words, next) => {
    const { code, stderr, received } = await direct(host, days, trusts);
    expect(code).toBe(5);
    expect(stderr).toContain(words);
    expect(stderr.split('hint: ')[1]).toContain(next);
    expect(stderr).toMatch(/^next: bursar doctor$/m);
    expect(received).toHaveLength(0);
  });

  it('is missing when the server answers plain http: exit 5', async () => {
    const { url } = await startServer(found);
    const { bursar } = await newHome();
    const env = { BURSAR_BASE_URL: url.replace('http:', 'https:'), BURSAR_API_KEY: KEY };
    const { code, stderr } = await bursar(['pay', 'status', 'pay_1'], { env });
    expect(code).toBe(5);
    expect(stderr).toContain('does not speak TLS');
  });
});
