import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runBursar, startBursar } from '../../support/bursar.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { startJourney } from '../../support/journey.ts';
import { envelope, type Responder, raw, startServer } from '../../support/server.ts';

const KEY = 'key-of-the-test-0123456789';

/** A service that answers everything, and `bursar api` with its key. */
const newService = async (respond: Responder = envelope(200, 'found', { data: { n: 1 } }), prefix = '') => {
  const { url, received } = await startServer(respond);
  const { home, bursar } = await newHomeInProcess();
  const env = { BURSAR_BASE_URL: url + prefix, BURSAR_API_KEY: KEY };
  const api = (args: readonly string[], stdin?: string) =>
    bursar(['api', ...args], { env, ...(stdin !== undefined && { stdin }) });
  return { url, home, received, api };
};

const json = (body: string) => raw(200, body, { 'content-type': 'application/json' });

describe('the request of api', () => {
  it('has the key of the profile, the path, and the fields of a GET as its query', async () => {
    const { api, received } = await newService();
    const { code, stdout } = await api(['get', 'config/any?a=1', '--field', 'b=2', '--raw-field', 'c=x y', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, { n: 1 }]);
    expect(received).toMatchObject([{ method: 'GET', path: '/config/any?a=1&b=2&c=x+y', body: '' }]);
    expect(received[0]?.headers).toMatchObject({ 'x-api-key': KEY });
  });

  it.each<[string, readonly string[], unknown]>([
    ['literals and text', ['a=true', 'b=null', 'c=x', 'd='], { a: true, b: null, c: 'x', d: '' }],
    ['objects and lists', ['o[p][q]=1', 'o[r]=x', 'l[]=1', 'l[]=2'], { o: { p: { q: 1 }, r: 'x' }, l: [1, 2] }],
    ['an object in a list', ['l[][a]=1', 'l[][a]=2'], { l: [{ a: 1 }, { a: 2 }] }],
    ['text that only looks like a number', ['a=01', 'b=1.', 'c=+1', 'd=0x1'], { a: '01', b: '1.', c: '+1', d: '0x1' }],
  ])('has fields as the JSON body of other methods: %s', async (_, fields, body) => {
    const { api, received } = await newService();
    const { code } = await api(['PUT', '/x', ...fields.flatMap((field) => ['--field', field])]);
    expect(code).toBe(0);
    expect([received[0]?.method, JSON.parse(received[0]?.body ?? '')]).toEqual(['PUT', body]);
  });

  it('keeps numbers digit for digit, in fields and in --input, and prints those of the answer so', async () => {
    const big = '1000000000000000001';
    const { api, received } = await newService(
      json(`{"statusCode":200,"success":true,"status":"ok","data":{"n":${big}}}`),
    );
    const { stdout } = await api(['POST', '/x', '--field', `n=${big}`, '--field', 'm=1.10', '--json']);
    await api(['POST', '/x', '--input', '-', '--field', 'q=1'], `{ "n": ${big} }`);
    expect(received.map(({ path, body }) => [path, body])).toEqual([
      ['/x', `{"n":${big},"m":1.10}`],
      ['/x?q=1', `{ "n": ${big} }`],
    ]);
    expect(stdout).toContain(big);
  });

  it('takes the text of a file for a field', async () => {
    const { api, home, received } = await newService();
    await writeFile(join(home, 'note.txt'), 'two\nlines');
    await api(['POST', '/x', '--field', 'note=@note.txt', '--raw-field', 'at=@note.txt']);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ note: 'two\nlines', at: '@note.txt' });
  });

  it.each<[string, readonly string[], string]>([
    ['an address', ['GET', 'https://other.example/x'], 'without a host'],
    ['another host', ['GET', '//other.example/x'], 'without a host'],
    ['a host by backslashes', ['GET', '\\\\other.example'], 'no backslash'],
    ['dots', ['GET', '/x/../y'], 'no . and ..'],
    ['escaped dots', ['GET', '/%2e%2E/y'], 'no . and ..'],
    ['an escaped slash', ['GET', '/..%2fadmin'], 'no escape of a slash'],
    ['an escaped backslash', ['GET', '/..%5Cadmin'], 'no escape of a slash'],
    ['an escaped percent sign', ['GET', '/%252e%252e/admin'], 'or a percent sign'],
    ['a semicolon', ['GET', '/..;/admin'], 'no semicolon'],
    ['half an escape', ['GET', '/x%2'], 'no escape of a slash'],
    ['an escape that is no UTF-8', ['GET', '/x%ff'], 'no UTF-8'],
    ['a body of a GET', ['GET', '/x', '--input', '-'], 'a GET has no body'],
    ['another method in a header', ['GET', '/x', '--header', 'X-HTTP-Method-Override: POST'], 'METHOD and PATH alone'],
    ['another path in a header', ['GET', '/x', '--header', 'X-Original-URL: /y'], 'METHOD and PATH alone'],
    ['a header of the connection', ['GET', '/x', '--header', 'Trailer: x'], 'belongs to the connection'],
    ['a header twice', ['GET', '/x', '--header', 'A: 1', '--header', 'a: 2'], 'a is given twice'],
    ['shell syntax in a header', ['GET', '/x', '--header', 'a`id`-token: b'], 'is not NAME:VALUE'],
    ['a field of null', ['POST', '/x', '--field', 'a=null', '--field', 'a[b]=1'], 'contradicts'],
    ['a fragment', ['GET', '/x#y'], 'no fragment'],
    ['a space', ['GET', '/x y'], 'only ASCII'],
    ['an unknown method', ['FETCH', '/x'], '"FETCH" is none of GET'],
    ['a field without a value', ['POST', '/x', '--field', 'a'], '--field: "a" is not NAME=VALUE'],
    ['a wrong name', ['POST', '/x', '--field', 'a[b=1'], 'is no name'],
    ['the name __proto__', ['POST', '/x', '--field', 'a[__proto__][b]=1'], '__proto__'],
    ['a list that is an object', ['POST', '/x', '--field', 'a[]=1', '--field', 'a[b]=1'], 'contradicts'],
    ['a field twice', ['POST', '/x', '--field', 'a=1', '--field', 'a=2'], 'contradicts'],
    ['a body that is not JSON', ['POST', '/x', '--input', '-'], '--input: standard input is not JSON'],
    ['another key', ['GET', '/x', '--header', 'X-Api-Key: stolen'], 'the API key is that of the profile'],
    ['a header with a line break', ['GET', '/x', '--header', 'a: b\nc: d'], 'is not NAME:VALUE'],
    ['pages of a POST', ['POST', '/x', '--paginate'], '--paginate is for GET'],
    ['pages with a page', ['GET', '/x?page=2', '--paginate'], 'sets page itself'],
    ['pages with headers', ['GET', '/x', '--paginate', '--include'], 'goes without --include'],
  ])('with %s is exit 2, and nothing is sent', async (_, args, message) => {
    const { api, received } = await newService();
    const { code, stdout, stderr } = await api(args, 'no json');
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(received).toEqual([]);
  });

  it('stays below the path of the service', async () => {
    const { api, received } = await newService(undefined, '/v1');
    expect((await api(['GET', '/../admin'])).code).toBe(2);
    expect((await api(['GET', '/a.b/..c/d%20e?q=%7E&f;g=../\\h', '--field', 'n=1'])).code).toBe(0);
    expect(received.map(({ path }) => path)).toEqual(['/v1/a.b/..c/d%20e?q=%7E&f;g=../\\h&n=1']);
  });

  it('is shown by --dry-run and --curl, without the values of secret headers', async () => {
    const { api, url, received } = await newService();
    const args = ['POST', '/x', '--field', 'a=1', '--header', 'Authorization: Bearer s3cret', '--header', 'X-Trace: 7'];
    const shown = JSON.parse((await api([...args, '--dry-run', '--json'])).stdout);
    expect(shown).toMatchObject({ method: 'POST', url: `${url}/x`, headers: { 'x-trace': '7' }, body: { a: 1 } });
    const { stdout } = await api([...args, '--curl']);
    expect(stdout).toContain('--header "authorization: $AUTHORIZATION"');
    expect(JSON.stringify(shown) + stdout).not.toMatch(new RegExp(`s3cret|${KEY}`));
    expect(received).toEqual([]);
  });
});

