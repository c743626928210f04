import { describe, expect, it } from 'vitest';
import { decide, openSession, proveEmail, statusOfUser } from '../sandbox/identity.ts';
import { startEphemeral } from '../sandbox/sandbox.ts';
import { hasBrowser, useBrowser, waitForText } from './browser.ts';

const EMAIL = 'payer@example.com';

describe.runIf(hasBrowser())('the verification page', () => {
  const { open } = useBrowser();

  const start = async () => {
    const sandbox = await startEphemeral();
    await proveEmail(sandbox, EMAIL);
    const { session } = (await openSession(sandbox, { email: EMAIL })).body.data;
    const status = async () => (await statusOfUser(sandbox, { email: EMAIL })).body.data;
    return { sandbox, status, page: await open(session.session_url) };
  };

  it.each([
    ['Approve', 'Approved', { status: 'approved', approved: true }],
    ['Decline', 'Declined', { status: 'declined', approved: false }],
  ])('decides the verification on %s, and then shows no button', async (button, headline, expected) => {
    const { page, status } = await start();
    await waitForText(page, 'dd', EMAIL);
    await page.getByRole('button', { name: button }).click();
    await waitForText(page, '#state', headline);
    expect(await status()).toMatchObject(expected);
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('shows a decision of the control without a reload', async () => {
    const { sandbox, page } = await start();
    await page.evaluate('window.isStillThis = true');
    await decide(sandbox, 'approve', { email: EMAIL });
    await waitForText(page, '#state', 'Approved');
    expect(await page.evaluate('window.isStillThis')).toBe(true);
  });

  it('approves a verification without script', async () => {
    const { page, status } = await start();
    const plain = await open(page.url(), { javaScriptEnabled: false });
    await plain.getByRole('button', { name: 'Approve' }).click();
    await waitForText(plain, '#state', 'Approved');
    expect((await status()).approved).toBe(true);
  });
});
