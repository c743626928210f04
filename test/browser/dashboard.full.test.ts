import { describe, expect, it } from 'vitest';
import { dashboardLink } from '../../src/sandbox/address.ts';
import { proveEmail } from '../sandbox/identity.ts';
import { create, PIX, whenStatus } from '../sandbox/money.ts';
import { createOrder, fund, newPayer, RECEIVERS } from '../sandbox/payer.ts';
import { sandboxIo, startEphemeral, startTestSandbox } from '../sandbox/sandbox.ts';
import { hasBrowser, untilSays, useBrowser } from './browser.ts';

const EMAIL = 'payer@example.com';

describe.runIf(hasBrowser())('the dashboard', () => {
  const { open, problems } = useBrowser();

  it('a new payment, order, e-mail and webhook appear without a reload, and so does a moved clock', async () => {
    const sandbox = await startEphemeral();
    const page = await open(dashboardLink(sandbox.address));
    await untilSays(page, '#payments', 'No payment yet.');
    await page.evaluate('window.isStillThis = true');
    const { id } = await create(sandbox, PIX);
    await untilSays(page, '#payments', id);
    await untilSays(page, '#news', `The newest payment is ${id}: registered.`);
    await createOrder(sandbox);
    await untilSays(page, '#orders', '12.34 BRL');
    await proveEmail(sandbox, EMAIL);
    const { emails } = (await sandbox.control('GET', 'inbox')).body.data;
    await untilSays(page, '#inbox', emails[0].code);
    await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'pay' });
    await untilSays(page, '#webhooks', 'not sent');
    await untilSays(page, '#chains', '13.333334 USDT');
    await sandbox.control('POST', 'clock', { advance: '+1d2h' });
    await untilSays(page, '#offset', '1 d 2 h');
    expect(await page.evaluate('window.isStillThis')).toBe(true);
  });

  it('the clock shows the time of the sandbox, and runs', async () => {
    const sandbox = await startEphemeral();
    await sandbox.control('POST', 'clock', { advance: '+3650d' });
    const page = await open(`${sandbox.address.url}/`);
    const clock = page.locator('[data-clock]');
    const before = (await clock.textContent()) ?? '';
    const { now } = (await sandbox.control('GET', 'clock')).body.data;
    expect(Math.abs(Date.parse(before) - Date.parse(now))).toBeLessThan(5_000);
    await expect.poll(() => clock.textContent()).not.toBe(before);
  });

  it('a payment has a page of its own with its steps, its webhooks and what went wrong', async () => {
    const sandbox = await startEphemeral();
    const { id } = await create(sandbox, PIX);
    const page = await open(`${sandbox.address.url}/`);
    await page.locator(`#payment-${id}`).click();
    await untilSays(page, '#facts', RECEIVERS[1]);
    await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'refuse' });
    await untilSays(page, '#facts', 'pix_refused');
    await untilSays(page, '#history', 'error');
    await untilSays(page, '#events', 'error');
  });

  it('looking starts no chain; test money on one that runs shows', async () => {
    const sandbox = await startEphemeral();
    const page = await open(`${sandbox.address.url}/`);
    await untilSays(page, '#chains', 'No chain runs.');
    expect((await sandbox.control('GET', 'health')).body.data.chains).toEqual([]);
    const { id } = await create(sandbox, PIX);
    await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'pay' });
    await whenStatus(sandbox, id, 'success');
    await untilSays(page, '#running', 'polygon');
    await sandbox.control('POST', 'fund', { address: RECEIVERS[1], chain: 'polygon', token: 'USDC', amount: '77' });
    await untilSays(page, '#chains', '77 USDC');
    await fund(sandbox, newPayer(), 'base');
    await untilSays(page, '#running', 'polygon, base');
    const wallet = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
    await sandbox.control('POST', 'fund', { address: wallet, chain: 'solana', token: 'XAUT', amount: '3.5' });
    await untilSays(page, '#chains tr', wallet);
    await untilSays(page, '#chains', '3.5 XAUT');
  });

  it('when the sandbox stops the page says so, and goes on when it is back', async () => {
    const io = await sandboxIo();
    const first = await startTestSandbox(io);
    const page = await open(`${first.address.url}/`);
    await untilSays(page, '#payments', 'No payment yet.');
    await first.stop();
    await untilSays(page, '#offline', 'Not connected');
    const port = Number(new URL(first.address.url).port);
    const second = await startTestSandbox(io, { port });
    const { id } = await create(second, PIX);
    await untilSays(page, '#payments', id);
    expect(await page.locator('#offline').isVisible()).toBe(false);
    problems.splice(0);
  });

  it('a request appears on its tab without a reload, and the filter that is being typed stays', async () => {
    const sandbox = await startEphemeral();
    const page = await open(`${dashboardLink(sandbox.address)}`);
    await page.getByRole('link', { name: 'Requests' }).click();
    await untilSays(page, '#requests', 'No request yet.');
    await page.locator('#filter-path').fill('/quo');
    await sandbox.get('/quote/market?from=ETH&to=USDT');
    await untilSays(page, '#requests', '/quote/market');
    expect(await page.locator('#filter-path').inputValue()).toBe('/quo');
    await page.locator('#filter-path').press('Enter');
    await page.waitForURL(/path=%2Fquo/);
    await sandbox.get('/config/products');
    await sandbox.get('/quote/market?from=BTC&to=USDT');
    await page.locator('#requests tbody tr').nth(1).waitFor();
    expect(await page.locator('#requests tbody tr').count()).toBe(2);
    await page.locator('#requests tbody a').first().click();
    await untilSays(page, '#facts', '"from": "BTC"');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as bursar' }).click();
    await untilSays(page, '#copied', 'Copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('bursar quote BTC USDT --profile sandbox');
  });

  it('without script a filter is a form, and the numbers of the chart are a table', async () => {
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

  it('works without script, page by page', async () => {
    const sandbox = await startEphemeral();
    const ids: string[] = [];
    for (let each = 0; each < 7; each += 1) ids.push((await create(sandbox, PIX)).id);
    const page = await open(dashboardLink(sandbox.address), { javaScriptEnabled: false });
    expect(await page.locator('#payments tbody tr').count()).toBe(6);
    await page.getByRole('link', { name: 'All payments' }).click();
    const shown = await page.locator('#payments tbody a').allTextContents();
    expect(shown).toEqual(ids.toReversed());
  });
});