describe('secrets of a request of api', () => {
  const CARD = ['--raw-field', 'card_data[card][number]=4111111111111111'];

  it.each<[string, readonly string[]]>([
    ['the API key in the query', ['GET', `/x?a=${KEY}`]],
    ['the API key in a header', ['GET', '/x', '--header', `X-Note: ${KEY}`]],
    ['the API key in the body', ['POST', '/x', '--raw-field', `note=${KEY}`]],
    ['a code in the query', ['GET', '/x', '--field', 'code=4111111111111111']],
    ['a code as a number', ['POST', '/x', '--field', 'code=4111111111111111']],
    ['a card', ['POST', '/x', ...CARD]],
    ['a password', ['POST', '/x', '--raw-field', 'a[0][password]=4111111111111111']],
  ])('are not shown by --dry-run and refused by --curl: %s', async (_, args) => {
    const { api, received } = await newService();
    const shown = await api([...args, '--dry-run', '--json']);
    const refused = await api([...args, '--curl']);
    expect([shown.code, refused.code]).toEqual([0, 2]);
    expect(shown.stdout + refused.stdout + refused.stderr).not.toMatch(new RegExp(`4111111|${KEY}`));
    expect(received).toEqual([]);
  });

  it('are variables in the next command', async () => {
    const { api } = await newService();
    const secret = [
      '--header',
      'Authorization: Bearer s3cr3tvalue',
      '--raw-field',
      'signed_transaction=0xdeadbeef',
      ...CARD,
    ];
    const { code, stderr } = await api(['POST', '/payment/execute/on-chain', '--field', 'payment_id=p', ...secret]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/next: bursar api POST \/payment\/execute\/on-chain --field payment_id=p .*--yes/);
    expect(stderr).not.toMatch(/s3cr3t|deadbeef|4111/);
  });

  it.each(['?api_key=s3cr3tvalue', '?a=1&Access_Token=s3cr3tvalue', '?x=1&cvv=s3cr3tvalue', '?my_secret=s3cr3tvalue'])(
    'in the path %s are a variable in the next command, and in no other output',
    async (query) => {
      const { api } = await newService();
      for (const more of [[], ['--json'], ['--debug'], ['--curl'], ['--dry-run']]) {
        const { stdout, stderr } = await api(['POST', `/payment/execute/on-chain${query}`, ...more]);
        expect(stdout + stderr).not.toContain('s3cr3tvalue');
        if (more.length === 0) expect(stderr).toContain('next: bursar api POST "$API_PATH" --yes');
      }
    },
  );

  it.each([
    ['?callback=https://x.example/?session=s3cr3t', '"$API_PATH"'],
    ['?email=ana@example.com', '"$API_PATH"'],
    ['?payment_id=p', "'/payment/execute/on-chain?payment_id=p'"],
    ['', '/payment/execute/on-chain'],
  ])('and the query %j is %s in the next command', async (query, word) => {
    const { api } = await newService();
    const { stderr } = await api(['POST', `/payment/execute/on-chain${query}`]);
    expect(stderr).toContain(`next: bursar api POST ${word} --yes`);
  });

  it('are masked in an answer and in an error that repeat them', async () => {
    const echo = 'token s3cr3tvalue cookie c00kievalue pair alice:passw0rd code 123456';
    const headers = [
      'Authorization: Basic YWxpY2U6cGFzc3cwcmQ=',
      'Cookie: sid=c00kievalue',
      'X-Token: Bearer s3cr3tvalue',
    ];
    const args = ['GET', '/x', '--field', 'code=123456', ...headers.flatMap((one) => ['--header', one]), '--json'];
    for (const respond of [envelope(200, 'ok', { data: { echo } }), envelope(400, 'bad', { message: echo })]) {
      const { api } = await newService(respond);
      for (const more of [[], ['--include'], ['--debug']]) {
        const { stdout, stderr } = await api([...args, ...more]);
        expect(stdout + stderr).not.toMatch(/s3cr3tvalue|c00kievalue|passw0rd|YWxpY2U/);
      }
    }
  });

  it('in headers of the answer are masked by --include', async () => {
    const secret = {
      location: 'https://h.example/x?token=s3cr3tvalue',
      'x-session-id': 's3cr3tvalue',
      'x-otp': '123456',
    };
    const { api } = await newService(raw(201, '{}', { 'content-type': 'application/json', ...secret }));
    const { code, stdout } = await api(['POST', '/x', '--include']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('location: https://h.example/x?token=')]);
    expect(stdout).not.toMatch(/s3cr3t|123456/);
  });
});

