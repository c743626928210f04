import { expect, test } from 'vitest';
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
  expect([page.includes('ana.souza'), textIn(page, 'command')]).toEqual([false, undefined]);
  const guest = await pageOf(sandbox, '/kyc/prepare');
  expect([guest.includes('hidden'), guest.includes('&quot;email&quot;'), textIn(guest, 'curl')]).toEqual([
    true,
    false,
    undefined,
  ]);
  expect((await fetch(`${sandbox.address.url}/?request=nope`)).status).toBe(404);
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
