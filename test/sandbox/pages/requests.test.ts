import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/contract/index.ts';
import { dashboardLink } from '../../../src/sandbox/address.ts';
import { typeInShell } from '../../support/shell.ts';
import { proveEmail } from '../identity.ts';
import { create, FIAT_ORDER, PIX } from '../money.ts';
import { createOrder, register } from '../payer.ts';
import { sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from '../sandbox.ts';

const cookieOf = async ({ address }: TestSandbox): Promise<string> => {
  const response = await fetch(dashboardLink(address), { redirect: 'manual' });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
};

const htmlOf = async (sandbox: TestSandbox, path: string, cookie?: string): Promise<string> => {
  const answer = await fetch(sandbox.address.url + path, { headers: cookie ? { cookie } : {} });
  return answer.text();
};

/** The text of an element that holds only text, with its entities decoded. */
const textIn = (page: string, id: string): string | undefined =>
  new RegExp(`id="${id}"[^>]*>([^<]*)<`)
    .exec(page)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

/** The page of the newest request to a path. */
const pageOf = async (sandbox: TestSandbox, path: string, cookie?: string): Promise<string> => {
  const { entries } = (await sandbox.control('GET', 'logs?lines=1000&bodies=true')).body.data;
  const { id } = entries.findLast((entry: { path: string }) => entry.path === path);
  return htmlOf(sandbox, `/?request=${id}`, cookie);
};

test('lists requests newest first, and filters them by method, path and status from the query', async () => {
  const sandbox = await startEphemeral();
  await sandbox.get('/quote/market?from=ETH&to=USDT');
  await sandbox.get('/quote/market?from=NOPE&to=USDT');
  await sandbox.get('/config/products');
  await sandbox.post('/order/create', {});
  const pathsOf = async (query: string) => {
    const page = await htmlOf(sandbox, `/?list=requests${query}`);
    return [...page.matchAll(/class="path"[^>]*>([^<]*)</g)].map(([, path]) => path);
  };
  expect(await pathsOf('')).toEqual(['/order/create', '/config/products', '/quote/market', '/quote/market']);
  expect(await pathsOf('&method=POST')).toEqual(['/order/create']);
  expect(await pathsOf('&path=*market&status=pair_not_found')).toEqual(['/quote/market']);
  expect(await pathsOf('&status=2xx')).toEqual(['/config/products', '/quote/market']);
  expect(await pathsOf('&status=500')).toEqual([]);
  expect(await htmlOf(sandbox, '/?list=requests&status=%22%3E%3Cb%3E')).toContain('value="&quot;&gt;&lt;b&gt;"');
});

test('shows redacted bodies of a request to the owner, and hides them from a guest', async () => {
  const sandbox = await startEphemeral();
  await proveEmail(sandbox, 'ana.souza@example.com');
  const page = await pageOf(sandbox, '/kyc/prepare', await cookieOf(sandbox));
  expect(page).toContain('&quot;email&quot;: &quot;********&quot;');
  expect(textIn(page, 'curl')).toContain('$BURSAR_API_KEY');
  expect(page.includes('ana.souza')).toBe(false);
  expect(page).toContain('Replace ********');
  expect(textIn(page, 'command')).toBe(
    `printf %s '{"email":"********"}' | bursar kyc prepare --body - --profile sandbox`,
  );
  const guest = await pageOf(sandbox, '/kyc/prepare');
  expect([guest.includes('hidden'), guest.includes('&quot;email&quot;'), textIn(guest, 'curl')]).toEqual([
    true,
    false,
    undefined,
  ]);
  expect((await fetch(`${sandbox.address.url}/?request=nope`)).status).toBe(404);
});

test('offers no bursar command for a request whose values could be options of the command', async () => {
  const sandbox = await startEphemeral();
  const cookie = await cookieOf(sandbox);
  const commandFor = async (query: string) => {
    await sandbox.get(`/quote/market?${query}`);
    return textIn(await pageOf(sandbox, '/quote/market', cookie), 'command');
  };
  expect(await commandFor('from=ETH&to=USDT')).toBe('bursar quote ETH USDT --profile sandbox');
  expect(await commandFor('from=--base-url%3Dhttps://evil.example&to=--no-input')).toBeUndefined();
  expect(await commandFor('from=BTC&to=-v')).toBeUndefined();
  expect(await commandFor('from=BTC&to=USDT&yes=')).toBeUndefined();
});

test('shows a curl command and a bursar command that repeat the request when pasted into a shell', async () => {
  const io = await sandboxIo();
  const sandbox = await startTestSandbox(io);
  const cookie = await cookieOf(sandbox);
  const { payment_id } = (await register(sandbox, { metadata: { note: "it's 5 $HOME `x`" } })).body.data;
  await createOrder(sandbox);
  const reads = [
    `/payment/${payment_id}/status`,
    '/quote/market?from=ETH&to=USDT',
    '/config/products',
    '/yield/strategies/USDC',
    '/yield/rebalance-opportunities',
  ];
  for (const path of reads) expect([path, (await sandbox.get(path)).http]).toEqual([path, 200]);
  const paths = ['/payment/register/intents-create-order', '/order/create', ...reads.map((path) => path.split('?')[0])];
  const pages = await Promise.all(paths.map((path) => pageOf(sandbox, path ?? '', cookie)));
  const env = { BURSAR_API_KEY: sandbox.address.api_key };
  for (const page of pages) {
    const [curl = '', command = ''] = [textIn(page, 'curl'), textIn(page, 'command')];
    const sent = await typeInShell(io.cwd, [curl], env);
    expect([curl, sent.code, JSON.parse(sent.stdout).success]).toEqual([curl, 0, true]);
    const run = await typeInShell(io.cwd, [command]);
    expect([command, run.code, run.stderr.includes('error')]).toEqual([command, 0, false]);
  }
});

/** Commands that end before their call: two need a yes to send, and the order has the new values already. */
const SENDS_NOTHING: readonly string[] = ['pay.execute', 'order.update', 'yield.broadcast'];

test('shows a command for each endpoint, which sends the same query and body', async () => {
  const io = await sandboxIo();
  const sandbox = await startTestSandbox(io);
  const cookie = await cookieOf(sandbox);
  const { id } = await create(sandbox, PIX);
  const { order_id } = (await createOrder(sandbox)).body.data;
  /** The newest request to a path. */
  const newest = async (at: string) => {
    const { entries } = (await sandbox.control('GET', 'logs?lines=1000&bodies=true')).body.data;
    const found = entries.findLast(({ path }: { path: string }) => path === at) ?? {};
    const { id: request, method, query, request: body } = found;
    return { request, sent: { method, query, body } };
  };
  const differing: string[] = [];
  for (const { id: endpoint, method, path, example, body, query = {} } of ENDPOINTS) {
    const fields: Readonly<Record<string, unknown>> = { ...example, ...(path.includes('{id}') && { id }), order_id };
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(fields[name]));
    const given = (shape: object) => Object.entries(fields).filter(([name]) => Object.hasOwn(shape, name));
    const asked = new URLSearchParams(given(query).map(([name, value]): [string, string] => [name, String(value)]));
    await sandbox.call(method, `${address}?${asked}`, body && { body: Object.fromEntries(given(body)) });
    const direct = await newest(address);
    const command = textIn(await pageOf(sandbox, address, cookie), 'command') ?? 'false';
    // The user replaces what the sandbox does not store.
    const complete = command.replaceAll(
      /(?<before>"(?<field>\w+)":"|--(?<option>[\w-]+) ')\*{8}/g,
      (_, before, field, option) => `${before}${fields[field ?? option.replaceAll('-', '_')]}`,
    );
    const { stderr } = await typeInShell(io.cwd, [complete]);
    const repeated = await newest(address);
    if (repeated.request !== direct.request) expect([endpoint, repeated.sent]).toEqual([endpoint, direct.sent]);
    else differing.push(endpoint);
    expect(stderr).not.toMatch(/^(?:usage|error: (?:unknown|missing))/im);
  }
  expect(differing).toEqual(SENDS_NOTHING);
});

test('finds payments by status and by part of an id, and by e-mail address only for the owner', async () => {
  const sandbox = await startEphemeral();
  const cookie = await cookieOf(sandbox);
  const { id } = await create(sandbox, { ...PIX, payer_email: 'ana.souza@example.com' });
  const { id: other } = await create(sandbox, PIX, { ...FIAT_ORDER, amount_from: '7' });
  await sandbox.control('POST', 'pix', { payment_id: other, outcome: 'refuse' });
  const idsOf = async (query: string, as?: string) => {
    const page = await htmlOf(sandbox, `/?list=payments&${query}`, as);
    return [...page.matchAll(/id="payment-(pay_\w+)"/g)].map(([, one]) => one);
  };
  expect(await idsOf('status=error')).toEqual([other]);
  expect(await idsOf(`search=${id.slice(6, 20).toUpperCase()}`)).toEqual([id]);
  expect(await idsOf('search=ANA.SOUZA', cookie)).toEqual([id]);
  expect(await idsOf('search=ana.souza')).toEqual([]);
  expect(await idsOf('search=%25')).toEqual([]);
  const chart = await htmlOf(sandbox, '/?list=payments');
  expect(chart).toMatch(/<svg class="chart"[\s\S]*class="bar registered"[\s\S]*class="bar error"/);
  expect(chart).toContain('registered 1');
});

test('finds orders by state, id and field, and e-mails by address and text; a guest finds no personal data', async () => {
  const sandbox = await startEphemeral();
  const cookie = await cookieOf(sandbox);
  const ids = [await createOrder(sandbox), await createOrder(sandbox, { amount_from: '77' })].map(
    ({ body }) => body.data.order_id,
  );
  const [first, second] = ids;
  await sandbox.call('PATCH', `/order/${first}/toggle`);
  const ordersOf = async (query: string, as?: string) => {
    const page = await htmlOf(sandbox, `/?list=orders&${query}`, as);
    return ids.filter((id) => page.includes(`>${id}<`));
  };
  expect(await ordersOf('')).toEqual([first, second]);
  expect(await ordersOf('state=active')).toEqual([second]);
  expect(await ordersOf('state=switched+off')).toEqual([first]);
  expect(await ordersOf(`search=${first.slice(3, 12).toUpperCase()}`)).toEqual([first]);
  expect([await ordersOf('search=77', cookie), await ordersOf('search=%2277')]).toEqual([[second], []]);
  await proveEmail(sandbox, 'ana.souza@example.com');
  await proveEmail(sandbox, 'rui.alves@example.com');
  const inbox = await htmlOf(sandbox, '/?list=inbox&search=SOUZA', cookie);
  expect([inbox.includes('ana.souza'), inbox.includes('rui.alves')]).toEqual([true, false]);
  expect(await htmlOf(sandbox, '/?list=inbox&search=souza')).toContain('Nothing passes this filter.');
});

test('shows tabs for KYC, Yield and Faults; the Faults tab shows a new fault', async () => {
  const sandbox = await startEphemeral();
  await proveEmail(sandbox, 'ana.souza@example.com');
  expect(await htmlOf(sandbox, '/?list=kyc')).not.toContain('ana.souza');
  expect(await htmlOf(sandbox, '/?list=kyc&search=souza', await cookieOf(sandbox))).toContain('ana.souza@example.com');
  expect(await htmlOf(sandbox, '/?list=yield')).toMatch(/USDC[\s\S]*provider_a[\s\S]*%[\s\S]*No position/);
  expect((await sandbox.control('GET', 'health')).body.data.chains).toEqual([]);
  await sandbox.control('POST', 'fault', { endpoint: 'quote.market', kind: '429', count: 3, retry_after: 2 });
  expect(await htmlOf(sandbox, '/?list=faults')).toMatch(/quote\.market[\s\S]*429[\s\S]*3[\s\S]*2 s/);
});

test('finds faults by endpoint, balances by chain and wallet, and positions by provider and wallet', async () => {
  const sandbox = await startEphemeral();
  for (const endpoint of ['quote.market', 'pay.status']) {
    await sandbox.control('POST', 'fault', { endpoint, kind: '503' });
  }
  const faults = await htmlOf(sandbox, '/?list=faults&endpoint=pay.status');
  expect([faults.includes('data-name="Endpoint"><div>pay.status'), faults.includes('<div>quote.market')]).toEqual([
    true,
    false,
  ]);
  const wallet = '9dhiYwd4VgVsp2CrT4gWgKmKJrxqEdCS4KthYC5WHuFt';
  await sandbox.control('POST', 'fund', { address: `0x${'1'.repeat(40)}`, chain: 'polygon' });
  await sandbox.control('POST', 'fund', { address: wallet, chain: 'solana' });
  const rowsOf = async (query: string) => {
    const page = await htmlOf(sandbox, `/?list=chains&${query}`);
    return new Set([...page.matchAll(/data-name="Chain"><div>(\w+)/g)].map(([, chain]) => chain));
  };
  expect(await rowsOf('')).toEqual(new Set(['polygon', 'solana']));
  expect(await rowsOf('chain=solana')).toEqual(new Set(['solana']));
  expect(await rowsOf(`search=${wallet.slice(2, 12).toLowerCase()}`)).toEqual(new Set(['solana']));
  expect(await htmlOf(sandbox, '/?list=chains&chain=bsc')).toContain('Nothing passes this filter.');
  expect(await htmlOf(sandbox, '/?list=yield&provider=provider_b')).toContain('Nothing passes this filter.');
  expect(await htmlOf(sandbox, '/?list=yield')).toContain('No position.');
});