it('--curl makes curl send one request for brackets in the address', async () => {
  const { api } = await newService();
  expect((await api(['POST', '/x?a={1,2}&b=[1-3]', '--curl'])).stdout).toContain('--globoff');
  expect((await api(['POST', '/x', '--input', '-', '--curl'], 'null')).code).toBe(0);
});

describe('the answer of api', () => {
  it('is the envelope with --envelope, and all of it with --include', async () => {
    const { api } = await newService(envelope(200, 'found', { data: { n: 1 } }));
    const whole = { statusCode: 200, success: true, status: 'found', message: 'it is found', data: { n: 1 } };
    expect(JSON.parse((await api(['GET', '/x', '--envelope', '--json'])).stdout)).toEqual(whole);
    const { stdout } = await api(['GET', '/x', '--include']);
    expect(stdout).toMatch(/^HTTP 200\ncontent-type: application\/json\n[\s\S]*\n\n\{\n {2}"statusCode": 200,/);
    expect(JSON.parse((await api(['GET', '/x', '--include', '--json'])).stdout)).toMatchObject({
      ...{ http: 200, headers: { 'content-type': 'application/json' }, body: whole },
    });
  });

  it('hides cookies and a repeated key, and escapes what a terminal would obey', async () => {
    const text = `\u001b[31mred ${KEY}`;
    const { api } = await newService(raw(200, text, { 'content-type': 'text/plain', 'set-cookie': 'id=s3cret' }));
    for (const more of [[], ['--include'], ['--include', '--json']]) {
      const { code, stdout } = await api(['GET', '/page', ...more]);
      expect(code).toBe(0);
      expect(stdout).not.toContain('\u001b');
      expect(stdout).not.toMatch(new RegExp(`s3cret|${KEY}`));
    }
  });

  it('of a path that the document does not have may be any JSON', async () => {
    const { api } = await newService(json('[{"a":1},{"a":2}]'));
    expect(JSON.parse((await api(['GET', '/other', '--json'])).stdout)).toEqual([{ a: 1 }, { a: 2 }]);
    const documented = await api(['GET', '/config/products', '--json']);
    expect([documented.code, JSON.parse(documented.stdout).error.code]).toEqual([5, 'unexpected_answer']);
  });

  it.each<[Responder, number, string]>([
    [envelope(404, 'payment_not_found'), 3, 'not_found'],
    [envelope(401, 'unauthorized'), 4, 'unauthorized'],
    [envelope(403, 'kyc_not_approved'), 6, 'identity_gate'],
    [envelope(429, 'anything'), 7, 'limit_reached'],
    [envelope(409, 'anything'), 9, 'rejected'],
    [raw(404, '<h1>no</h1>', { 'content-type': 'text/html' }), 3, 'not_found'],
    [raw(418, '{"tea":true}', { 'content-type': 'application/json' }), 9, 'rejected'],
    [raw(200, '{"a":', { 'content-type': 'application/json' }), 5, 'unexpected_answer'],
    [raw(200, '{"statusCode":400,"success":false,"status":"bad"}'), 5, 'unexpected_answer'],
    [raw(302, '', { location: 'https://other.example/' }), 5, 'unexpected_answer'],
  ])('that is an error has the exit code of all commands (%#)', async (respond, code, name) => {
    const { api, received } = await newService(respond);
    const ended = await api(['DELETE', '/any', '--json']);
    expect([ended.code, JSON.parse(ended.stdout).error.code]).toEqual([code, name]);
    expect(received).toHaveLength(1);
  });

  it('names what helps: the document for an unknown path, and for the control its key', async () => {
    const { api } = await newService(raw(404, '', { 'content-type': 'text/html' }));
    expect(JSON.parse((await api(['GET', '/nope', '--json'])).stdout).error.next).toBe('bursar openapi');
    const journey = await startJourney();
    onTestFinished(() => journey.end());
    const control = await journey.bursar(['api', 'GET', '/_sandbox/health', '--json']);
    expect([control.code, JSON.parse(control.stdout).error]).toMatchObject([
      4,
      { hint: expect.stringContaining('x-control-key'), next: 'bursar sandbox start' },
    ]);
  });

  it('that Ctrl-C ends has one line', async () => {
    const { home, url, received } = await newService(() => undefined);
    const started = startBursar(home, ['api', 'GET', '/slow'], { env: { BURSAR_BASE_URL: url, BURSAR_API_KEY: KEY } });
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    started.child.kill('SIGINT');
    const { code, stdout, stderr } = await started.ended;
    expect([code, stdout, stderr]).toEqual([130, '', 'error: interrupted; GET /slow has no answer yet\n']);
  });

  it('is printed with every field beside a list, and as the list alone where nothing is beside it', async () => {
    const printed = async (data: unknown) => {
      const { stdout, stderr } = await (await newService(envelope(200, 'found', { data }))).api(['GET', '/x']);
      return [stdout, stderr];
    };
    const rows = [{ a: 1, b: 'x' }, { a: 2 }];
    expect(await printed({ status: 'success', parts: rows })).toEqual([
      'status\tsuccess\nparts.0.a\t1\nparts.0.b\tx\nparts.1.a\t2\n',
      '',
    ]);
    expect(await printed({ parts: rows, others: [] })).toEqual([expect.stringContaining('others\t\n'), '']);
    const listed = '1\tx\n2\t\n';
    expect(await printed(rows)).toEqual([listed, '']);
    expect(await printed({ parts: rows })).toEqual([listed, '']);
    expect(await printed({ parts: rows, pagination: { total: 2, total_pages: 1 } })).toEqual([listed, '']);
    const paged = await printed({ parts: rows, pagination: { total: 40, total_pages: 20 } });
    expect(paged).toEqual([listed, 'This is one of 20 pages; --paginate reads all pages.\n']);
    expect(await printed({ pagination: { total: 0 } })).toEqual(['pagination.total\t0\n', '']);
  });

  it('reads all pages of a list as one', async () => {
    const page = (at: number) => ({
      orders: [{ id: `o${at}` }],
      pagination: { total: 3, page: at, limit: 1, total_pages: 3 },
    });
    const { api, received } = await newService((request, response) => {
      const at = Number(new URL(request.path, 'http://x').searchParams.get('page'));
      return envelope(200, 'orders_listed', { data: page(at) })(request, response);
    });
    const { stdout } = await api(['GET', '/order/list?limit=1', '--paginate', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      orders: [{ id: 'o1' }, { id: 'o2' }, { id: 'o3' }],
      pagination: { total: 3, page: 1, total_pages: 1 },
    });
    expect(received.map(({ path }) => path)).toEqual([1, 2, 3].map((at) => `/order/list?limit=1&page=${at}`));
  });

  it.each<[string, object, object]>([
    ['a page in between is empty', { orders: [1] }, { orders: [] }],
    ['a page has its list under another name', { orders: [1] }, { items: [2] }],
    ['there are two lists', { orders: [1], notes: [] }, { orders: [2], notes: [] }],
  ])('does not call a list whole if %s: exit 5', async (_, first, second) => {
    const { api } = await newService((request, response) => {
      const pagination = { total: 2, page: 1, limit: 1, total_pages: 2 };
      const data = { ...(request.path.endsWith('page=1') ? first : second), pagination };
      return envelope(200, 'listed', { data })(request, response);
    });
    const { code, stdout, stderr } = await api(['GET', '/order/list', '--paginate']);
    expect([code, stdout, stderr]).toEqual([5, '', expect.stringContaining('no list that bursar can read as one')]);
  });
});

describe('a call of api that may move money', () => {
  const EXECUTE = ['POST', '/payment/execute/on-chain', '--field', 'payment_id=pay_1'];

  it.each([
    ['/payment/execute/on-chain'],
    ['/Payment//execute/on-chain/'],
    ['/payment/execute/on-chain.json'],
    ['/payment/execute/on-chain%20'],
    ['/api/payment/execute/on-chain'],
    ['/payment/register/intents-create-transaction?transaction_type=crypto&card_data=1'],
    ['/payment/%65xecute/on-chain'],
    ['/payment/execute/on-chain?x=1'],
    ['/yield/broadcast'],
    ['/payment/register/intents-create-transaction'],
  ])('needs --yes without a terminal: POST %s', async (path) => {
    const { api, received } = await newService();
    const { code, stderr } = await api(['POST', path, '--field', 'transaction_type=cardcrypto']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('bursar keeps no journal of it')]);
    expect(stderr).toMatch(/next: bursar api POST .* --yes\n/);
    expect(received).toEqual([]);
  });

  it('needs it by a card in the body, whatever the query and the type say', async () => {
    const { api, received } = await newService();
    const path = '/payment/register/intents-create-transaction?transaction_type=crypto';
    expect((await api(['POST', path, '--raw-field', 'card_data[card_token]=tok_1'])).code).toBe(2);
    expect((await api(['POST', path, '--field', 'transaction_type=crypto', '--field', 'card_data=1'])).code).toBe(2);
    expect(received).toEqual([]);
  });

  it('that was made is no failure when its output cannot be printed', async () => {
    const { home, url } = await newService(envelope(200, 'payment_confirmed', { data: { n: 1 } }));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: KEY };
    for (const more of [[], ['--json', '--jq', 'error("x")'], ['--json', '--fields', 'nope']]) {
      const settings = { env, ...(more.length === 0 && { stdout: '/dev/full' }) };
      const { code, stderr } = await runBursar(home, ['api', ...EXECUTE, '--yes', '--include', ...more], settings);
      expect([code, stderr]).toEqual([0, expect.stringContaining('The command succeeded')]);
    }
  });

  it('creates the transaction of a payment in crypto without it', async () => {
    const { api, received } = await newService();
    const path = '/payment/register/intents-create-transaction';
    expect((await api(['POST', path, '--field', 'transaction_type=crypto'])).code).toBe(0);
    expect(received).toHaveLength(1);
  });

  it('is sent once with --yes, also after a fault of the service, which leaves its outcome unknown', async () => {
    const { api, received } = await newService(envelope(503, 'unavailable'));
    const { code, stdout } = await api([...EXECUTE, '--yes', '--json']);
    expect([code, JSON.parse(stdout).error.code]).toEqual([11, 'outcome_unknown']);
    expect(received).toHaveLength(1);
  });

  it.each([
    ['/payment/execute/on-chain', 'payment_id=pay_1', 'bursar pay status pay_1 --wait'],
    ['/payment/execute/on-chain?payment_id=pay_2', 'a=1', 'bursar pay status pay_2 --wait'],
    ['/payment/register/intents-create-transaction', 'payment_id=pay_3', 'bursar pay status pay_3 --wait'],
    ['/payment/execute/on-chain', 'payment_id=--json', 'bursar explain outcome_unknown'],
    ['/payment/execute/on-chain', 'payment_id=a b', 'bursar explain outcome_unknown'],
    ['/yield/broadcast', 'payment_id=pay_4', 'bursar explain outcome_unknown'],
  ])('POST %s with %s names what reads the outcome back: %s', async (path, field, next) => {
    const { api, url } = await newService(envelope(503, 'unavailable'));
    const args = ['POST', path, '--raw-field', field, '--yes', '--json', '--base-url', url];
    const { code, stdout } = await api(args);
    const service = next.includes('pay status') ? ` --base-url ${url}` : '';
    expect([code, JSON.parse(stdout).error.next]).toEqual([11, next + service]);
  });

  it('is repeated if it only reads', async () => {
    let calls = 0;
    const { api, received } = await newService((request, response) => {
      calls += 1;
      return (calls === 1 ? envelope(503, 'unavailable') : envelope(200, 'ok', { data: {} }))(request, response);
    });
    expect((await api(['GET', '/any'])).code).toBe(0);
    expect(received).toHaveLength(2);
  });
});
