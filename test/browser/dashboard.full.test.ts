import { describe, expect, it } from 'vitest';
import { dashboardLink } from '../../src/sandbox/address.ts';
import { proveEmail } from '../sandbox/identity.ts';
import { create, PIX, whenStatus } from '../sandbox/money.ts';
import { createOrder, fund, newPayer, RECEIVERS } from '../sandbox/payer.ts';
import { sandboxIo, startEphemeral, startTestSandbox } from '../sandbox/sandbox.ts';
import { hasBrowser, useBrowser, waitForText } from './browser.ts';

const EMAIL = 'payer@example.com';

describe.runIf(hasBrowser())('the dashboard', () => {
  const { open, problems } = useBrowser();

  it('shows a new payment, order, e-mail and webhook and a moved clock without a reload', async () => {
    const sandbox = await startEphemeral();
    const page = await open(dashboardLink(sandbox.address));
    await waitForText(page, '#payments', 'No payment yet.');
    await page.evaluate('window.isStillThis = true');
    const { id } = await create(sandbox, PIX);
    await waitForText(page, '#payments', id);
    await waitForText(page, '#news', `The newest payment is ${id}: registered.`);
    await createOrder(sandbox);
    await waitForText(page, '#orders', '12.34 BRL');
    await proveEmail(sandbox, EMAIL);
    const { emails } = (await sandbox.control('GET', 'inbox')).body.data;
    await waitForText(page, '#inbox', emails[0].code);
    await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'pay' });
    await waitForText(page, '#webhooks', 'not sent');
    await waitForText(page, '#chains', '13.333334 USDT');
    await sandbox.control('POST', 'clock', { advance: '+1d2h' });
    await waitForText(page, '#offset', '1 d 2 h');
    expect(await page.evaluate('window.isStillThis')).toBe(true);
  });

  it('shows the time of the sandbox on a running clock', async () => {
    const sandbox = await startEphemeral();
    await sandbox.control('POST', 'clock', { advance: '+3650d' });
    const page = await open(`${sandbox.address.url}/`);
    const clock = page.locator('[data-clock]');
    const before = (await clock.textContent()) ?? '';
    const { now } = (await sandbox.control('GET', 'clock')).body.data;
    expect(Math.abs(Date.parse(before) - Date.parse(now))).toBeLessThan(5_000);
    await expect.poll(() => clock.textContent()).not.toBe(before);
  });

  it('opens a page for a payment with its facts, history, webhooks and error', async () => {
    const sandbox = await startEphemeral();
    const { id } = await create(sandbox, PIX);
    const page = await open(`${sandbox.address.url}/`);
    await page.locator(`#payment-${id}`).click();
    await waitForText(page, '#facts', RECEIVERS[1]);
    await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'refuse' });
    await waitForText(page, '#facts', 'pix_refused');
    await waitForText(page, '#history', 'error');
    await waitForText(page, '#events', 'error');
  });

  it('starts no chain, and shows the test money on each chain that runs', async () => {
    const sandbox = await startEphemeral();
    const page = await open(`${sandbox.address.url}/`);
    await waitForText(page, '#chains', 'No chain runs.');
    expect((await sandbox.control('GET', 'health')).body.data.chains).toEqual([]);
    const { id } = await create(sandbox, PIX);
    await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'pay' });
    await whenStatus(sandbox, id, 'success');
    await waitForText(page, '#running', 'polygon');
    await sandbox.control('POST', 'fund', { address: RECEIVERS[1], chain: 'polygon', token: 'USDC', amount: '77' });
    await waitForText(page, '#chains', '77 USDC');
    await fund(sandbox, newPayer(), 'base');
    await waitForText(page, '#running', 'polygon, base');
    const wallet = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
    await sandbox.control('POST', 'fund', { address: wallet, chain: 'solana', token: 'XAUT', amount: '3.5' });
    await waitForText(page, '#chains tr', wallet);
    await waitForText(page, '#chains', '3.5 XAUT');
  });

  it('shows that the sandbox has stopped, and updates again after a restart', async () => {
    const io = await sandboxIo();
    const first = await startTestSandbox(io);
    const page = await open(`${first.address.url}/`);
    await waitForText(page, '#payments', 'No payment yet.');
    await first.stop();
    await waitForText(page, '#offline', 'Not connected');
    const port = Number(new URL(first.address.url).port);
    const second = await startTestSandbox(io, { port });
    const { id } = await create(second, PIX);
    await waitForText(page, '#payments', id);
    expect(await page.locator('#offline').isVisible()).toBe(false);
    problems.splice(0);
  });

  it('shows new requests without a reload, keeps a half-typed filter, and copies a request as a command', async () => {
    const sandbox = await startEphemeral();
    const page = await open(`${dashboardLink(sandbox.address)}`);
    await page.getByRole('link', { name: 'Requests' }).click();
    await waitForText(page, '#requests', 'No request yet.');
    await page.locator('#filter-path').fill('/quo');
    await sandbox.get('/quote/market?from=ETH&to=USDT');
    await waitForText(page, '#requests', '/quote/market');
    expect(await page.locator('#filter-path').inputValue()).toBe('/quo');
    await page.locator('#filter-path').press('Enter');
    await page.waitForURL(/path=%2Fquo/);
    await sandbox.get('/config/products');
    await sandbox.get('/quote/market?from=BTC&to=USDT');
    await page.locator('#requests tbody tr').nth(1).waitFor();
    expect(await page.locator('#requests tbody tr').count()).toBe(2);
    await page.locator('#requests tbody a').first().click();
    await waitForText(page, '#facts', '"from": "BTC"');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as bursar' }).click();
    await waitForText(page, '#copied', 'Copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('bursar quote BTC USDT --profile sandbox');
  });

  it('filters by form and shows the numbers of the chart as a table, without script', async () => {
    const sandbox = await startEphemeral();
    const { id } = await create(sandbox, PIX);
    await create(sandbox, PIX);
    await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'refuse' });
    const page = await open(dashboardLink(sandbox.address), { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.locator('#filter-status').selectOption('error');
    await page.getByRole('button', { name: 'Filter' }).click();
    expect(await page.locator('#payments tbody a').allTextContents()).toEqual([id]);
    await page.locator('#chart-numbers summary').click();
    expect(await page.locator('#chart-numbers thead th').allTextContents()).toEqual(['From', 'registered', 'error']);
    await page.getByRole('link', { name: 'Show all' }).click();
    expect(await page.locator('#payments tbody tr').count()).toBe(2);
  });

  it('shows six payments and links to a list of all, without script', async () => {
    const sandbox = await startEphemeral();
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) ids.push((await create(sandbox, PIX)).id);
    const page = await open(dashboardLink(sandbox.address), { javaScriptEnabled: false });
    expect(await page.locator('#payments tbody tr').count()).toBe(6);
    await page.getByRole('link', { name: 'All payments' }).click();
    const listed = await page.locator('#payments tbody a').allTextContents();
    expect(listed).toEqual(ids.toReversed());
  });
});
