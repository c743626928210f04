import { describe, expect, it, onTestFinished } from 'vitest';
import { newHome } from '../support/bursar.ts';
import { PAYMENT } from '../support/journey.ts';
import { hasBrowser, useBrowser, waitForText } from './browser.ts';

describe.runIf(hasBrowser())('the built program', () => {
  const { open } = useBrowser();

  it('prints the link of the dashboard in status, and the dashboard shows a payment of the command line', async () => {
    const { bursar } = await newHome();
    const env = { BURSAR_PROFILE: 'sandbox' };
    onTestFinished(async () => void (await bursar(['sandbox', 'stop'])));
    const started = JSON.parse((await bursar(['sandbox', 'start', '--json'])).stdout);
    expect(Object.keys(started)).toEqual(['url', 'api_key', 'control_key', 'pid']);
    const { dashboard } = JSON.parse((await bursar(['sandbox', 'status', '--json'])).stdout);
    expect(dashboard.startsWith(`${started.url}/?key=`)).toBe(true);
    const page = await open(dashboard);
    expect(page.url()).toBe(`${started.url}/`);
    expect(await page.locator('#guest').count()).toBe(0);
    await page.evaluate('window.isStillThis = true');
    const { payer_email: _, ...order } = PAYMENT;
    const registered = await bursar(['pay', 'register', '--body', '-', '--json'], {
      env,
      stdin: JSON.stringify(order),
    });
    await waitForText(page, '#payments', JSON.parse(registered.stdout).payment_id);
    expect(await page.evaluate('window.isStillThis')).toBe(true);
  });
});
